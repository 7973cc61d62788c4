import Synchronization

/// Subscribes to streams one after the other, for `concat` and `retry`.
///
/// Subscriptions start in a loop, never from the termination handler of the previous one, so that 100,000 synchronous
/// streams in a row need no more stack than one. This class does not depend on the element type, so it is compiled
/// once.
///
/// If the last part of a `concat` is a `concat` that `deferred` creates, it does not nest: the inner one continues in
/// this object, as a tail call reuses the frame of its caller. So a stream of pages that ends with the stream of the
/// following pages needs no more memory for 100,000 pages than for one, and no more stack. See ``takeOver(_:)``.
///
/// `@unchecked Sendable`: mutable state is behind the lock of `current`, except `begin`. Only the thread that raised `pendingStarts`
/// from 0 accesses it, in the loop of `advance`; the read-modify-write operations on that counter order one such thread
/// after the other.
@usableFromInline
final class SequentialSubscriptions: DisposeBase, @unchecked Sendable {
    private let resource = Resources.Counted()
    private let current = ChainSlot()
    /// Starts the next subscription, or terminates the downstream.
    @exclusivity(unchecked) private var begin: (SequentialSubscriptions) -> Void
    /// Handles the termination of a subscription; `nil` if an error terminates the downstream, and completion starts the
    /// next subscription.
    private let ended: ((SequentialSubscriptions, (any Error)?) -> Void)?
    /// The number of subscriptions that are still to be started, including the one that is being started.
    private let pendingStarts = Atomic(0)
    /// The chain of the downstream sink, if there are parts.
    private let downstream: Chain?

    /// Creates an object that has not started a subscription.
    @usableFromInline
    init(
        ended: ((SequentialSubscriptions, (any Error)?) -> Void)? = nil,
        begin: @escaping (SequentialSubscriptions) -> Void
    ) {
        self.ended = ended
        self.begin = begin
        downstream = nil
    }

    /// Creates an object that has not started a subscription, and attaches it to `downstream`.
    @usableFromInline
    init(
        into downstream: Chain, ended: ((SequentialSubscriptions, (any Error)?) -> Void)? = nil,
        begin: @escaping (SequentialSubscriptions) -> Void
    ) {
        self.ended = ended
        self.begin = begin
        self.downstream = downstream
        downstream.attach(self)
    }

    /// Releases the current subscription and starts the next one: immediately, or after the current call of `begin` has
    /// returned.
    @usableFromInline
    func advance() {
        release()  // first: another thread may be in the loop, and must not begin before this has returned
        if pendingStarts.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue > 0 { return }
        repeat {
            if !current.isDisposed { begin(self) }
        } while pendingStarts.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue > 0
    }

    /// Releases the current subscription, which has terminated.
    @usableFromInline
    func release() { current.take()?.dispose() }

    /// Creates the chain of the subscription that is being started.
    @usableFromInline
    func makeChain() -> Chain {
        let chain = SourceChain(of: self)
        current.set(chain)
        return chain
    }

    private func sourceEnded(_ error: (any Error)?) {
        if let ended { ended(self, error) } else if let error { finish(error) } else { advance() }
    }

    @usableFromInline
    func dispose() { current.dispose() }

    /// The chain of a subscription. It and the object retain each other until the subscription ends or is disposed.
    private final class SourceChain: Chain, @unchecked Sendable {
        // `@unchecked Sendable`: restates its superclass; the property it adds is a `let` of a `Sendable` type.

        private let owner: SequentialSubscriptions

        init(of owner: SequentialSubscriptions) {
            self.owner = owner
            super.init()
        }

        override func ended(_ error: (any Error)?) { owner.sourceEnded(error) }
    }
}

// MARK: Parts

extension SequentialSubscriptions {
    /// The last part, while it is being subscribed.
    struct TailCall {
        fileprivate let subscriptions: SequentialSubscriptions
        fileprivate let chain: PartChain
    }

    /// Creates the chain of the part that is being started: its error fails the downstream, its completion starts the
    /// next part.
    ///
    /// A part that was taken over is replaced by its own parts. An operator that shares its chain, such as a `take`
    /// downstream of them, can still terminate it, and with it the downstream.
    func makePart() -> PartChain {
        let chain = PartChain(of: self, downstream)
        current.set(chain)
        return chain
    }

    /// The chain of a part.
    ///
    /// `@unchecked Sendable`: `subscriptions` changes while the part is being subscribed, before its source is;
    /// afterwards only the thread that ends the chain reads it.
    final class PartChain: Chain, @unchecked Sendable {
        /// `nil` once the part is taken over: then `begin` can retain this, through operators that share this chain.
        @exclusivity(unchecked) fileprivate var subscriptions: SequentialSubscriptions?
        private let downstream: Chain?

        fileprivate init(of subscriptions: SequentialSubscriptions, _ downstream: Chain?) {
            self.subscriptions = subscriptions
            self.downstream = downstream
            super.init()
        }

        override func ended(_ error: (any Error)?) {
            if error == nil, let subscriptions { subscriptions.advance() } else { downstream?.finish(error) }
        }
    }

    @usableFromInline
    func finish(_ error: (any Error)?) { downstream?.finish(error) }

    /// Calls `subscribe`, which subscribes to the last part with `chain`.
    func subscribeToLast(_ chain: PartChain, _ subscribe: () -> Void) {
        let trampoline = Trampoline.current
        let outer = trampoline.tailCall
        trampoline.tailCall = TailCall(subscriptions: self, chain: chain)
        subscribe()
        trampoline.tailCall = outer
    }

    /// Replaces the last part, which is being subscribed with `chain`, by the subscriptions that `begin` starts.
    ///
    /// - Returns: Whether the replacement took place, which requires that `chain` belongs to a last part.
    @usableFromInline
    static func takeOver(_ chain: Chain, _ begin: @escaping (SequentialSubscriptions) -> Void) -> Bool {
        guard let tailCall = Trampoline.current.tailCall, tailCall.chain === chain else { return false }
        tailCall.chain.subscriptions = nil
        tailCall.subscriptions.takeOver(begin)
        return true
    }

    /// Called inside the call of `begin` that subscribes to the last part; the loop of `advance` calls the new one next.
    private func takeOver(_ begin: @escaping (SequentialSubscriptions) -> Void) {
        // The chain of the part is not disposed: operators that share it still forward errors.
        let taken = current.take()
        self.begin = begin
        pendingStarts.wrappingAdd(1, ordering: .relaxed)  // this thread is in the loop
        withExtendedLifetime(taken) {}
    }
}
