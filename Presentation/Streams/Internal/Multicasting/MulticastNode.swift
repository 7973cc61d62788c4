internal import Synchronization

/// The list of nodes: adding, replaying and removing.
extension Multicast {
    /// Adds a node, which receives the elements that are sent from now on.
    @usableFromInline
    func add(_ node: AnyNode) {
        attach(node)
        switch guarded.withLock({ append(node, &$0) }) {
        case .open: break
        case .ended(let error): node.chain.finish(error)
        case .disposed: failAsDisposed(node)
        }
    }

    /// Adds a node and replays the elements of `store` to it: when this returns, the node has received the element that
    /// was sent last, regardless of other threads.
    ///
    /// This thread delivers to this node only: the stored elements, and then those that other threads have sent
    /// meanwhile. If one of these threads is still delivering after the replay, it delivers the latter.
    ///
    /// A node that this thread adds while it is replaying to another one *follows* that one: it receives the elements
    /// that are sent meanwhile together with the other one, which receives each of them first.
    @inlinable
    func add<Store: ElementStore>(_ node: Node<Store.Element>, replaying store: Store) {
        var snapshot: Store.Snapshot?
        let entry = beginAdding(node) { lifecycle in
            snapshot = store.snapshot(for: lifecycle)
            return snapshot != nil
        }
        if let snapshot { store.replay(snapshot) { if node.chain.isLive { node.next($0) } } }
        endAdding(node, entry)
    }

    /// What the thread that adds a node does after it has replayed the elements.
    @usableFromInline
    struct Entry {
        fileprivate let lifecycle: Lifecycle
        fileprivate let endsReplay: Bool
    }

    /// - Parameter takeSnapshot: Returns whether there are elements to replay. Called under the lock.
    @usableFromInline
    func beginAdding(_ node: AnyNode, takingSnapshot takeSnapshot: (Lifecycle) -> Bool) -> Entry {
        attach(node)
        return guarded.withLock { guarded in
            if !takeSnapshot(guarded.lifecycle) { return Entry(lifecycle: append(node, &guarded), endsReplay: false) }
            return Entry(lifecycle: guarded.lifecycle, endsReplay: !beginReplay(node, &guarded))
        }
    }

    @usableFromInline
    func endAdding(_ node: AnyNode, _ entry: Entry) {
        switch entry.lifecycle {
        case .open: if entry.endsReplay { endReplay(node) }
        case .ended(let error): node.chain.finish(error)
        case .disposed: failAsDisposed(node)
        }
    }

    private func attach(_ node: AnyNode) {
        node.chain.attach(node)
        #if DEBUG
        SubscriptionRegistry.record(node.chain) { [weak self] in self?.pendingCount ?? 0 }
        #endif
    }

    private func failAsDisposed(_ node: AnyNode) {
        node.chain.fail(RxError.disposed(object: DisposedSubject(type: owner)))
    }

    /// Lists a node to which this thread replays elements.
    ///
    /// - Returns: Whether the node follows another one.
    private func beginReplay(_ node: AnyNode, _ guarded: inout Guarded) -> Bool {
        guard guarded.isOpen, node.membership == .unlisted else { return false }
        let thread = Thread.current
        node.thread = thread
        node.isReplaying = true
        list(node, &guarded)
        node.membership = .replaying
        if let outer = guarded.replaying.first(where: { $0.thread == thread }) {
            outer.followers.append(node)
            return true
        }
        guarded.replaying.append(node)
        return false
    }

    /// Ends the replay to a node and its followers: delivers the elements that were sent meanwhile.
    private func endReplay(_ node: AnyNode) {
        while true {
            let (work, released) = guarded.withLock { workBeforeEndOfReplay(node, &$0) }
            withExtendedLifetime(released) {}  // released after the lock
            guard let work else { return }
            node.run(work)
        }
    }

    /// The work that the thread of a replaying node must do before deliveries reach the node and its followers; `nil` if
    /// they do now, or when the delivering thread has done the work.
    ///
    /// - Returns: The work, and nodes that the caller releases when it holds no lock.
    private func workBeforeEndOfReplay(_ node: AnyNode, _ guarded: inout Guarded) -> ([ReplayWork]?, [AnyNode]) {
        let waiting = node.waiting
        node.waiting = []
        if !waiting.isEmpty {
            // An idle `delivery` is not taken: the next sender must find it idle. The deliveries that have skipped
            // the nodes happen before this, and so before the nodes are no longer skipped.
            guard delivery.hasDrainer() else { return (waiting, []) }
            let work = Work(number: guarded.takeNumber()) { [self] _ in
                node.run(waiting)
                let released = self.guarded.withLock { _ in listGroup(node) }
                withExtendedLifetime(released) {}
            }
            guarded.queue.waiting.append(work)
            recordWaitingWork()
            guarded.replaying.removeAll { $0 === node }
            return (nil, [])
        }
        guarded.replaying.removeAll { $0 === node }
        return (nil, listGroup(node))
    }

    /// Lets deliveries reach a node and its followers. Called under the lock, while no element that was sent since the
    /// node was listed is being delivered: all of them would be in `waiting`.
    ///
    /// - Returns: The followers, which the caller releases when it holds no lock.
    private func listGroup(_ node: AnyNode) -> [AnyNode] {
        let followers = node.followers
        node.followers = []
        node.endReplay()
        for follower in followers { follower.endReplay() }
        return followers
    }

    private func append(_ node: AnyNode, _ guarded: inout Guarded) -> Lifecycle {
        if guarded.isOpen, node.membership == .unlisted { list(node, &guarded) }
        return guarded.lifecycle
    }

    /// Lists the first node, which was connected before there was a multicast.
    func list(first node: AnyNode) { guarded.withLock { list(node, &$0) } }

    private func list(_ node: AnyNode, _ guarded: inout Guarded) {
        let count = count.load(ordering: .relaxed)
        if guarded.offset + count == guarded.capacity { grow(&guarded, from: count) }
        node.number = guarded.takeNumber()
        node.membership = .listed
        nodes.load(ordering: .relaxed)[count] = .passRetained(node)
        self.count.store(count + 1, ordering: .releasing)
        observerCount.add(1, ordering: .releasing)
    }

    /// Moves the list to new memory with twice as many slots as nodes.
    private func grow(_ guarded: inout Guarded, from count: Int) {
        let nodes = nodes.load(ordering: .relaxed)
        let old = nodes - guarded.offset
        guarded.capacity = max(count * 2, 1)
        guarded.offset = 0
        let new = UnsafeMutablePointer<Unmanaged<AnyNode>>.allocate(capacity: guarded.capacity)
        new.update(from: nodes, count: count)
        self.nodes.store(new, ordering: .releasing)
        if delivery.isDraining(elseBecome: DrainState.changing) {
            guarded.retired.append(old)
        } else {
            delivery.becomeIdle()
            old.deallocate()
        }
    }

    @usableFromInline
    func remove(_ node: AnyNode) {
        let released = guarded.withLock { guarded -> ([ReplayWork], AnyNode?) in
            switch node.membership {
            case .unlisted:
                node.membership = .removed  // disposed before it was added
                return ([], nil)
            case .removed: return ([], nil)
            case .replaying, .listed:
                let wasReplaying = node.membership == .replaying
                node.membership = .removed
                observerCount.subtract(1, ordering: .releasing)
                if delivery.isDraining(elseBecome: DrainState.changing) {
                    guarded.removed.append(node)
                } else {
                    erase(node, &guarded)
                    closeGaps(&guarded)
                    delivery.becomeIdle()
                }
                return (wasReplaying ? takeUselessWork(&guarded) : [], node)
            }
        }
        withExtendedLifetime(released) {}  // released after the lock
    }

    /// Removes and returns the work that waits for nodes whose replay has ended.
    private func takeUselessWork(_ guarded: inout Guarded) -> [ReplayWork] {
        var work: [ReplayWork] = []
        for node in guarded.replaying where !node.isGroupReplaying {
            work += node.waiting
            node.waiting = []
        }
        return work
    }

    /// The number of nodes that a removal moves at most; where there are more, it leaves a gap.
    private static let movableNodes = 32

    /// Removes a node from the list, in a time that hardly depends on its length. Called when no thread iterates over the
    /// list; the caller holds a reference to the node, and calls ``closeGaps(_:)``.
    private func erase(_ node: AnyNode, _ guarded: inout Guarded) {
        let nodes = nodes.load(ordering: .relaxed)
        let count = count.load(ordering: .relaxed)
        let index = countOfNodes(below: node.number)
        nodes[index].release()
        if count - index - 1 <= Self.movableNodes {
            (nodes + index).update(from: nodes + index + 1, count: count - index - 1)
        } else if index <= Self.movableNodes {
            (nodes + 1).update(from: nodes, count: index)
            guarded.offset += 1
            self.nodes.store(nodes + 1, ordering: .releasing)
        } else {
            nodes[index] = .passRetained(Gap(node.number))
            guarded.gaps += 1
            return
        }
        self.count.store(count - 1, ordering: .releasing)
    }

    /// Closes the gaps, if they are more than half of the list.
    private func closeGaps(_ guarded: inout Guarded) {
        if guarded.gaps > count.load(ordering: .relaxed) / 2 { eraseMarked(&guarded) }
    }

    /// Removes the nodes from the list that were marked as removed during deliveries. Called by the delivering thread,
    /// under the lock.
    func takeRemoved(_ guarded: inout Guarded) -> [AnyNode] {
        let removed = guarded.removed
        if removed.isEmpty { return [] }
        guarded.removed = []
        erase(removed, &guarded)
        return removed
    }

    /// Removes nodes that are marked as removed from the list, when no thread iterates over it.
    private func erase(_ removed: [AnyNode], _ guarded: inout Guarded) {
        // Fewer searches than a pass over the list takes.
        if removed.count < 8 || removed.count < count.load(ordering: .relaxed) / 64 {
            for node in removed { erase(node, &guarded) }
            closeGaps(&guarded)
        } else {
            eraseMarked(&guarded)
        }
    }

    /// Removes all nodes that are marked as removed, and the gaps, in one pass. The caller holds references to the nodes.
    private func eraseMarked(_ guarded: inout Guarded) {
        guarded.gaps = 0
        let nodes = nodes.load(ordering: .relaxed)
        var kept = 0
        for index in 0..<count.load(ordering: .relaxed) {
            let node = nodes[index]
            if node._withUnsafeGuaranteedRef({ $0.membership != .removed }) {
                nodes[kept] = node
                kept += 1
            } else {
                node.release()
            }
        }
        count.store(kept, ordering: .releasing)
    }

    /// Removes nodes from the list, or marks them as removed for the delivering thread. Called under the lock.
    ///
    /// - Parameters:
    ///   - number: Only nodes with lower numbers are removed.
    ///   - alsoReplaying: Whether replaying nodes are removed too.
    func takeNodes(below number: UInt64 = .max, alsoReplaying: Bool = false, _ guarded: inout Guarded) -> [AnyNode] {
        let nodes = nodes.load(ordering: .relaxed)
        let count = countOfNodes(below: number)
        var taken: [AnyNode] = []
        taken.reserveCapacity(count)
        for index in 0..<count {
            let node = nodes[index].takeUnretainedValue()
            guard node.membership == .listed || (alsoReplaying && node.membership == .replaying) else { continue }
            node.membership = .removed
            taken.append(node)
        }
        observerCount.subtract(taken.count, ordering: .releasing)
        if delivery.isDraining(elseBecome: DrainState.changing) {
            guarded.removed += taken
        } else {
            erase(taken, &guarded)
            delivery.becomeIdle()
        }
        return taken
    }

    /// The number of nodes whose numbers are lower than `number`. Numbers increase along the list.
    func countOfNodes(below number: UInt64) -> Int {
        // The count first: another thread may add nodes meanwhile, and the list that is read afterwards has at least as
        // many slots. The other order could pair the old memory with a count that exceeds its capacity.
        var high = count.load(ordering: .acquiring)
        let nodes = nodes.load(ordering: .acquiring)
        var low = 0
        while low < high {
            let middle = (low + high) / 2
            let isBelow = nodes[middle]._withUnsafeGuaranteedRef { $0.number < number }
            if isBelow { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Represents a disposed subject in an error, with the subject's description.
private final class DisposedSubject: CustomStringConvertible, Sendable {
    private let type: Any.Type

    init(type: Any.Type) { self.type = type }

    var description: String { String(reflecting: type) }
}

/// The object that a node unsubscribes from: a ``Multicast``, or a ``SharedSubscription``.
@usableFromInline
protocol NodeOwner: AnyObject, Sendable {
    /// Removes a node; called once, when it is disposed.
    func remove(_ node: AnyNode)
}

/// A node in the list of a ``Multicast``: one subscription.
///
/// `@unchecked Sendable`: all properties but the following are `let`s of `Sendable` types. The lock of the multicast
/// guards `membership`, `followers` and `waiting`; `number` and `thread` are set under that lock before the node is
/// listed, and are constant afterwards. `isReplaying` is set then too; the delivering thread reads it without the lock,
/// and it is reset only while that thread is not delivering an element that was sent after the node was listed. `owner`
/// is set before the node is attached to its chain; afterwards only the chain, which disposes the node once, accesses it.
@usableFromInline
class AnyNode: DisposeBase, @unchecked Sendable {
    private let resource = Resources.Counted()
    enum Membership {
        /// `replaying` and `listed` nodes are in the list.
        case unlisted, replaying, listed, removed
    }

    @usableFromInline let chain: Chain
    /// `nil` once disposed. Set by the initializer, or by a ``ShareState``.
    @exclusivity(unchecked) final var owner: (any NodeOwner)?
    @exclusivity(unchecked) var membership = Membership.unlisted
    @exclusivity(unchecked) var number: UInt64 = 0
    /// Whether deliveries skip the node, because the elements are replayed to it.
    @exclusivity(unchecked) @usableFromInline final var isReplaying = false
    /// The thread that replays the elements.
    @exclusivity(unchecked) final var thread: UInt = 0
    /// The nodes that the same thread has added while it was replaying to this one.
    @exclusivity(unchecked) final var followers: [AnyNode] = []
    /// The work that was enqueued for this node and its followers during the replay.
    @exclusivity(unchecked) final var waiting: [Multicast.ReplayWork] = []

    /// Whether this node or one of its followers is replaying.
    final var isGroupReplaying: Bool {
        membership == .replaying || followers.contains { $0.membership == .replaying }
    }

    @usableFromInline
    init(_ chain: Chain, of owner: (any NodeOwner)?) {
        self.chain = chain
        self.owner = owner
    }

    @usableFromInline
    final func dispose() { owner.take()?.remove(self) }

    /// Lets deliveries reach the node, unless it was removed.
    final func endReplay() {
        if membership != .replaying { return }
        membership = .listed
        isReplaying = false
    }

    /// Runs the work that was enqueued while this node and its followers were replaying: each item for all of them, in the
    /// order of subscription, as a delivery does.
    final func run(_ work: [Multicast.ReplayWork]) {
        for item in work {
            if chain.isLive { item.run(self) }
            // A node that this work adds has a higher number; it is not concerned.
            for follower in followers where follower.number < item.number && follower.chain.isLive {
                item.run(follower)
            }
        }
    }
}

/// The place of a node that was removed from the middle of a long list: terminated, so deliveries skip it.
private final class Gap: AnyNode, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass.

    private static let chain = {
        let chain = Chain { _ in }
        #if DEBUG
        Resources.decrementTotal()  // there is one for the whole process
        #endif
        chain.dispose()
        return chain
    }()

    init(_ number: UInt64) {
        super.init(Self.chain, of: nil)
        self.number = number
        membership = .removed
        #if DEBUG
        Resources.decrementTotal()  // a gap is part of the list
        #endif
    }

    #if DEBUG
    deinit {
        Resources.incrementTotal()
    }
    #endif
}

/// A node with a known element type.
@usableFromInline
final class Node<Element>: AnyNode, @unchecked Sendable {
    // `@unchecked Sendable`: `next` belongs to a sink, and one thread at a time calls it: the thread that replays to the
    // node, or the delivering one. The lock of the multicast orders the change from one to the other.

    @usableFromInline let next: (Element) -> Void

    @inlinable
    init(_ sink: Sink<Element>, of owner: (any NodeOwner)? = nil) {
        next = sink.next
        super.init(sink.chain, of: owner)
    }
}
