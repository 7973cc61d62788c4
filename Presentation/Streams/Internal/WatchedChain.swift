/// Disposes a chain and then calls a function, once; if the chain is ending at the time, only after that.
@usableFromInline
final class WatchedChain: DisposeBase, @unchecked Sendable {
    private struct State {
        var onDispose: (@Sendable () -> Void)?
        var isEnding = false
        var isDisposed = false
        var chain: Chain?
    }

    private let state: Mutex<State>

    @usableFromInline
    init(_ onDispose: (@Sendable () -> Void)?) {
        state = Mutex(State(onDispose: onDispose))
    }

    /// Takes the chain.
    @usableFromInline
    func set(_ chain: Chain) {
        state.withLock { $0.chain = chain }
    }

    @usableFromInline
    func beginEnding() {
        state.withLock { $0.isEnding = true }
    }

    @usableFromInline
    func finishEnding() {
        let onDispose = state.withLock { state in
            state.isEnding = false
            return state.isDisposed ? state.onDispose.take() : nil
        }
        onDispose?()
    }

    @usableFromInline
    override func dispose() {
        let (chain, onDispose) = state.withLock { state in
            state.isDisposed = true
            return (state.chain.take(), state.isEnding ? nil : state.onDispose.take())
        }
        chain?.dispose()
        onDispose?()
    }
}
