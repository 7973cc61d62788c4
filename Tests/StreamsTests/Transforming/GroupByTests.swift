import Streams
import StreamsTesting
import TestTurns
import Testing

@Suite("groupBy", .takesTurns)
struct GroupByTests {
    static let source: [Recorded<Event<String>>] = [
        .next(90, "x"), .next(220, "foo"), .next(240, "FOO"), .next(270, "bar"), .next(310, "Baz"), .next(360, "foo"),
        .next(390, "baz"), .completed(570),
    ]

    @Test(
        "groupBy emits a stream for each new key",
        arguments: [
            HotCase(
                "complete", source, [.next(220, "foo"), .next(270, "bar"), .next(310, "baz"), .completed(570)],
                until: 570),
            HotCase("disposed", source, [.next(220, "foo"), .next(270, "bar")], until: 300, disposed: 300),
            HotCase(
                "failed", [.next(220, "foo"), .error(240, Failure.expected)],
                [.next(220, "foo"), .error(240, Failure.expected)], until: 240),
            HotCase(
                "the key selector throws", [.next(220, "foo"), .next(240, ""), .next(250, "bar")],
                [.next(220, "foo"), .error(240, Failure.expected)], until: 240),
        ] as [HotCase<String, String>])
    func keys(_ table: HotCase<String, String>) {
        table.check { source in source.groupBy { try Self.key($0) }.map(\.key) }
    }

    private static func key(_ text: String) throws -> String {
        if text.isEmpty { throw Failure.expected }
        return text.lowercased()
    }

    @Test("each group emits all its elements and the terminal event of the source")
    func groups() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(Self.source)
        let result = scheduler.start {
            source.groupBy { try Self.key($0) }
                .flatMap { group in group.materialize().map { "\(group.key) \($0)" } }
        }
        #expect(
            result.events == [
                .next(220, "foo next(foo)"), .next(240, "foo next(FOO)"), .next(270, "bar next(bar)"),
                .next(310, "baz next(Baz)"), .next(360, "foo next(foo)"), .next(390, "baz next(baz)"),
                .next(570, "foo completed"), .next(570, "bar completed"), .next(570, "baz completed"),
                .completed(570),
            ])
    }

    @Test("groupBy forwards an error to the groups before the result")
    func errorOrder() {
        let received = Record()
        let source = PublishSubject<Int>()
        let subscription = source.groupBy { $0 % 2 }.subscribe(
            onNext: { group in
                group.subscribe(onError: { _ in received.add("group \(group.key)") }).disposed(by: forever)
            }, onError: { _ in received.add("result") })
        source.onNext(1)
        source.onNext(2)
        source.onError(Failure.expected)
        #expect(received.text == "group 1 group 0 result")
        subscription.dispose()
    }

    @Test("groupBy keeps the source while the result or a group has an observer")
    func keepsSource() {
        let source = PublishSubject<Int>()
        let received = Record()
        let inner = SerialDisposable()
        let outer = source.groupBy { $0 % 2 }.subscribe(onNext: { group in
            received.add("group \(group.key)")
            if group.key == 1 { inner.disposable = group.subscribe(onNext: { received.add($0) }) }
        })
        source.onNext(1)
        outer.dispose()
        source.onNext(2)
        source.onNext(3)
        #expect(received.text == "group 1 1 3")
        #expect(source.hasObservers)
        inner.dispose()
        #expect(!source.hasObservers)
    }

    @Test("a group without an observer continues while the result has one")
    func leftGroup() {
        let source = PublishSubject<Int>()
        let received = Record()
        let outer = source.groupBy { $0 % 2 }.subscribe(onNext: { group in
            group.take(1).subscribe(onNext: { received.add($0) }).disposed(by: forever)
        })
        for number in 1...6 { source.onNext(number) }
        #expect(received.text == "1 2")
        #expect(source.hasObservers)
        outer.dispose()
        #expect(!source.hasObservers)
    }

    @Test("a late observer of a group receives later elements, also after disposal of the result")
    func independence() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable(Self.source)
        let group = scheduler.createObserver(String.self)
        let subscription = SerialDisposable()
        let result = scheduler.start(disposed: 300) {
            source.groupBy { try Self.key($0) }.do(onNext: { stream in
                if stream.key != "foo" { return }
                scheduler.scheduleAt(230) { subscription.disposable = stream.subscribe(group) }
            }).map(\.key)
        }
        #expect(result.events == [.next(220, "foo"), .next(270, "bar")])
        #expect(group.events == [.next(240, "FOO"), .next(360, "foo"), .completed(570)])
        #expect(source.subscriptions == [Subscription(200, 570)])
    }

    @Test("a terminated group sends its terminal event to a late observer")
    func lateObserver() {
        let source = PublishSubject<Int>()
        let groups = ReplaySubject<GroupedObservable<Int, Int>>.createUnbounded()
        let outer = source.groupBy { $0 }.subscribe(groups)
        source.onNext(1)
        source.onCompleted()
        #expect(trace(of: groups.flatMap { $0 }) == "|")
        outer.dispose()
    }

    @Test("the documented examples of groupBy emit their events")
    func example() {
        let stream = Observable.of(1, 2, 3, 4).groupBy { $0 % 2 }
            .flatMap { group in group.map { "\(group.key): \($0)" } }
        #expect(trace(of: stream) == "1: 1 0: 2 1: 3 0: 4 |")
    }
}

private let forever = DisposeBag()
