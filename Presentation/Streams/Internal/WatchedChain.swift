extension Chain {
    /// A chain above this one that calls these functions at its end; this one itself if there are none.
    @usableFromInline
    func watched(
        onError: (@Sendable (any Error) throws -> Void)?, afterError: (@Sendable (any Error) throws -> Void)?,
        onCompleted: (@Sendable () throws -> Void)?, afterCompleted: (@Sendable () throws -> Void)?,
        onDispose: (@Sendable () -> Void)?
    ) -> Chain {
        if onError == nil, afterError == nil, onCompleted == nil, afterCompleted == nil, onDispose == nil {
            return self
        }
        let watched = WatchedChain(onDispose)
        let chain = Chain { [self] error in
            watched.beginEnding()
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
            watched.finishEnding()
        }
        watched.set(chain)
        attach(watched)
        return chain
    }
}

/// Disposes a chain and then calls a function, once; if the chain is ending at the time, only after that.
private final class WatchedChain: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct State {
        var onDispose: (@Sendable () -> Void)?
        var isEnding = false
        var isDisposed = false
        var chain: Chain?
    }

    private let state: Mutex<State>

    init(_ onDispose: (@Sendable () -> Void)?) {
        state = Mutex(State(onDispose: onDispose))
    }

    /// Takes the chain.
    func set(_ chain: Chain) {
        state.withLock { $0.chain = chain }
    }

    func beginEnding() {
        state.withLock { $0.isEnding = true }
    }

    func finishEnding() {
        let onDispose = state.withLock { state in
            state.isEnding = false
            return state.isDisposed ? state.onDispose.take() : nil
        }
        onDispose?()
    }

    override func dispose() {
        let (chain, onDispose) = state.withLock { state in
            state.isDisposed = true
            return (state.chain.take(), state.isEnding ? nil : state.onDispose.take())
        }
        chain?.dispose()
        onDispose?()
    }
}
