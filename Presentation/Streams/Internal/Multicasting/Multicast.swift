public import Synchronization

/// Broadcasts elements to a list of nodes, in the same order for every node: the core of subjects, relays and `share`.
///
/// One thread delivers at a time: the one whose send finds no delivery in progress. A send that finds one enqueues its
/// element and returns; the delivering thread drains the queue before it finishes. If the queue grows long, threads that
/// send wait for it, and take turns in draining it: see `Backlog.swift`. Threads that only subscribe or
/// dispose change the list under a short lock, concurrently with a delivery if necessary. They deliver nothing to other
/// nodes; see ``add(_:replaying:)`` for the elements that a subscribing thread delivers to its own node.
///
/// - A delivery iterates over the list without retaining it or its nodes. A node that is added meanwhile is placed
///   behind the part that is being iterated; a node that is removed meanwhile stays in the list, terminated, until the
///   delivering thread removes it.
/// - Nodes and enqueued work are numbered by one counter. Enqueued work goes to nodes with lower numbers, so that an
///   observer receives nothing that was sent before it subscribed.
/// - A node is listed when its subscription begins, so the order of the list is that of the subscriptions.
/// - A node that replays elements is *replaying* first: until its thread has replayed the stored elements to it, deliveries
///   skip it, and elements that are sent meanwhile are enqueued in the node. See ``add(_:replaying:)``.
///
/// Only methods that access an element are generic, so that the rest is compiled once; only ``Node`` knows the element
/// type. A multicast belongs to one subject, relay or `share` (see ``SharedSubscription``), which calls every generic
/// method with its own element type; so each node is a `Node` of the element that is delivered to it. Debug builds
/// check each downcast.
///
/// `@unchecked Sendable`: non-atomic state changes under the lock of `guarded`. The delivering thread reads the slots
/// behind `nodes` without the lock, and only those below a `count` that it read before. Those slots change when no
/// thread delivers (`delivery` is `changing`), or by the delivering thread between deliveries.
@usableFromInline
class Multicast: NodeOwner, @unchecked Sendable {
    /// The state that a new subscriber finds.
    @usableFromInline
    enum Lifecycle: Sendable {
        case open
        case ended((any Error)?)
        case disposed
    }

    /// Work enqueued for the delivering thread.
    ///
    /// `@unchecked Sendable`: runs once, on the delivering thread or the thread of a replaying node; the lock orders it
    /// after the thread that enqueued it.
    @usableFromInline
    struct Work: @unchecked Sendable {
        /// Nodes with lower numbers were listed when the work was enqueued.
        let number: UInt64
        let run: (_ number: UInt64) -> Void
    }

    /// Work enqueued for replaying nodes.
    ///
    /// `@unchecked Sendable`: runs on the thread of those nodes or on the delivering one; see ``Work``.
    struct ReplayWork: @unchecked Sendable {
        /// Nodes with lower numbers were listed when the work was enqueued.
        let number: UInt64
        let run: (AnyNode) -> Void
    }

    /// The state that the lock protects. `@unchecked Sendable`: the lock protects the memory behind the pointers as
    /// well.
    @usableFromInline
    struct Guarded: @unchecked Sendable {
        @usableFromInline var lifecycle = Lifecycle.open
        var queue = WorkQueue<Work>()
        /// The replaying nodes, without those that follow another one.
        @usableFromInline var replaying: [AnyNode] = []
        /// Nodes that were removed during a delivery; the delivering thread takes them out of the list.
        var removed: [AnyNode] = []
        /// List memory that the delivering thread may be reading; it deallocates that memory.
        var retired: [UnsafeMutablePointer<Unmanaged<AnyNode>>] = []
        var capacity = 1
        /// The number of unused slots before `nodes`, which is the first slot of the memory after removals only.
        var offset = 0
        /// The number of gaps in the list.
        var gaps = 0
        private var nextNumber: UInt64 = 0

        @usableFromInline
        init() {}

        @inlinable
        var isOpen: Bool { if case .open = lifecycle { true } else { false } }

        mutating func takeNumber() -> UInt64 {
            defer { nextNumber += 1 }
            return nextNumber
        }
    }

    /// The lifecycle for reads without the lock.
    enum PublicLifecycle {
        static let open: UInt8 = 0
        static let ended: UInt8 = 1
        static let disposed: UInt8 = 2
    }

    @usableFromInline final let delivery = DrainState()
    @usableFromInline final let drainer = DrainingThread()
    @usableFromInline final let nodes: Atomic<UnsafeMutablePointer<Unmanaged<AnyNode>>>
    /// The number of nodes in the list, including removed ones and gaps.
    @usableFromInline final let count = Atomic(0)
    @usableFromInline final let guarded = Mutex(Guarded())
    /// The type of the owning subject, for errors about its use after disposal.
    final let owner: Any.Type
    final let observerCount = Atomic(0)
    final let publicLifecycle = Atomic(PublicLifecycle.open)
    /// The number of enqueued work items.
    final let waitingWork = Atomic(0)
    #if DEBUG
    final let loop = BindingLoop()
    #endif

    @usableFromInline
    init(of owner: Any.Type = Multicast.self) {
        self.owner = owner
        nodes = Atomic(.allocate(capacity: 1))
    }

    deinit {
        let nodes = nodes.load(ordering: .acquiring)
        for index in 0..<count.load(ordering: .acquiring) { nodes[index].release() }
        (nodes - guarded.withLock { $0.offset }).deallocate()
    }

    final var hasObservers: Bool { observerCount.load(ordering: .acquiring) > 0 }
    final var isDisposed: Bool { publicLifecycle.load(ordering: .acquiring) == PublicLifecycle.disposed }
    /// The number of events that are enqueued for the delivering thread.
    final var pendingCount: Int { waitingWork.load(ordering: .relaxed) }
}

// MARK: - Sending

extension Multicast {
    /// Sends an element to every listed node.
    @inlinable
    func send<Element>(_ element: Element) {
        if delivery.begin() {
            drainer.becomeCurrent()
            deliver(element, toFirst: count.load(ordering: .acquiring))
            endDelivery()
        } else {
            sendWhileBusy(element)
        }
    }

    @usableFromInline
    func sendWhileBusy<Element>(_ element: Element) { sendWhileBusy { Self.deliver(element, to: $0) } }

    /// Sends an element while another thread is, or was, delivering.
    private func sendWhileBusy(_ deliver: @escaping (AnyNode) -> Void) {
        var mayJoin = false
        let count = guarded.withLock { guarded in
            guarded.isOpen ? beginDelivery(&guarded, toReplaying: false, &mayJoin, deliver) : nil
        }
        if let count {
            self.deliver(toFirst: count, deliver)
            endDelivery()
        } else if mayJoin {
            join()
        }
    }

    /// Stores an element, and sends it to every listed and every replaying node.
    @inlinable
    func send<Store: ElementStore>(_ element: Store.Element, storingIn store: Store) {
        var evicted: Store.Element?  // released after the lock
        var mayJoin = false
        let first = guarded.withLock { guarded -> Int? in
            guard guarded.isOpen else { return nil }
            evicted = store.store(element)
            if guarded.replaying.isEmpty, delivery.isIdle {
                delivery.continueDraining()
                drainer.becomeCurrent()
                return count.load(ordering: .relaxed)
            }
            return beginDelivery(of: element, &guarded, &mayJoin)
        }
        if let first {
            deliver(element, toFirst: first)
            endDelivery()
        } else if mayJoin {
            join()
        }
        withExtendedLifetime(evicted) {}
    }

    /// Stores an element without sending it.
    @inlinable
    func store<Store: ElementStore>(_ element: Store.Element, in store: Store) {
        let evicted = guarded.withLock { $0.isOpen ? store.store(element) : nil }
        withExtendedLifetime(evicted) {}  // released after the lock
    }

    /// Delivers an element to the first `count` nodes, except replaying ones. Called by the delivering thread.
    @inlinable
    func deliver<Element>(_ element: Element, toFirst count: Int) {
        let nodes = nodes.load(ordering: .acquiring)
        var index = 0
        while index < count {
            // Neither the list nor its nodes are released while a delivery is in progress (see above).
            nodes[index]._withUnsafeGuaranteedRef { node in
                if node.chain.isLive, !node.isReplaying { unsafeDowncast(node, to: Node<Element>.self).next(element) }
            }
            index &+= 1
        }
    }

    /// Delivers an element to a node that is live.
    @usableFromInline
    static func deliver<Element>(_ element: Element, to node: AnyNode) {
        unsafeDowncast(node, to: Node<Element>.self).next(element)
    }

    /// Calls `deliver` with the first `count` nodes, like ``deliver(_:toFirst:)``.
    private func deliver(toFirst count: Int, _ deliver: (AnyNode) -> Void) {
        let nodes = nodes.load(ordering: .acquiring)
        for index in 0..<count {
            nodes[index]._withUnsafeGuaranteedRef { if $0.chain.isLive, !$0.isReplaying { deliver($0) } }
        }
    }

    /// Calls `deliver` with the nodes whose numbers are below `number`. Called by the delivering thread.
    @usableFromInline
    func deliver(below number: UInt64, _ deliver: (AnyNode) -> Void) {
        #if DEBUG
        loop.beginDelivery()
        defer { loop.endDelivery(by: owner) }
        #endif
        self.deliver(toFirst: countOfNodes(below: number), deliver)
    }

    /// Terminates every node, and every node that is added later.
    ///
    /// - Parameter last: Delivers a last element before the terminal event.
    /// - Returns: Whether this call terminated the multicast; only the first call does.
    @discardableResult
    @usableFromInline
    func finish(_ error: (any Error)?, after last: ((_ number: UInt64) -> Void)? = nil) -> Bool {
        let end = { [self] (number: UInt64) in
            last?(number)
            for node in guarded.withLock({ takeNodes(below: number, &$0) }) { node.chain.finish(error) }
        }
        var mayJoin = false
        let (isEnd, number) = guarded.withLock { guarded -> (Bool, UInt64?) in
            guard guarded.isOpen else { return (false, nil) }
            guarded.lifecycle = .ended(error)
            publicLifecycle.store(PublicLifecycle.ended, ordering: .releasing)
            let isFirst = beginDelivery(&guarded, toReplaying: { $0.chain.finish(error) }, &mayJoin, orQueue: end)
            return (true, isFirst ? guarded.takeNumber() : nil)
        }
        if let number {
            end(number)
            endDelivery()
        } else if mayJoin {
            join()
        }
        return isEnd
    }

    /// Disposes every node. Later elements are ignored, and later subscriptions fail.
    func dispose() {
        let (before, dropped, replaying, nodes) = guarded.withLock { guarded in
            publicLifecycle.store(PublicLifecycle.disposed, ordering: .releasing)
            let before = (guarded.lifecycle, guarded.queue.waiting, guarded.replaying)
            guarded.lifecycle = .disposed
            guarded.queue.waiting = []
            guarded.replaying = []
            waitingWork.subtract(before.1.count, ordering: .relaxed)
            return (before.0, before.1, before.2, takeNodes(alsoReplaying: true, &guarded))
        }
        for node in nodes { node.chain.dispose() }
        withExtendedLifetime((before, dropped, replaying)) {}  // released after the lock
    }

    /// Closes the chain of every node. Called when no sender remains.
    func close() {
        guard hasObservers else { return }
        // The nodes stay in the list until the multicast is released.
        let (replaying, list) = guarded.withLock { guarded in
            let list = UnsafeBufferPointer(start: nodes.load(ordering: .relaxed), count: count.load(ordering: .relaxed))
            for node in list { node._withUnsafeGuaranteedRef { $0.membership = .removed } }
            observerCount.store(0, ordering: .releasing)
            defer { guarded.replaying = [] }
            return (guarded.replaying, list)
        }
        for node in list { node._withUnsafeGuaranteedRef { $0.chain.close() } }
        withExtendedLifetime(replaying) {}  // released after the lock
    }
}

// MARK: - Deliveries

extension Multicast {
    /// Starts a delivery of an element, or enqueues it for the thread that is delivering. Called under the lock.
    ///
    /// - Parameter mayJoin: Set if the caller then calls ``join()``, without the lock.
    /// - Returns: The number of nodes to which the caller then delivers the element; `nil` if it was enqueued.
    @usableFromInline
    func beginDelivery<Element>(of element: Element, _ guarded: inout Guarded, _ mayJoin: inout Bool) -> Int? {
        beginDelivery(&guarded, toReplaying: true, &mayJoin) { Self.deliver(element, to: $0) }
    }

    private func beginDelivery(
        _ guarded: inout Guarded, toReplaying reachesReplaying: Bool, _ mayJoin: inout Bool,
        _ deliver: @escaping (AnyNode) -> Void
    ) -> Int? {
        let isFirst = beginDelivery(
            &guarded, toReplaying: reachesReplaying ? deliver : nil, &mayJoin,
            orQueue: { [self] in self.deliver(below: $0, deliver) })
        return isFirst ? count.load(ordering: .relaxed) : nil
    }

    private func beginDelivery(
        _ guarded: inout Guarded, toReplaying: ((AnyNode) -> Void)?, _ mayJoin: inout Bool,
        orQueue work: @escaping (_ number: UInt64) -> Void
    ) -> Bool {
        if let toReplaying {
            for node in guarded.replaying where node.isGroupReplaying {
                node.waiting.append(ReplayWork(number: guarded.takeNumber(), run: toReplaying))
            }
        }
        if !delivery.isDraining(elseBecome: DrainState.draining) {
            drainer.becomeCurrent()
            return true
        }
        guarded.queue.waiting.append(Work(number: guarded.takeNumber(), run: work))
        recordWaitingWork()
        mayJoin = guarded.queue.asks(drainer)
        return false
    }

    /// Waits for the delivering thread, or takes its place, if the queue is long.
    @usableFromInline
    func join() {
        let role = SendingThread.role(for: drainer)
        if role == .returns { return }
        switch guarded.withLock({ $0.queue.join(as: role, delivery, drainer) }) {
        case .returns: break
        case .drains: drain(isSuccessor: true)
        case .waits(let sender):
            let isStuck = sender.wait(for: drainer)
            let (drains, resumed) = guarded.withLock { $0.queue.end(sender, isStuck: isStuck, drainer) }
            for sender in resumed { sender.resume() }
            if drains { drain(isSuccessor: true) }
        }
    }

    /// Drains the queue and ends the delivery.
    @inlinable
    func endDelivery() {
        if !delivery.end() { drain() }
    }

    @usableFromInline
    func drain() { drain(isSuccessor: false) }

    /// - Parameter isSuccessor: Whether the caller takes the place of a thread that has not delivered all that it took.
    private func drain(isSuccessor: Bool) {
        var garbage: [AnyNode] = []  // released after the delivery
        var retired: [UnsafeMutablePointer<Unmanaged<AnyNode>>] = []
        var batch: [Work] = []
        var index = 0
        var stay = Stay()
        if isSuccessor { guarded.withLock { $0.queue.takeRest(&batch, &index) } }
        drainer.becomeCurrent()
        repeat {
            var isRelieved = false
            while index < batch.count {
                if stay.endsEarly(drainer) {
                    isRelieved = self.isRelieved(&batch, &index)
                    if isRelieved { break }
                }
                let work = batch[index]
                work.run(work.number)
                index += 1
                waitingWork.subtract(1, ordering: .relaxed)
                stay.count(drainer)
            }
            if isRelieved { break }
            batch = []
            index = 0
            let resumed = guarded.withLock { guarded in
                garbage += takeRemoved(&guarded)
                retired += guarded.retired
                guarded.retired = []
                let resumed = guarded.queue.take(&batch, drainer)
                if batch.isEmpty {
                    delivery.becomeIdle()
                } else {
                    delivery.continueDraining()
                }
                return resumed
            }
            for sender in resumed { sender.resume() }
        } while !batch.isEmpty
        for memory in retired { memory.deallocate() }
        withExtendedLifetime(garbage) {}
    }

    /// Lets a sender take the place of the caller, which has delivered its batch.
    ///
    /// - Returns: Whether one has done so.
    private func isRelieved(_ batch: inout [Work], _ index: inout Int) -> Bool {
        switch guarded.withLock({ $0.queue.relieve(&batch, index, delivery, drainer) }) {
        case .continues: return false
        case .handedOver(let sender):
            sender.resume()
            return true
        case .offered:
            Stay.waitForAcceptance(of: delivery)
            return guarded.withLock { guarded in
                if !delivery.takeOffer() { return true }
                guarded.queue.takeRest(&batch, &index)
                return false
            }
        }
    }

    func recordWaitingWork() {
        let waiting = waitingWork.add(1, ordering: .relaxed).newValue
        #if DEBUG
        loop.countElement()
        if waiting == Hooks.pendingCountWarningThreshold {
            Hooks.warn("\(waiting) events are pending in a \(owner)")
        }
        #endif
    }

}
