public import Synchronization

/// The state of a shared stream: its current subscription to the source, if it has observers.
@usableFromInline
final class ShareState: SourceTurns, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; the property it adds is a `let` of a `Sendable` type.

    @usableFromInline let current = Mutex<SharedSubscription?>(nil)

    /// Adds an observer to the current subscription, or creates a subscription with its first observer.
    ///
    /// - Returns: The subscription, which the caller connects to the source, or the multicast to which it adds a later
    ///   observer.
    @usableFromInline
    func join(
        _ node: AnyNode, _ makeSubscription: () -> SharedSubscription
    ) -> (SharedSubscription, Multicast?) {
        let (shared, multicast) = current.withLock { current -> (SharedSubscription, Multicast?) in
            if let current {
                node.owner = current
                return (current, current.addObserver())
            }
            let shared = makeSubscription()
            node.owner = shared
            shared.first = .passRetained(node)
            shared.turn = enterAlone()
            current = shared
            return (shared, nil)
        }
        if multicast == nil { shared.attach(first: node) }
        return (shared, multicast)
    }
}

/// One subscription to the source of a shared stream: the chain of the source, and the observers.
///
/// Most shared streams have one observer at a time: the first one, which receives the elements directly. A second one
/// makes the subscription broadcast, through a ``Multicast`` that lists the first one.
///
/// The source sends its events one at a time (see ``Sink``): without a multicast no event is enqueued, and a delivery to
/// the first observer ends before the multicast sends.
///
/// `@unchecked Sendable`: the lock of the share state guards `count`, and changes of `multicast`. `turn` changes under that
/// lock, and when it is not `waiting` no more; until then, the creating thread may read it without. `first` is set before
/// another thread can reach the subscription. It is released by the thread that makes `delivery` changing, under that
/// lock, or by the delivering thread if that thread finds work at the end of its delivery: only deliveries read it
/// without the lock, and none begins afterwards.
@usableFromInline
class SharedSubscription: Chain, NodeOwner, @unchecked Sendable {
    @usableFromInline final let share: ShareState
    /// Created for the second observer.
    @usableFromInline final let multicast = Atomic<Unmanaged<Multicast>?>(nil)
    /// The first observer, as long as it is the only one.
    @exclusivity(unchecked) @usableFromInline final var first: Unmanaged<AnyNode>?
    /// Idle or draining while the first observer is the only one; neither any more after that.
    @usableFromInline final let delivery = DrainState()
    /// The number of observers that have not unsubscribed.
    @exclusivity(unchecked) private final var count = 1
    /// How the creating thread has found the source; `waiting` until the connection is being made.
    @exclusivity(unchecked) @usableFromInline final var turn = SourceTurns.Turn.waiting

    @usableFromInline
    init(of share: ShareState) {
        self.share = share
        super.init()
    }

    deinit {
        first?.release()
        multicast.load(ordering: .acquiring)?.release()
    }

    /// Whether the creating thread connects the source now.
    @inlinable
    final var connectsNow: Bool { turn != .waiting }

    /// Ends the connecting of the source, by the creating thread.
    @usableFromInline
    final func endConnecting() { if turn == .entered { share.leave() } }

    /// Calls `connect`, which connects the source, when no other thread is at the source.
    ///
    /// - Parameter observer: The chain of the first observer.
    @usableFromInline
    final func connectLater(below observer: Chain, _ connect: @escaping @Sendable () -> Void) {
        share.wait(self) { [self] in
            let isNeeded = share.current.withLock { current in
                if current === self { turn = .nested }
                return current === self
            }
            if !isNeeded { return }
            #if DEBUG
            let outer = SubscriptionRegistry.enter(observer)
            defer { SubscriptionRegistry.end(outer) }
            #endif
            connect()
        }
    }

    @inlinable
    final func send<Element>(_ element: Element) {
        if let multicast = multicast.load(ordering: .acquiring) {
            multicast._withUnsafeGuaranteedRef { $0.send(element) }
        } else if delivery.begin() {
            deliver(element)
        } else {
            currentMulticast?.send(element)
        }
    }

    @inlinable
    final func send<Store: ElementStore>(_ element: Store.Element, storingIn store: Store) {
        if let multicast = multicast.load(ordering: .acquiring) {
            return multicast._withUnsafeGuaranteedRef { $0.send(element, storingIn: store) }
        }
        var evicted: Store.Element?  // released after the lock
        let hasOneObserver = share.current.withLock { _ in
            guard first != nil else { return false }
            evicted = store.store(element)
            delivery.continueDraining()
            return true
        }
        if hasOneObserver { deliver(element) } else { currentMulticast?.send(element, storingIn: store) }
        withExtendedLifetime(evicted) {}
    }

    /// Delivers an element to the first observer.
    @inlinable
    final func deliver<Element>(_ element: Element) {
        first.unsafelyUnwrapped._withUnsafeGuaranteedRef { node in
            if node.chain.isLive { unsafeDowncast(node, to: Node<Element>.self).next(element) }
        }
        if !delivery.end() { endFirstDelivery() }
    }

    /// Releases the first observer, which was removed or listed by a multicast during the delivery.
    @usableFromInline
    final func endFirstDelivery() { share.current.withLock { _ in first.take() }?.release() }

    @usableFromInline
    final var currentMulticast: Multicast? {
        share.current.withLock { _ in multicast.load(ordering: .relaxed)?.takeUnretainedValue() }
    }

    /// Ends the role of the first observer as the only one. A thread that is delivering to it releases it later. Called
    /// under the lock of the share state.
    private final func endDirectDelivery() {
        if !delivery.isDraining(elseBecome: DrainState.changing) { first.take()?.release() }
    }

    fileprivate final func attach(first node: AnyNode) {
        node.chain.attach(node)
        #if DEBUG
        SubscriptionRegistry.record(node.chain) { [weak self] in self?.currentMulticast?.pendingCount ?? 0 }
        #endif
    }

    /// Counts a later observer. Called under the lock of the share state.
    fileprivate final func addObserver() -> Multicast {
        count += 1
        if let multicast = multicast.load(ordering: .relaxed) { return multicast.takeUnretainedValue() }
        let new = Multicast()
        if let first { new.list(first: first.takeUnretainedValue()) }
        endDirectDelivery()
        multicast.store(.passRetained(new), ordering: .releasing)
        return new
    }

    /// Adds a later observer, which first receives the stored elements.
    func add(_ node: AnyNode, to multicast: Multicast) { multicast.add(node) }

    /// Called once for each observer, when it unsubscribes; disposes the subscription after the last one.
    @usableFromInline
    final func remove(_ node: AnyNode) {
        var (isLast, isWaiting, hasEntered) = (false, false, false)
        let multicast = share.current.withLock { current -> Multicast? in
            count -= 1
            let multicast = self.multicast.load(ordering: .relaxed)?.takeUnretainedValue()
            if count == 0 {
                isLast = true
                isWaiting = turn == .waiting
                if current === self { current = nil }
                if multicast == nil { endDirectDelivery() }
                // A thread that is disposing it has entered.
                if !isWaiting, !isDisposed { hasEntered = share.enter() }
            }
            return multicast
        }
        multicast?.remove(node)
        if isLast { dispose() }
        if isWaiting { share.cancel(self) }
        if hasEntered { share.leave() }
    }

    /// Releases the source before the observers receive the terminal event; a later observer causes a new subscription.
    override func ended(_ error: (any Error)?) {
        var hasEntered = false
        let (multicast, first) = share.current.withLock { current in
            if current === self { current = nil }
            hasEntered = share.enter()
            return (self.multicast.load(ordering: .relaxed)?.takeUnretainedValue(), self.first?.takeUnretainedValue())
        }
        dispose()
        if let multicast { multicast.finish(error) } else { first?.chain.finish(error) }
        if hasEntered { share.leave() }
    }
}

/// A subscription that stores the last element, in an optional.
///
/// `@unchecked Sendable`: the lock of the share state guards the element, and that of the multicast once there is one.
@usableFromInline
final class LatestSubscription<Last: OptionalElement>: SharedSubscription, ElementStore, @unchecked Sendable
where Last.Wrapped: Sendable {
    @usableFromInline typealias Element = Last.Wrapped

    @exclusivity(unchecked) @usableFromInline var last: Last = nil

    @inlinable
    override init(of share: ShareState) { super.init(of: share) }

    @inlinable
    func store(_ element: Element) -> Element? {
        let evicted = last.optional
        last.optional = element
        return evicted
    }

    @inlinable
    func snapshot(for lifecycle: Multicast.Lifecycle) -> Element? {
        if case .disposed = lifecycle { nil } else { last.optional }
    }

    override func add(_ node: AnyNode, to multicast: Multicast) {
        multicast.add(unsafeDowncast(node, to: Node<Element>.self), replaying: self)
    }
}

/// An optional element as a type parameter: a class that has the type of its variable as parameter is released without
/// a look-up of generic metadata.
@usableFromInline
protocol OptionalElement<Wrapped>: ExpressibleByNilLiteral {
    associatedtype Wrapped

    var optional: Wrapped? { get set }
}

extension Optional: OptionalElement {
    @inlinable
    var optional: Wrapped? {
        get { self }
        set { self = newValue }
    }
}

/// A subscription that stores the last elements. The lock of the share state guards the store, and that of the multicast
/// once there is one.
@usableFromInline
final class BufferedSubscription<Element: Sendable>: SharedSubscription, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; the property it adds is a `let` of a `Sendable` type.

    @usableFromInline let store: ReplayBuffer<Element>

    @inlinable
    init(of share: ShareState, capacity: Int) {
        store = ReplayBuffer(capacity: capacity)
        super.init(of: share)
    }

    override func add(_ node: AnyNode, to multicast: Multicast) {
        multicast.add(unsafeDowncast(node, to: Node<Element>.self), replaying: store)
    }
}
