extension ObservableType {
    /// The stream as it is, with functions that are called on its way.
    ///
    /// What `onNext`, `afterNext`, `onError`, `onCompleted` and the like throw becomes the error of the stream.
    ///
    /// ```swift
    /// Observable.of(1, 2).do(onNext: { print("about to send", $0) })    // 1 2 |
    /// ```
    ///
    /// - Parameters:
    ///   - onNext: Called with each element, before it is sent on.
    ///   - afterNext: Called with each element, after it was sent on.
    ///   - onError: Called with the error, before it is sent on.
    ///   - afterError: Called with the error, after it was sent on.
    ///   - onCompleted: Called before completion is sent on.
    ///   - afterCompleted: Called after completion was sent on.
    ///   - onSubscribe: Called before this stream is subscribed.
    ///   - onSubscribed: Called after this stream was subscribed.
    ///   - onDispose: Called once, after the subscription to this stream was disposed, be it because it ended; not
    ///     before `onSubscribed`, even if the stream ends on subscription.
    @inlinable
    @preconcurrency
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
        return Observable(run: { sink in
            #if DEBUG
                if onNext != nil || afterNext != nil || onCompleted != nil { SubscriptionWatch.noteSideEffect() }
            #endif
            onSubscribe?()
            let handled = sink.chain.withHandlers(
                onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onDispose: onDispose)
            let chain = handled?.chain ?? sink.chain
            let next = sink.next
            if onNext == nil, afterNext == nil {
                source.run(Sink(chain, next: next))
            } else {
                source.run(
                    Sink(chain) { element in
                        do {
                            try onNext?(element)
                            next(element)
                            try afterNext?(element)
                        } catch { sink.chain.fail(error) }
                    })
            }
            onSubscribed?()
            handled?.handler.release()
        })
    }
}
