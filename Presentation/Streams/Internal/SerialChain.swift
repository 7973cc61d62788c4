/// Holds the chain of the source that is being listened to, where one source takes over when another has ended.
@usableFromInline
final class SerialChain: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct State {
        var current: Chain?
        var isDisposed = false
    }

    private let state = Mutex(State())

    /// Attaches itself to `downstream`.
    @usableFromInline
    init(into downstream: Chain) {
        super.init()
        downstream.attach(self)
    }

    /// Takes the chain of the next source, before that is subscribed.
    @usableFromInline
    func set(_ chain: Chain) {
        let isDisposed = state.withLock { state in
            if !state.isDisposed { state.current = chain }
            return state.isDisposed
        }
        if isDisposed { chain.dispose() }
    }

    @usableFromInline
    override func dispose() {
        let current = state.withLock { state in
            state.isDisposed = true
            return state.current.take()
        }
        current?.dispose()
    }
}
