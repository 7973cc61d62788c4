import Streams
import StreamsTesting
import TestReporting
import TestTurns
import Testing

@Suite("Marbles", .takesTurns)
struct MarbleTests {
    private struct Failure: Error, Equatable {}

    let scheduler = TestScheduler(initialClock: 0)

    @Test("A marble diagram describes events, one frame for each character")
    func events() {
        let cold = scheduler.cold("-a-(bc)-|", ["a": 1, "b": 2, "c": 3])
        #expect(cold.recordedEvents == [.next(10, 1), .next(30, 2), .next(30, 3), .completed(80)])
        let failing = scheduler.cold("-a #", error: Failure())
        #expect(failing.recordedEvents == [.next(10, "a"), .error(20, Failure())])
    }

    @Test("In a hot stream ^ marks the current tick")
    func hotOrigin() {
        scheduler.advance(to: 100)
        let hot = scheduler.hot("-a-^-b-|")
        #expect(hot.recordedEvents == [.next(80, "a"), .next(120, "b"), .completed(140)])
    }

    @Test("expect compares a stream with a marble diagram")
    func expectation() {
        let letters = scheduler.hot("-a-b-a--|")
        scheduler.expect(letters.filter { $0 == "a" }, "-a---a--|")
        scheduler.expectSubscriptions(of: letters, "^-------!")
    }

    @Test("Marble characters stand for values")
    func values() {
        let numbers = scheduler.cold("-1-2-(3|)", ["1": 1, "2": 2, "3": 3])
        scheduler.expect(numbers.map { $0 * 10 }, "-a-b-(c|)", ["a": 10, "b": 20, "c": 30])
    }

    @Test("A failed expectation shows both diagrams, one below the other")
    func difference() {
        let letters = scheduler.hot("-a-b-(cd)|")
        let findings = collectFindings { scheduler.expect(letters.filter { $0 != "b" }, "-a-b-c---|") }
        #expect(
            findings.map(\.message) == [
                """
                recorded  -a---(cd)|
                expected  -a-b-c---|
                4 and 4 events differ at:
                  [1] next(c) @ 50
                   != next(b) @ 30
                  [2] next(d) @ 50
                   != next(c) @ 50
                """
            ])
    }

    @Test("Wrong subscriptions are reported as diagrams")
    func subscriptionDifference() {
        let letters = scheduler.hot("-a-|")
        scheduler.expect(letters, "-a-|")
        let missing = collectFindings { scheduler.expectSubscriptions(of: letters, "^--!", "^") }
        #expect(missing.count == 1)
        #expect(missing.first?.message.contains("nothing\n   != (0 : Infinity)") == true)
        #expect(collectFindings { scheduler.expectSubscriptions(of: letters, "^-!") }.count == 1)
    }
}
