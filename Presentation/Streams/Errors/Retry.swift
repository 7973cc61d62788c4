extension ObservableType {
    /// Subscribes to this stream again whenever it fails, without a limit.
    ///
    /// Attempts that fail synchronously do not grow the stack, but a stream that always fails synchronously blocks the
    /// thread forever.
    ///
    /// ```swift
    /// // request:  1 at 1 s, RxError.timeout at 2 s
    /// request.retry()    // 1 at 1 s, 1 at 3 s, 1 at 5 s …
    /// ```
    public func retry() -> Observable<Element> { retry(.max) }

    /// Subscribes to this stream again whenever it fails, with at most `maxAttemptCount` subscriptions in total. Fails
    /// with the error of the last attempt.
    ///
    /// ```swift
    /// // request:  1 at 1 s, RxError.timeout at 2 s
    /// request.retry(2)    // 1 at 1 s, 1 at 3 s, RxError.timeout at 4 s
    /// ```
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        precondition(maxAttemptCount >= 0, "retry(_:) requires a count that is not negative")
        let source = asObservable()
        return Observable(connect: { sink in
            let chain = sink.chain
            let state = SubscriptionState((remaining: maxAttemptCount, lastError: nil as (any Error)?))
            let attempts = SequentialSubscriptions(into: chain) { attempts, error in
                guard let error else { return chain.complete() }
                state.value.lastError = error
                attempts.advance()
            } begin: { attempts in
                guard state.value.remaining > 0 else { return chain.finish(state.value.lastError) }
                state.value.remaining -= 1
                source.subscribe(sink.with(attempts.makeChain()))
            }
            attempts.advance()
        })
    }

    /// Subscribes to the streams one after the other, each when the previous one has failed, until one completes. If
    /// all fail, fails with the last error.
    ///
    /// The next stream is requested only then, so the sequence can be lazy or infinite.
    ///
    /// ```swift
    /// Observable.catch(sequence: [.error(RxError.timeout), .just(2), .just(3)])    // 2 |
    /// ```
    @inlinable @preconcurrency
    public static func `catch`<Sequence: Swift.Sequence & Sendable>(sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Observable<Element> {
        Observable(connect: { sink in
            let chain = sink.chain
            let streams = SubscriptionState(sequence.makeIterator())
            let lastError = SubscriptionState<(any Error)?>(nil)
            let attempts = SequentialSubscriptions(into: chain) { attempts, error in
                guard let error else { return chain.complete() }
                lastError.value = error
                attempts.advance()
            } begin: { attempts in
                guard let stream = streams.value.next() else { return chain.finish(lastError.value) }
                stream.subscribe(sink.with(attempts.makeChain()))
            }
            attempts.advance()
        })
    }
}

extension ObservableType {
    /// Subscribes to this stream again after an error, when the stream that `notificationHandler` creates from the
    /// errors emits an element.
    ///
    /// If that stream completes or fails, so does the result. An error of this stream that is not a `Failure` fails the
    /// result immediately.
    ///
    /// If that stream ends with an element, as `errors.take(2)` does, the element starts a last attempt: the third one
    /// here. If the attempt before failed while it was being subscribed, the end comes first, so that there are two.
    ///
    /// ```swift
    /// // request:  1 at 1 s, RxError.timeout at 2 s
    /// request.retry(when: { (errors: Observable<RxError>) in errors.take(1) })    // 1 at 1 s, 1 at 3 s, | at 4 s
    /// ```
    @preconcurrency
    public func retry<TriggerObservable: ObservableType, Failure: Error>(
        when notificationHandler: @escaping @Sendable (Observable<Failure>) -> TriggerObservable
    ) -> Observable<Element> { retrying(notificationHandler) }

    /// Subscribes to this stream again after an error, when the stream that `notificationHandler` creates from the
    /// errors emits an element. If that stream completes or fails, so does the result.
    ///
    /// ```swift
    /// // request:  1 at 1 s, RxError.timeout at 2 s
    /// request.retry(when: { errors in errors.delay(.seconds(1), scheduler: scheduler) })    // 1 at 1 s, 1 at 4 s …
    /// ```
    @preconcurrency
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<any Error>) -> TriggerObservable
    ) -> Observable<Element> { retrying(notificationHandler) }

    private func retrying<Trigger: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping @Sendable (Observable<Failure>) -> Trigger
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let chain = sink.chain
            let errors = PublishSubject<Failure>()
            let pause = RetryPause(of: chain)
            let attempts = SequentialSubscriptions { attempts, error in
                guard let error else { return chain.complete() }
                guard let failure = error as? Failure else { return chain.fail(error) }
                attempts.release()
                pause.begin(of: attempts) { errors.onNext(failure) }
            } begin: { attempts in
                pause.attemptBegins()
                source.subscribe(sink.with(attempts.makeChain()))
                pause.attemptHasBegun()
            }
            let upstreams = Upstreams(of: chain)
            upstreams.add(attempts)
            let trigger = Chain { pause.terminate($0) }
            upstreams.add(trigger)
            notificationHandler(errors).asObservable()
                .subscribe(Sink(trigger) { _ in if pause.requestAttempt() { attempts.advance() } })
            attempts.advance()
        })
    }
}

/// The state between a failed attempt and the next one, in which an element of the trigger starts a new attempt and
/// its termination terminates the stream.
///
/// The pause lasts until the next attempt begins. If an attempt fails while it is being subscribed, the next one begins
/// when the trigger has received the error and the subscription has returned. So a trigger that emits its last element and
/// completes, as `take(1)` does, terminates the stream before, but not before the failed attempt is released.
private final class RetryPause: Sendable {
    private struct State {
        var isSubscribing = false
        var isPaused = false
        var isAttemptRequested = false
        /// Whether the trigger is receiving the error of an attempt that failed while it was being subscribed.
        var isTriggerReceiving = false
        /// The terminal event of the trigger, which terminates the stream at the next pause.
        var end: (any Error)??

        /// The terminal event, if the stream terminates now.
        var dueEnd: (any Error)?? { isPaused && !isSubscribing ? end : nil }
    }

    private let state = Mutex(State())
    /// Serialises the errors: the trigger can start an attempt while it receives one, and the attempt can fail meanwhile.
    private let gate = Gate()
    private let downstream: Chain

    init(of downstream: Chain) { self.downstream = downstream }

    /// Starts a pause after a failed attempt: sends the error to the trigger, or terminates the stream if the trigger has
    /// terminated.
    func begin(of attempts: SequentialSubscriptions, sendError: @escaping () -> Void) {
        let isFree = gate.enter()
        let (isSent, isSubscribing) = change { state in
            state.isPaused = true
            if isFree { state.isTriggerReceiving = state.isSubscribing }
            return (state.end == nil, state.isSubscribing)
        }
        if isFree {
            if isSent { send(sendError, of: attempts) }
            gate.leave()
        } else if isSent {
            gate.pass { [self] in
                change { $0.isTriggerReceiving = isSubscribing }
                send(sendError, of: attempts)
            }
        }
    }

    /// Sends an error, and starts the attempt that the trigger requested while it received the error.
    private func send(_ sendError: () -> Void, of attempts: SequentialSubscriptions) {
        sendError()
        let isAttemptDue = change { state in
            guard state.isTriggerReceiving else { return false }
            state.isTriggerReceiving = false
            return state.isAttemptRequested && state.end == nil
        }
        if isAttemptDue { attempts.advance() }
    }

    /// Handles an element of the trigger.
    ///
    /// - Returns: Whether another attempt must start now.
    func requestAttempt() -> Bool {
        change { state in
            guard state.isPaused, !state.isAttemptRequested else { return false }
            state.isAttemptRequested = true
            return !state.isTriggerReceiving
        }
    }

    func attemptBegins() {
        change { ($0.isSubscribing, $0.isPaused, $0.isAttemptRequested) = (true, false, false) }
    }

    /// Terminates the stream if the attempt has failed and the trigger has terminated meanwhile.
    func attemptHasBegun() { change { $0.isSubscribing = false } }

    /// Handles the termination of the trigger.
    func terminate(_ error: (any Error)?) { change { $0.end = .some(error) } }

    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, end) = state.withLock { state in (body(&state), state.dueEnd) }
        if let end { downstream.finish(end) }
        return result
    }
}
