/// Holds the chain of the current source, for operators that replace one source by the next.
@usableFromInline
final class SerialChain: DisposeBase {
    private let resource = Resources.Counted()
    private struct State {
        var current: Chain?
        var isDisposed = false
    }

    private let state = Mutex(State())

    /// Creates an empty holder and attaches it to `downstream`.
    @usableFromInline
    init(into downstream: Chain) {
        downstream.attach(self)
    }

    /// Stores the chain of the next source. Called before that source is subscribed.
    @usableFromInline
    func set(_ chain: Chain) {
        let isDisposed = state.withLock { state in
            if !state.isDisposed { state.current = chain }
            return state.isDisposed
        }
        if isDisposed { chain.dispose() }
    }

    @usableFromInline
    func dispose() {
        let current = state.withLock { state in
            state.isDisposed = true
            return state.current.take()
        }
        current?.dispose()
    }
}
