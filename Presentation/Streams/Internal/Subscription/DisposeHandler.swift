extension Chain {
    /// Creates a chain upstream of this one that calls these functions on termination, and the handler that calls
    /// `onDispose`. The caller calls ``DisposeHandler/endConnecting()`` when the chain is connected.
    ///
    /// - Returns: `nil` if there are no functions.
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
            do {
                if let error { try onError?(error) } else { try onCompleted?() }
            } catch { return fail(error) }
            finish(error) {
                // An error that is thrown here has no observer: the stream has terminated.
                if let error { try? afterError?(error) } else { try? afterCompleted?() }
            }
        }
        handler.set(chain)
        attach(handler)
        return (chain, handler)
    }
}

/// Disposes a chain and then calls a function, once, but not before the chain is connected.
final class DisposeHandler: DisposeBase {
    private let resource = Resources.Counted()
    private struct State {
        var onDispose: (@Sendable () -> Void)?
        var isConnected = false
        var isDisposed = false
        var chain: Chain?

        /// Removes and returns the function if it is due.
        mutating func takeDue() -> (@Sendable () -> Void)? {
            isDisposed && isConnected ? onDispose.take() : nil
        }
    }

    private let state: Mutex<State>

    fileprivate init(_ onDispose: (@Sendable () -> Void)?) {
        state = Mutex(State(onDispose: onDispose))
    }

    fileprivate func set(_ chain: Chain) { state.withLock { $0.chain = chain } }

    /// Calls the function if the chain was disposed while it was being connected.
    func endConnecting() {
        let onDispose = state.withLock { state in
            state.isConnected = true
            return state.takeDue()
        }
        onDispose?()
    }

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
