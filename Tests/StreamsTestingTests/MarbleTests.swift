import Streams
import StreamsTesting
import TestReporting
import TestTurns
import Testing

@Suite("Marbles", .takesTurns)
struct MarbleTests {
    private struct Failure: Error, Equatable {}

    let scheduler = TestScheduler(initialClock: 0)

    @Test("A line stands for events, a frame for each character")
    func events() {
        let cold = scheduler.cold("-a-(bc)-|", ["a": 1, "b": 2, "c": 3])
        #expect(cold.recordedEvents == [.next(10, 1), .next(30, 2), .next(30, 3), .completed(80)])
        let failing = scheduler.cold("-a #", error: Failure())
        #expect(failing.recordedEvents == [.next(10, "a"), .error(20, Failure())])
    }

    @Test("In a hot stream ^ is now")
    func hotOrigin() {
        scheduler.advance(to: 100)
        let hot = scheduler.hot("-a-^-b-|")
        #expect(hot.recordedEvents == [.next(80, "a"), .next(120, "b"), .completed(140)])
    }

    @Test("What a stream says is compared with a line")
    func expectation() {
        let letters = scheduler.hot("-a-b-a--|")
        scheduler.expect(letters.filter { $0 == "a" }, "-a---a--|")
        scheduler.expectSubscriptions(of: letters, "^-------!")
    }

    @Test("Values have names")
    func values() {
        let numbers = scheduler.cold("-1-2-(3|)", ["1": 1, "2": 2, "3": 3])
        scheduler.expect(numbers.map { $0 * 10 }, "-a-b-(c|)", ["a": 10, "b": 20, "c": 30])
    }

    @Test("A difference is shown in two lines, one below the other")
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

    @Test("Wrong subscriptions are shown")
    func subscriptionDifference() {
        let letters = scheduler.hot("-a-|")
        scheduler.expect(letters, "-a-|")
        let missing = collectFindings { scheduler.expectSubscriptions(of: letters, "^--!", "^") }
        #expect(missing.count == 1)
        #expect(missing.first?.message.contains("nothing\n   != (0 : Infinity)") == true)
        #expect(collectFindings { scheduler.expectSubscriptions(of: letters, "^-!") }.count == 1)
    }
}
