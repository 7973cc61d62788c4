import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("distinctUntilChanged", .takesTurns)
struct DistinctUntilChangedTests {
    @Test(
        "distinctUntilChanged emits elements that differ from the previous one",
        arguments: [
            HotCase("nothing", [.completed(250)], [.completed(250)] as [Recorded<Event<Int>>], until: 250),
            HotCase("one", [.next(220, 2), .completed(250)], [.next(220, 2), .completed(250)], until: 250),
            HotCase(
                "all different", [.next(210, 2), .next(220, 3), .next(230, 2), .completed(250)],
                [.next(210, 2), .next(220, 3), .next(230, 2), .completed(250)], until: 250),
            HotCase(
                "all equal", [.next(210, 2), .next(220, 2), .next(230, 2), .completed(250)],
                [.next(210, 2), .completed(250)], until: 250),
            HotCase(
                "some", [.next(210, 2), .next(215, 3), .next(220, 3), .next(225, 2), .next(230, 2), .completed(250)],
                [.next(210, 2), .next(215, 3), .next(225, 2), .completed(250)], until: 250),
            HotCase(
                "failing", [.next(210, 2), .next(220, 2), .error(230, Failure.expected)],
                [.next(210, 2), .error(230, Failure.expected)], until: 230),
            HotCase("disposed", [.next(210, 2), .next(220, 3)], [.next(210, 2)], until: 215, disposed: 215),
        ])
    func overloads(_ table: HotCase<Int, Int>) {
        table.check { $0.distinctUntilChanged() }
        table.check { source in source.distinctUntilChanged { $0 == $1 } }
        table.check { source in source.distinctUntilChanged { "\($0)" } }
        table.check { $0.distinctUntilChanged(at: \.description) }
        table.check { source in source.distinctUntilChanged({ $0 + 1 }, comparer: { $0 == $1 }) }
    }

    @Test(
        "distinctUntilChanged fails with the error that a function throws",
        arguments: [
            HotCase(
                "", [.next(210, 1), .next(220, 2), .next(230, 3)], [.next(210, 1), .error(220, Failure.expected)],
                until: 220)
        ])
    func throwing(_ table: HotCase<Int, Int>) {
        @Sendable func check(_ number: Int) throws -> Int {
            if number == 2 { throw Failure.expected }
            return number
        }
        table.check { source in source.distinctUntilChanged { try check($0) } }
        table.check { source in source.distinctUntilChanged { try check($1) == $0 } }
        table.check { source in source.distinctUntilChanged({ try check($0) }, comparer: { $0 == $1 }) }
    }

    @Test("distinctUntilChanged passes the last emitted and the new element to its comparer")
    func comparison() {
        let asked = Record()
        let stream = Observable.of(1, 2, 9, 10).distinctUntilChanged { last, new in
            asked.add("\(last)-\(new)")
            return new - last < 5
        }
        #expect(trace(of: stream) == "1 9 |")
        #expect(asked.text == "1-2 1-9 9-10")
    }

    @Test("distinctUntilChanged emits a first element that is nil")
    func optionals() {
        #expect(trace(of: Observable<Int?>.of(nil, nil, 1, nil).distinctUntilChanged()) == "nil Optional(1) nil |")
    }

    @Test("distinctUntilChanged compares a re-entrant element with the one being delivered")
    func reentrancy() {
        let source = PublishSubject<Int>()
        let received = Record()
        let subscription = source.distinctUntilChanged().subscribe(onNext: { element in
            received.add(element)
            if element < 3 {
                source.onNext(element)
                source.onNext(element + 1)
            }
        })
        source.onNext(1)
        #expect(received.text == "1 2 3")
        subscription.dispose()
    }

    @Test("the documented examples of distinctUntilChanged emit their events")
    func examples() {
        #expect(trace(of: Observable.of(1, 1, 2, 2, 1).distinctUntilChanged()) == "1 2 1 |")
        #expect(trace(of: Observable.of("a", "b", "cc").distinctUntilChanged { $0.count }) == "a cc |")
        #expect(trace(of: Observable.of(1, 2, 9, 10).distinctUntilChanged { abs($0 - $1) < 5 }) == "1 9 |")
        #expect(trace(of: Observable.of("a", "b", "cc").distinctUntilChanged(at: \.count)) == "a cc |")
        #expect(
            trace(of: Observable.of("a", "A", "b").distinctUntilChanged({ $0.lowercased() }, comparer: ==)) == "a b |")
    }
}
