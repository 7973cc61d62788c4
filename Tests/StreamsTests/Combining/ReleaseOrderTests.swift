import Streams
import StreamsTesting
import Synchronization
import TestConcurrency
import Testing

/// Streams that log when they open and close what they use. The stream with an index in `ends` terminates when the
/// subject there does.
final class LoggedStreams: Sendable {
    let log = Record()
    let ends = (0...3).map { _ in PublishSubject<Int>() }

    func open(_ number: Int) { log.add("open \(number)") }
    func close(_ number: Int) { log.add("close \(number)") }
}

@Suite("Release of a finished stream before the next one", .limitedConcurrency)
struct ReleaseOrderTests {
    /// How a stream uses its resource, and whether it terminates while it is being subscribed.
    struct Inner: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isSynchronous: Bool
        /// Creates the stream with a number, which ends by the given terminal event.
        let make: @Sendable (LoggedStreams, Int, (any Error)?) -> Observable<Int>

        static let all: [Inner] = [true, false].flatMap { isSynchronous -> [Inner] in
            let body = { @Sendable (streams: LoggedStreams, number: Int, error: (any Error)?) -> Observable<Int> in
                if !isSynchronous { return streams.ends[number] }
                return Observable.create { observer in
                    if let error { observer.onError(error) } else { observer.onCompleted() }
                    return Disposables.create()
                }
            }
            let suffix = isSynchronous ? ", synchronous" : ""
            return [
                Inner(testDescription: "create" + suffix, isSynchronous: isSynchronous) { streams, number, error in
                    Observable.create { observer in
                        streams.open(number)
                        let subscription = body(streams, number, error).subscribe(observer)
                        return Disposables.create {
                            subscription.dispose()
                            streams.close(number)
                        }
                    }
                },
                Inner(testDescription: "using" + suffix, isSynchronous: isSynchronous) { streams, number, error in
                    Observable.using(
                        {
                            streams.open(number)
                            return Closing { streams.close(number) }
                        }, observableFactory: { _ in body(streams, number, error) })
                },
                Inner(testDescription: "do(onDispose:)" + suffix, isSynchronous: isSynchronous) {
                    streams, number, error in
                    body(streams, number, error)
                        .do(onSubscribe: { streams.open(number) }, onDispose: { streams.close(number) })
                },
                Inner(testDescription: "do(afterCompleted:onDispose:)" + suffix, isSynchronous: isSynchronous) {
                    streams, number, error in
                    body(streams, number, error).do(
                        afterError: { _ in }, afterCompleted: {}, onSubscribe: { streams.open(number) },
                        onDispose: { streams.close(number) })
                },
                Inner(testDescription: "a chain of operators" + suffix, isSynchronous: isSynchronous) {
                    streams, number, error in
                    body(streams, number, error)
                        .do(onSubscribe: { streams.open(number) }, onDispose: { streams.close(number) })
                        .map { $0 }.takeLast(1).startWith(0).ifEmpty(default: 0).share(replay: 1)
                },
            ]
        }
    }

    private struct Closing: Disposable {
        let close: @Sendable () -> Void

        func dispose() { close() }
    }

    /// An operator that subscribes to the streams 1, 2 and 3 one after the other.
    struct Sequential: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The error by which each stream ends.
        var error: (any Error)?
        /// The terminal event of the result.
        var result = "completed"
        let join: @Sendable (@escaping @Sendable (Int) -> Observable<Int>) -> Observable<Int>

        static let all = [
            Sequential(testDescription: "concatMap") { inner in Observable.of(1, 2, 3).concatMap(inner) },
            Sequential(testDescription: "concatMap of a subject") { inner in
                let outer = ReplaySubject<Int>.createUnbounded()
                for number in 1...3 { outer.onNext(number) }
                outer.onCompleted()
                return outer.concatMap(inner)
            },
            Sequential(testDescription: "map and concat") { inner in Observable.of(1, 2, 3).map(inner).concat() },
            Sequential(testDescription: "merge(maxConcurrent: 1)") { inner in
                Observable.of(1, 2, 3).map(inner).merge(maxConcurrent: 1)
            },
            Sequential(testDescription: "concat of an array") { inner in Observable.concat([1, 2, 3].map(inner)) },
            Sequential(testDescription: "concat of a lazy sequence") { inner in
                Observable.concat(Made { (1...3).lazy.map(inner).makeIterator() })
            },
            Sequential(testDescription: "concat") { inner in inner(1).concat(inner(2)).concat(inner(3)) },
            Sequential(testDescription: "concat of deferred tails") { inner in
                inner(1).concat(Observable.deferred { inner(2).concat(Observable.deferred { inner(3) }) })
            },
            Sequential(testDescription: "andThen") { inner in
                inner(1).ignoreElements().asCompletable()
                    .andThen(inner(2).ignoreElements().asCompletable().andThen(inner(3)))
            },
            Sequential(testDescription: "ifEmpty(switchTo:)") { inner in
                inner(1).filter { _ in false }.ifEmpty(
                    switchTo: inner(2).filter { _ in false }.ifEmpty(switchTo: inner(3)))
            },
            Sequential(testDescription: "retry", error: Failure.expected, result: "error(expected)") { inner in
                attempts(inner).retry(3)
            },
            Sequential(testDescription: "catch of a sequence", error: Failure.expected, result: "error(expected)") {
                inner in Observable.catch(sequence: (1...3).map(inner))
            },
            Sequential(testDescription: "retry(when:)", error: Failure.expected, result: "error(other)") { inner in
                attempts(inner).retry(when: { (errors: Observable<any Error>) in
                    errors.enumerated().map { index, _ in if index == 2 { throw Failure.other } }
                })
            },
            Sequential(testDescription: "retry(when:) that completes", error: Failure.expected) { inner in
                attempts(inner).retry(when: { (errors: Observable<any Error>) in
                    errors.enumerated().take(while: { $0.index < 2 })
                })
            },
        ]

        private static func attempts(_ inner: @escaping @Sendable (Int) -> Observable<Int>) -> Observable<Int> {
            let number = Atomic(0)
            return .deferred { inner(number.add(1, ordering: .relaxed).newValue) }
        }
    }

    @Test(
        "a stream is released before the next one is subscribed and before the result ends",
        arguments: Sequential.all, Inner.all)
    func order(_ sequential: Sequential, _ inner: Inner) {
        let streams = LoggedStreams()
        let result = sequential.join { inner.make(streams, $0, sequential.error) }
        let subscription = result.subscribe { event in if event.isStopEvent { streams.log.add(event) } }
        if !inner.isSynchronous {
            for number in 1...3 { streams.ends[number].on(sequential.error.map { .error($0) } ?? .completed) }
        }
        subscription.dispose()

        #expect(
            streams.log.words
                == ["open 1", "close 1", "open 2", "close 2", "open 3", "close 3", sequential.result])
    }

    /// A `concat` whose other parts emit without a subscription.
    struct Single: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let join: @Sendable (Observable<Int>) -> Observable<Int>

        static let all = [
            Single(testDescription: "concat of one stream") { Observable.concat([$0]) },
            Single(testDescription: "concat after just") { Observable.just(0).concat($0) },
            Single(testDescription: "concat after empty") { Observable.empty().concat($0) },
            Single(testDescription: "concat of a lazy sequence") { stream in
                Observable.concat(Made { [Observable.just(0), stream].lazy.map { $0 }.makeIterator() })
            },
            Single(testDescription: "concat after just, before empty") { Observable.concat(.just(0), $0, .empty()) },
            Single(testDescription: "concat of a stream that starts with an element") {
                Observable.concat([.just(0), $0.startWith(0)])
            },
            Single(testDescription: "a concat that starts with an element") {
                Observable.just(0).concat($0).startWith(0).startWith(0)
            },
            Single(testDescription: "deferred tails after just") { stream in
                let last = Observable.deferred { Observable.just(0).concat(stream) }
                return Observable.just(0).concat(Observable.deferred { Observable.just(0).concat(last) })
            },
            Single(testDescription: "ifEmpty(switchTo:) after an element") {
                $0.startWith(0).ifEmpty(switchTo: .never())
            },
            Single(testDescription: "ifEmpty(switchTo:) after empty") { Observable.empty().ifEmpty(switchTo: $0) },
        ]
    }

    @Test(
        "the only stream of a concat that uses a resource is released before the result completes",
        arguments: Single.all, Inner.all)
    func single(_ single: Single, _ inner: Inner) {
        let streams = LoggedStreams()
        let subscription = single.join(inner.make(streams, 1, nil))
            .subscribe { event in if event.isStopEvent { streams.log.add(event) } }
        if !inner.isSynchronous { streams.ends[1].onCompleted() }
        subscription.dispose()
        #expect(streams.log.words == ["open 1", "close 1", "completed"])
    }

    @Test("merge(maxConcurrent:) keeps at most that many streams open", arguments: Inner.all)
    func concurrent(_ inner: Inner) {
        let streams = LoggedStreams()
        let result = Observable.of(0, 1, 2, 3).map { inner.make(streams, $0, nil) }.merge(maxConcurrent: 2)
        let subscription = result.subscribe { streams.log.add($0) }
        for number in [1, 0, 2, 3] where !inner.isSynchronous { streams.ends[number].onCompleted() }
        subscription.dispose()
        let order =
            inner.isSynchronous
            ? "open 0, close 0, open 1, close 1, open 2, close 2, open 3, close 3, completed"
            : "open 0, open 1, close 1, open 2, close 0, open 3, close 2, close 3, completed"
        #expect(streams.log.words.filter { !$0.hasPrefix("next") }.joined(separator: ", ") == order)
    }

    @Test(
        "flatMap, flatMapFirst and flatMapLatest release the last stream before the result completes",
        arguments: Inner.all)
    func last(_ inner: Inner) {
        for flatMap: @Sendable (Observable<Int>, @escaping @Sendable (Int) -> Observable<Int>) -> Observable<Int> in [
            { $0.flatMap($1) }, { $0.flatMapFirst($1) }, { $0.flatMapLatest($1) }, { $0.map($1).switchLatest() },
        ] {
            let streams = LoggedStreams()
            let outer = PublishSubject<Int>()
            let result = flatMap(outer) { inner.make(streams, $0, nil) }
            let subscription = result.subscribe { event in if event.isStopEvent { streams.log.add(event) } }
            outer.onNext(1)
            if !inner.isSynchronous { streams.ends[1].onCompleted() }
            outer.onNext(2)
            outer.onCompleted()
            if !inner.isSynchronous { streams.ends[2].onCompleted() }
            subscription.dispose()
            #expect(streams.log.words == ["open 1", "close 1", "open 2", "close 2", "completed"])
        }
    }

    @Test("flatMapLatest releases a failed stream before the result fails", arguments: Inner.all)
    func failed(_ inner: Inner) {
        let streams = LoggedStreams()
        let result = Observable.of(1).concat(Observable.never())
            .flatMapLatest { inner.make(streams, $0, Failure.expected) }
        let subscription = result.subscribe { event in if event.isStopEvent { streams.log.add(event) } }
        if !inner.isSynchronous { streams.ends[1].onError(Failure.expected) }
        subscription.dispose()
        // A stream that fails while it is being subscribed cannot be released before.
        #expect(Set(streams.log.words) == ["open 1", "close 1", "error(expected)"])
        if !inner.isSynchronous { #expect(streams.log.words == ["open 1", "close 1", "error(expected)"]) }
    }

    @Test("concatMap with an asynchronous function runs one at a time, and release does not cancel what follows")
    func asynchronous() async throws {
        let log = Record()
        let stream = Observable.of(1, 2, 3).concatMap { number async -> Int in
            log.add("open \(number)")
            await Task.yield()
            log.add("close \(number)")
            return number
        }
        let next = Observable<Int>.deferred { .just(Task.isCancelled ? -1 : 4) }
        let received = try await stream.concat(next).toArray().value
        #expect(received == [1, 2, 3, 4])
        #expect(log.words == ["open 1", "close 1", "open 2", "close 2", "open 3", "close 3"])
    }

    @Test(
        "a stream that another thread releases is released before the next one is subscribed",
        arguments: [true, false])
    func otherThread(_ isConcatMap: Bool) {
        let log = Record()
        let (isSubscribed, isClosing, hasReturned) = (Moment(), Moment(), Moment())
        let end = PublishSubject<Int>()
        let thread = onThread {
            isSubscribed.wait()
            end.onCompleted()
        }
        let first = Observable<Int>.create { observer in
            let subscription = end.subscribe(observer)
            return Disposables.create {
                subscription.dispose()
                isClosing.reach()
                hasReturned.wait()
                log.add("close 1")
            }
        }
        .do(onSubscribed: {
            isSubscribed.reach()
            isClosing.wait()  // the other thread releases the stream while this one is still subscribing to it
        })
        let second = Observable<Int>.deferred {
            log.add("open 2")
            return .empty()
        }
        let both = isConcatMap ? Observable.of(first, second).concatMap { $0 } : Observable.concat([first, second])
        let subscription = both.subscribe { log.add($0) }
        hasReturned.reach()
        thread()
        #expect(log.words == ["close 1", "open 2", "completed"])
        subscription.dispose()
    }

    @Test("retry(when:) releases an attempt that another thread fails before the trigger ends the result")
    func otherThreadFails() {
        let log = Record()
        let attempts = Observable<Int>.create { observer in
            log.add("open")
            onThread { observer.onError(Failure.expected) }()
            return Disposables.create { log.add("close") }
        }
        let subscription = attempts.retry(when: { (errors: Observable<any Error>) in errors.take(1) })
            .subscribe { log.add($0) }
        #expect(log.words == ["open", "close", "completed"])
        subscription.dispose()
    }
}
