extension Chain {
    /// Creates a chain upstream of this one that calls these functions on termination, and the handler that calls
    /// `onDispose`. The caller calls ``DisposeHandler/release()`` when the chain is connected.
    ///
    /// - Returns: `nil` if there are no functions.
    @usableFromInline
    func withHandlers(
        onError: (@Sendable (any Error) throws -> Void)?, afterError: (@Sendable (any Error) throws -> Void)?,
        onCompleted: (@Sendable () throws -> Void)?, afterCompleted: (@Sendable () throws -> Void)?,
        onDispose: (@Sendable () -> Void)?
    ) -> (chain: Chain, handler: DisposeHandler)? {
        if onError == nil, afterError == nil, onCompleted == nil, afterCompleted == nil, onDispose == nil {
            return nil
        }
        let handler = DisposeHandler(onDispose)
        let chain = Chain { [self] error in
            let isHeld = error == nil ? afterCompleted != nil : afterError != nil
            if isHeld { handler.hold() }
            do {
                if let error {
                    try onError?(error)
                    fail(error)
                    try afterError?(error)
                } else {
                    try onCompleted?()
                    complete()
                    try afterCompleted?()
                }
            } catch { fail(error) }
            if isHeld { handler.release() }
        }
        handler.set(chain)
        attach(handler)
        return (chain, handler)
    }
}

/// Disposes a chain and then calls a function, once. While it is on hold, the call is postponed.
@usableFromInline
final class DisposeHandler: DisposeBase {
    private let resource = Resources.Counted()
    private struct State {
        var onDispose: (@Sendable () -> Void)?
        /// The number of holds that postpone the call. The caller that connects the chain has the first one.
        var holds = 1
        var isDisposed = false
        var chain: Chain?

        /// Removes and returns the function if it is due.
        mutating func takeDue() -> (@Sendable () -> Void)? {
            isDisposed && holds == 0 ? onDispose.take() : nil
        }
    }

    private let state: Mutex<State>

    fileprivate init(_ onDispose: (@Sendable () -> Void)?) {
        state = Mutex(State(onDispose: onDispose))
    }

    /// Stores the chain.
    fileprivate func set(_ chain: Chain) {
        state.withLock { $0.chain = chain }
    }

    fileprivate func hold() {
        state.withLock { $0.holds += 1 }
    }

    /// Ends a hold, and calls the function if it is due.
    @usableFromInline
    func release() {
        let onDispose = state.withLock { state in
            state.holds -= 1
            return state.takeDue()
        }
        onDispose?()
    }

    @usableFromInline
    func dispose() {
        let chain = state.withLock { state in
            state.isDisposed = true
            return state.chain.take()
        }
        chain?.dispose()
        let onDispose = state.withLock { $0.takeDue() }
        onDispose?()
    }
}
