import Streams
import StreamsTesting
import TestConcurrency
import Testing

@Suite("do", .limitedConcurrency)
struct DoTests {
    private func watched(_ source: Observable<Int>, _ log: Record) -> Observable<Int> {
        source.do(
            onNext: { log.add("next \($0)") }, afterNext: { log.add("after \($0)") },
            onError: { log.add("error \($0)") }, afterError: { log.add("after \($0)") },
            onCompleted: { log.add("completed") }, afterCompleted: { log.add("after completed") },
            onSubscribe: { log.add("subscribe") }, onSubscribed: { log.add("subscribed") },
            onDispose: { log.add("dispose") })
    }

    @Test("do calls each function at its event")
    func completed() {
        let log = Record()
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onCompleted()
            return Disposables.create()
        }
        watched(source, log).subscribe { log.add($0) }.dispose()
        #expect(
            log.words == [
                "subscribe", "next 1", "next(1)", "after 1", "completed", "completed", "after completed",
                "subscribed", "dispose",
            ])
    }

    @Test("do calls onError before and afterError after the error is forwarded")
    func failed() {
        let log = Record()
        watched(.error(Failure.expected), log).subscribe { log.add($0) }.dispose()
        #expect(
            log.words == [
                "subscribe", "error expected", "error(expected)", "after expected", "subscribed", "dispose",
            ])
    }

    @Test("do calls onDispose once, after the disposal of the source")
    func disposed() {
        let log = Record()
        let source = Observable<Int>.create { _ in Disposables.create { log.add("source") } }
        let subscription = watched(source, log).subscribe { log.add($0) }
        subscription.dispose()
        subscription.dispose()
        #expect(log.words == ["subscribe", "subscribed", "source", "dispose"])
    }

    @Test("do disposes upstream operators first, on termination and on disposal")
    func disposalOrder() {
        for end: @Sendable (PublishSubject<Int>, any Disposable) -> Void in [
            { source, _ in source.onCompleted() }, { source, _ in source.onError(Failure.expected) },
            { _, subscription in subscription.dispose() },
        ] {
            let log = Record()
            let source = PublishSubject<Int>()
            let stream = source.do(onDispose: { log.add("above") }).map { $0 }.do(onDispose: { log.add("below") })
            end(source, stream.subscribe { _ in })
            #expect(log.words == ["above", "below"])
        }
    }

    @Test("do calls onDispose after onSubscribed for a synchronous stream")
    func synchronousDisposal() {
        let log = Record()
        let source = Observable.just(1)
            .do(onSubscribed: { log.add("above subscribed") }, onDispose: { log.add("above disposed") })
            .do(onSubscribed: { log.add("below subscribed") }, onDispose: { log.add("below disposed") })
        source.subscribe { _ in }.dispose()
        #expect(log.words == ["above subscribed", "above disposed", "below subscribed", "below disposed"])
    }

    @Test("do fails with the error that a function throws")
    func throwing() {
        let source = Observable.of(1, 2)
        let failing = Observable<Int>.error(Failure.other)
        expect(source.do(onNext: { if $0 == 2 { throw Failure.expected } }), "1 !expected")
        expect(source.do(afterNext: { if $0 == 2 { throw Failure.expected } }), "1 2 !expected")
        expect(source.do(onCompleted: { throw Failure.expected }), "1 2 !expected")
        expect(failing.do(onError: { _ in throw Failure.expected }), "!expected")
        expect(source.do(afterCompleted: { throw Failure.expected }), "1 2 |")
        expect(failing.do(afterError: { _ in throw Failure.expected }), "!other")
    }

    @Test("do disposes the source at the tick at which a function throws")
    func throwingTick() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3)])
        let result = scheduler.start { source.do(onNext: { if $0 == 2 { throw Failure.expected } }) }
        #expect(result.events == [.next(210, 1), .error(220, Failure.expected)])
        #expect(source.subscriptions == [Subscription(200, 220)])
    }

    @Test("do forwards events without functions")
    func nothing() { expect(Observable.of(1, 2).do(), "1 2 |") }

    @Test("debug forwards all events")
    func debug() {
        expect(Observable.of(1).debug("a stream"), "1 |")
        expect(Observable<Int>.error(Failure.expected).debug(trimOutput: true), "!expected")
    }
}
