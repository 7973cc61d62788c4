extension ObservableType {
    /// Calls functions at the events of this stream, and forwards the events unchanged.
    ///
    /// The result fails with an error that `onNext`, `afterNext`, `onError` or `onCompleted` throws. An error that
    /// `afterError` or `afterCompleted` throws is dropped: the result has terminated already.
    ///
    /// ```swift
    /// Observable.of(1, 2).do(onNext: { print("about to send", $0) })    // 1 2 |
    /// ```
    ///
    /// - Parameters:
    ///   - onNext: Called with each element before it is forwarded.
    ///   - afterNext: Called with each element after it was forwarded.
    ///   - onError: Called with the error before it is forwarded.
    ///   - afterError: Called with the error after it was forwarded.
    ///   - onCompleted: Called before completion is forwarded.
    ///   - afterCompleted: Called after completion was forwarded.
    ///   - onSubscribe: Called before the subscription to this stream.
    ///   - onSubscribed: Called after the subscription to this stream.
    ///   - onDispose: Called once, after the subscription to this stream was disposed, also on termination; never
    ///     before `onSubscribed`, even if the stream terminates on subscription.
    @inlinable @preconcurrency
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil,
        afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Observable<Element> {
        let source = asObservable()
        if onNext == nil, afterNext == nil {
            return source.handling(
                nil, onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose)
        }
        return source.handling(
            { next, chain in
                { element in
                    do {
                        try onNext?(element)
                        next(element)
                        try afterNext?(element)
                    } catch { chain.fail(error) }
                }
            }, onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
            onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose)
    }
}

extension Observable {
    /// Creates the stream of `do`.
    ///
    /// - Parameter handle: Returns the function for the elements of one subscription, created where their type is known.
    @usableFromInline
    func handling(
        _ handle: (@Sendable (_ next: @escaping (Element) -> Void, Chain) -> (Element) -> Void)?,
        onError: (@Sendable (any Error) throws -> Void)?, afterError: (@Sendable (any Error) throws -> Void)?,
        onCompleted: (@Sendable () throws -> Void)?, afterCompleted: (@Sendable () throws -> Void)?,
        onSubscribe: (@Sendable () -> Void)?, onSubscribed: (@Sendable () -> Void)?,
        onDispose: (@Sendable () -> Void)?, name: StaticString = #function
    ) -> Observable {
        Observable(
            connect: { [self] sink in
                #if DEBUG
                if handle != nil || onCompleted != nil { SubscriptionLog.countSideEffect() }
                #endif
                onSubscribe?()
                let handled = sink.chain.withHandlers(
                    onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                    onDispose: onDispose)
                let chain = handled?.chain ?? sink.chain
                if let handle {
                    // An error that a function throws has been handled: it fails the downstream.
                    connect(Sink(chain, next: handle(sink.next, sink.chain)))
                } else {
                    connect(sink.with(chain))
                }
                onSubscribed?()
                handled?.handler.endConnecting()
            }, name: name)
    }
}
