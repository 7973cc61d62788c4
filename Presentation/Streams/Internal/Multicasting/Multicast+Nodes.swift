internal import Synchronization

/// The list of nodes: adding, joining and removing.
extension Multicast {
    /// Adds a node, which receives the elements that are sent from now on.
    @usableFromInline
    func add(_ node: AnyNode) {
        attach(node)
        switch guarded.withLock({ append(node, &$0) }) {
        case .open: break
        case .ended(let error): node.chain.finish(error)
        case .disposed: node.chain.fail(RxError.disposed(object: DisposedSubject(type: owner)))
        }
    }

    /// Adds a node and replays the elements of `store` to it: when this returns, the node has received the element that
    /// was sent last, regardless of other threads.
    ///
    /// This thread delivers to this node only: the stored elements, and then those that other threads have sent
    /// meanwhile. If one of these threads is still delivering after the replay, it delivers the latter.
    @inlinable
    func add<Store: ElementStore>(_ node: Node<Store.Element>, replaying store: Store) {
        attach(node)
        let (lifecycle, snapshot) = guarded.withLock { guarded -> (Lifecycle, Store.Snapshot?) in
            let snapshot = store.snapshot(for: guarded.lifecycle)
            if snapshot == nil { return (append(node, &guarded), nil) }
            join(node, &guarded)
            return (guarded.lifecycle, snapshot)
        }
        if let snapshot { store.replay(snapshot) { if node.chain.isLive { node.next($0) } } }
        switch lifecycle {
        case .open: if snapshot != nil { endJoining(node) }
        case .ended(let error): node.chain.finish(error)
        case .disposed: failAsDisposed(node)
        }
    }

    @usableFromInline
    func attach(_ node: AnyNode) {
        node.chain.attach(node)
        #if DEBUG
            SubscriptionRegistry.record(node.chain) { [weak self] in self?.pendingCount ?? 0 }
        #endif
    }

    @usableFromInline
    func failAsDisposed(_ node: AnyNode) {
        node.chain.fail(RxError.disposed(object: DisposedSubject(type: owner)))
    }

    @usableFromInline
    func join(_ node: AnyNode, _ guarded: inout Guarded) {
        guard guarded.isOpen, node.membership == .unlisted else { return }
        node.membership = .joining
        guarded.joining.append(node)
        observerCount.add(1, ordering: .releasing)
    }

    /// Ends the replay: delivers the elements that were sent meanwhile, and then adds the node to the list.
    @usableFromInline
    func endJoining(_ node: AnyNode) {
        while let work = guarded.withLock({ workBeforeListing(node, &$0) }) { node.run(work) }
    }

    /// The work that the thread of a joining node must do before the node can be listed; `nil` if it is listed or
    /// removed.
    private func workBeforeListing(_ node: AnyNode, _ guarded: inout Guarded) -> [Work]? {
        guard node.membership == .joining else { return nil }
        let waiting = node.waiting
        node.waiting = []
        if !waiting.isEmpty {
            // An idle `deliveryState` is not taken: the next sender must find it idle.
            let found = deliveryState.compareExchange(
                expected: DeliveryState.delivering, desired: DeliveryState.deliveringWithWork, ordering: .relaxed)
            guard found.exchanged || found.original == DeliveryState.deliveringWithWork else { return waiting }
            guarded.queue.append(Work(number: guarded.takeNumber()) { _ in node.run(waiting) })
            recordWaitingWork()
        }
        guarded.joining.removeAll { $0 === node }
        observerCount.subtract(1, ordering: .releasing)
        node.membership = .unlisted
        list(node, &guarded)
        return nil
    }

    @usableFromInline
    func append(_ node: AnyNode, _ guarded: inout Guarded) -> Lifecycle {
        if guarded.isOpen, node.membership == .unlisted { list(node, &guarded) }
        return guarded.lifecycle
    }

    private func list(_ node: AnyNode, _ guarded: inout Guarded) {
        let count = count.load(ordering: .relaxed)
        if count == guarded.capacity { grow(&guarded) }
        node.number = guarded.takeNumber()
        node.membership = .listed
        nodes.load(ordering: .relaxed)[count] = .passRetained(node)
        self.count.store(count + 1, ordering: .releasing)
        observerCount.add(1, ordering: .releasing)
    }

    private func grow(_ guarded: inout Guarded) {
        let old = nodes.load(ordering: .relaxed)
        let new = UnsafeMutablePointer<Unmanaged<AnyNode>>.allocate(capacity: guarded.capacity * 2)
        new.update(from: old, count: guarded.capacity)
        guarded.capacity *= 2
        nodes.store(new, ordering: .releasing)
        if isDelivering(elseBecome: DeliveryState.changing) {
            guarded.retired.append(old)
        } else {
            deliveryState.store(DeliveryState.idle, ordering: .releasing)
            old.deallocate()
        }
    }

    func remove(_ node: AnyNode) {
        let released = guarded.withLock { guarded -> ([Work], AnyNode?) in
            switch node.membership {
            case .unlisted:
                node.membership = .removed  // disposed before it was added
                return ([], nil)
            case .removed: return ([], nil)
            case .joining: guarded.joining.removeAll { $0 === node }
            case .listed:
                if isDelivering(elseBecome: DeliveryState.changing) {
                    guarded.removed.append(node)
                } else {
                    erase(node)
                    deliveryState.store(DeliveryState.idle, ordering: .releasing)
                }
            }
            node.membership = .removed
            observerCount.subtract(1, ordering: .releasing)
            let waiting = node.waiting
            node.waiting = []
            return (waiting, node)
        }
        withExtendedLifetime(released) {}  // released after the lock
    }

    /// Removes a node from the list. Called when no thread iterates over the list; the caller holds a reference to the
    /// node.
    private func erase(_ node: AnyNode) {
        let nodes = nodes.load(ordering: .relaxed)
        let count = count.load(ordering: .relaxed)
        let index = countOfNodes(below: node.number)
        nodes[index].release()
        (nodes + index).update(from: nodes + index + 1, count: count - index - 1)
        self.count.store(count - 1, ordering: .releasing)
    }

    /// Removes the nodes from the list that were marked as removed during deliveries. Called by the delivering thread,
    /// under the lock.
    func takeRemoved(_ guarded: inout Guarded) -> [AnyNode] {
        let removed = guarded.removed
        if removed.isEmpty { return [] }
        guarded.removed = []
        if removed.count < 8 {
            for node in removed { erase(node) }
            return removed
        }
        let nodes = nodes.load(ordering: .relaxed)
        var kept = 0
        for index in 0..<count.load(ordering: .relaxed) {
            let node = nodes[index]
            if node._withUnsafeGuaranteedRef({ $0.membership == .listed }) {
                nodes[kept] = node
                kept += 1
            } else {
                node.release()  // `removed` holds it too
            }
        }
        count.store(kept, ordering: .releasing)
        return removed
    }

    /// Removes all nodes from the list, or marks them as removed for the delivering thread. Called under the lock.
    ///
    /// - Parameter number: Only nodes with lower numbers are removed.
    func takeNodes(below number: UInt64 = .max, _ guarded: inout Guarded) -> [AnyNode] {
        let pointer = nodes.load(ordering: .relaxed)
        let taken = (0..<countOfNodes(below: number)).map { pointer[$0].takeUnretainedValue() }
            .filter { $0.membership == .listed }
        for node in taken { node.membership = .removed }
        observerCount.subtract(taken.count, ordering: .releasing)
        guarded.removed += taken
        if !isDelivering(elseBecome: DeliveryState.changing) {
            _ = takeRemoved(&guarded)  // `taken` holds them
            deliveryState.store(DeliveryState.idle, ordering: .releasing)
        }
        return taken
    }

    func takeJoining(_ guarded: inout Guarded) -> [AnyNode] {
        let joining = guarded.joining
        guarded.joining = []
        observerCount.subtract(joining.count, ordering: .releasing)
        for node in joining { node.membership = .removed }
        return joining
    }

    /// The number of nodes whose numbers are lower than `number`. Numbers increase along the list.
    @usableFromInline
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

    init(type: Any.Type) {
        self.type = type
    }

    var description: String { String(reflecting: type) }
}
