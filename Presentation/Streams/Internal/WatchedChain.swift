extension Chain {
    /// A chain above this one that calls these functions at its end, held until ``WatchedChain/release()`` says that
    /// it is connected; `nil` if there are no functions.
    @usableFromInline
    func watched(
        onError: (@Sendable (any Error) throws -> Void)?, afterError: (@Sendable (any Error) throws -> Void)?,
        onCompleted: (@Sendable () throws -> Void)?, afterCompleted: (@Sendable () throws -> Void)?,
        onDispose: (@Sendable () -> Void)?
    ) -> (chain: Chain, watched: WatchedChain)? {
        if onError == nil, afterError == nil, onCompleted == nil, afterCompleted == nil, onDispose == nil {
            return nil
        }
        let watched = WatchedChain(onDispose)
        let chain = Chain { [self] error in
            let isHeld = error == nil ? afterCompleted != nil : afterError != nil
            if isHeld { watched.hold() }
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
            if isHeld { watched.release() }
        }
        watched.set(chain)
        attach(watched)
        return (chain, watched)
    }
}

/// Disposes a chain and then calls a function, once; while it is held, only after that.
@usableFromInline
final class WatchedChain: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct State {
        var onDispose: (@Sendable () -> Void)?
        /// How many hold the function back; at first, whoever connects the chain.
        var holds = 1
        var isDisposed = false
        var chain: Chain?

        /// The function, when its time has come.
        mutating func takeDue() -> (@Sendable () -> Void)? {
            isDisposed && holds == 0 ? onDispose.take() : nil
        }
    }

    private let state: Mutex<State>

    fileprivate init(_ onDispose: (@Sendable () -> Void)?) {
        state = Mutex(State(onDispose: onDispose))
    }

    /// Takes the chain.
    fileprivate func set(_ chain: Chain) {
        state.withLock { $0.chain = chain }
    }

    fileprivate func hold() {
        state.withLock { $0.holds += 1 }
    }

    /// Lets the function go that was held back.
    @usableFromInline
    func release() {
        let onDispose = state.withLock { state in
            state.holds -= 1
            return state.takeDue()
        }
        onDispose?()
    }

    @usableFromInline
    override func dispose() {
        let chain = state.withLock { state in
            state.isDisposed = true
            return state.chain.take()
        }
        chain?.dispose()
        let onDispose = state.withLock { $0.takeDue() }
        onDispose?()
    }
}
