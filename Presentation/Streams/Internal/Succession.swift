import Synchronization

/// One subscription after the other, as in `concat` and `retry`.
///
/// Each begins in a loop, never from within the end of the one before, so that 100,000 synchronous streams in a row
/// need no more stack than one. Nothing here depends on the type of the elements, so it is compiled once.
///
/// `@unchecked Sendable`: mutable state is behind the lock; `begin` is called by one thread at a time.
@usableFromInline
final class Succession: DisposeBase, @unchecked Sendable {
    private struct State {
        var current: Chain?
        var isDisposed = false
    }

    private let state = Mutex(State())
    /// Begins the next subscription, or ends the stream below.
    private let begin: (Succession) -> Void
    /// How many subscriptions are still to be begun, the one being begun included.
    private let due = Atomic(0)

    /// Nothing is begun yet.
    @usableFromInline
    init(begin: @escaping (Succession) -> Void) {
        self.begin = begin
    }

    /// Attaches itself to `downstream`; nothing is begun yet.
    @usableFromInline
    convenience init(into downstream: Chain, begin: @escaping (Succession) -> Void) {
        self.init(begin: begin)
        downstream.attach(self)
    }

    /// Begins the next subscription: at once, or when the call of `begin` that is under way has returned.
    @usableFromInline
    func advance() {
        if due.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue > 0 { return }
        repeat {
            let (before, isDisposed) = state.withLock { ($0.current.take(), $0.isDisposed) }
            before?.dispose()
            if !isDisposed { begin(self) }
        } while due.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }

    /// The chain of the subscription that is being begun.
    @usableFromInline
    func makeChain(end: @escaping ((any Error)?) -> Void) -> Chain {
        let chain = Chain(end: end)
        let isDisposed = state.withLock { state in
            if !state.isDisposed { state.current = chain }
            return state.isDisposed
        }
        if isDisposed { chain.dispose() }
        return chain
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
