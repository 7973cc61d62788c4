import Synchronization

/// One subscription after the other, as in `concat` and `retry`.
///
/// Each begins in a loop, never from within the end of the one before, so that 100,000 synchronous streams in a row
/// need no more stack than one. Nothing here depends on the type of the elements, so it is compiled once.
///
/// A `concat` whose last part turns out to be a `concat` itself, once that has been made by `deferred`, does not nest:
/// the inner one goes on in the succession of the outer one, as a call in tail position does in the frame of its caller.
/// So a stream of pages that ends with the stream of the next pages needs no more memory for 100,000 pages than for one.
/// See ``takeOver(_:)``.
///
/// `@unchecked Sendable`: mutable state is behind the lock; `begin` is called, and replaced, by one thread at a time.
@usableFromInline
final class Succession: DisposeBase, @unchecked Sendable {
    private struct State {
        var current: Chain?
        var isDisposed = false
    }

    private let state = Mutex(State())
    /// Begins the next subscription, or ends the stream below.
    @exclusivity(unchecked) private var begin: (Succession) -> Void
    /// How many subscriptions are still to be begun, the one being begun included.
    private let due = Atomic(0)
    /// The number of the part that was begun last.
    private let part = Atomic(0)
    /// The chain of the sink below, of a succession that has parts.
    private let downstream: Chain?

    /// Nothing is begun yet.
    @usableFromInline
    init(begin: @escaping (Succession) -> Void) {
        self.begin = begin
        downstream = nil
    }

    /// Attaches itself to `downstream`; nothing is begun yet.
    @usableFromInline
    init(into downstream: Chain, begin: @escaping (Succession) -> Void) {
        self.begin = begin
        self.downstream = downstream
        super.init()
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

// MARK: Parts

extension Succession {
    /// A part that no other follows, while it is being subscribed to.
    struct Tail {
        fileprivate let succession: Succession
        fileprivate let chain: Chain
    }

    /// The chain of the part that is being begun: its error is that of the stream below, its completion begins the next.
    ///
    /// A part that was taken over has been replaced by parts of its own. What shares its chain, such as a `take` below
    /// them, still ends it, and with it the stream below.
    @usableFromInline
    func makePart() -> Chain {
        let number = part.add(1, ordering: .relaxed).newValue
        return makeChain { [self] error in
            if error == nil, part.load(ordering: .relaxed) == number { advance() } else { finish(error) }
        }
    }

    /// Ends the stream below.
    @usableFromInline
    func finish(_ error: (any Error)?) {
        downstream?.finish(error)
    }

    /// Calls `subscribe`, which subscribes to the last part with that chain.
    @usableFromInline
    func subscribeToLast(_ chain: Chain, _ subscribe: () -> Void) {
        let trampoline = Trampoline.current
        let outer = trampoline.tail
        trampoline.tail = Tail(succession: self, chain: chain)
        subscribe()
        trampoline.tail = outer
    }

    /// Goes on with what `begin` begins in place of the last part, which is being subscribed to with that chain.
    ///
    /// - Returns: Whether the chain is that of a last part, so that its succession could be taken over.
    @usableFromInline
    static func takeOver(_ chain: Chain, _ begin: @escaping (Succession) -> Void) -> Bool {
        guard let tail = Trampoline.current.tail, tail.chain === chain else { return false }
        tail.succession.takeOver(begin)
        return true
    }

    /// Called from within the call of `begin` that subscribes to the last part.
    private func takeOver(_ begin: @escaping (Succession) -> Void) {
        part.add(1, ordering: .relaxed)
        // The chain of the part is not disposed: what shares it still passes errors on.
        let (taken, isDisposed) = state.withLock { ($0.current.take(), $0.isDisposed) }
        self.begin = begin
        if !isDisposed { begin(self) }
        withExtendedLifetime(taken) {}
    }
}
