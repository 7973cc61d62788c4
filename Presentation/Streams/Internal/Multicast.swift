public import Synchronization

/// Broadcasts elements to the nodes of its list, in one order for all: the core of subjects, relays and `share`.
///
/// One thread delivers at a time: the one whose send finds no delivery under way. A send that finds one queues its
/// element and returns, and the delivering thread delivers it before it is done. Threads that only subscribe or dispose
/// never deliver what others sent: they change the list under a short lock, next to a delivery if need be.
///
/// - A delivery walks over the list without retaining it or its nodes. A node that is added meanwhile stands behind the
///   part that is walked over; a node that is removed meanwhile stays, ended, until the delivering thread takes it out.
/// - Nodes and queued work have numbers from one counter. Queued work goes to the nodes with lower numbers, so that an
///   observer receives nothing that was sent before it subscribed.
/// - A node that replays elements *joins*: until its thread has sent it what was kept, elements that are sent meanwhile
///   wait in the node. See ``add(_:replaying:)``.
///
/// Nothing here is generic but what touches an element, so that the rest is compiled once; only ``Node`` knows the type
/// of elements.
///
/// `@unchecked Sendable`: what is not atomic is changed under the lock of `guarded`. The slots behind `nodes` are read
/// without it by the delivering thread, and only those below a `count` that was read before: they change when no thread
/// delivers (`turn` is `changing`), or by the delivering thread between deliveries.
@usableFromInline
final class Multicast: @unchecked Sendable {
    /// What a subscriber finds.
    @usableFromInline
    enum Lifecycle: Sendable {
        case open
        case ended((any Error)?)
        case disposed
    }

    /// Work for the delivering thread.
    ///
    /// `@unchecked Sendable`: it runs once, on the delivering thread or that of a joining node, with a happens-before
    /// edge from the thread that queued it through the lock.
    @usableFromInline
    struct Work: @unchecked Sendable {
        /// Nodes with lower numbers were there when the work was queued.
        fileprivate let number: UInt64
        fileprivate let run: (_ number: UInt64) -> Void
    }

    /// What the lock protects. `@unchecked Sendable`: the memory it points to is under the lock too.
    @usableFromInline
    struct Guarded: @unchecked Sendable {
        @usableFromInline var lifecycle = Lifecycle.open
        fileprivate var queue: [Work] = []
        @usableFromInline var joining: [AnyNode] = []
        /// Nodes that were removed while a thread was delivering, to be taken out of the list by that.
        fileprivate var removed: [AnyNode] = []
        /// Memory of the list that the delivering thread may be reading, to be freed by that.
        fileprivate var retired: [UnsafeMutablePointer<Unmanaged<AnyNode>>] = []
        fileprivate var capacity = 1
        private var nextNumber: UInt64 = 0

        @usableFromInline
        init() {}

        @inlinable
        var isOpen: Bool { if case .open = lifecycle { true } else { false } }

        fileprivate mutating func takeNumber() -> UInt64 {
            defer { nextNumber += 1 }
            return nextNumber
        }
    }

    /// Values of `turn`.
    private enum Turn {
        static let idle: UInt32 = 0
        static let delivering: UInt32 = 1
        /// A thread is delivering, and there is work in the queue, or nodes or memory to be freed.
        static let deliveringWithWork: UInt32 = 2
        /// A thread that holds the lock is changing the list.
        static let changing: UInt32 = 3
    }

    @usableFromInline let turn = Atomic<UInt32>(0)
    @usableFromInline let nodes: Atomic<UnsafeMutablePointer<Unmanaged<AnyNode>>>
    /// The number of nodes in the list, removed ones included.
    @usableFromInline let count = Atomic(0)
    @usableFromInline let guarded = Mutex(Guarded())
    /// The type of the subject that this is part of, for errors about its use after disposal.
    private let owner: Any.Type
    private let observerCount = Atomic(0)
    /// The lifecycle, for reading without the lock: 0 open, 1 ended, 2 disposed.
    private let publicLifecycle = Atomic<UInt8>(0)
    /// The number of pieces of work that wait for the delivering thread.
    private let waitingWork = Atomic(0)

    @usableFromInline
    init(of owner: Any.Type = Multicast.self) {
        self.owner = owner
        nodes = Atomic(.allocate(capacity: 1))
    }

    deinit {
        let nodes = nodes.load(ordering: .acquiring)
        for index in 0..<count.load(ordering: .acquiring) { nodes[index].release() }
        nodes.deallocate()
    }

    var hasObservers: Bool { observerCount.load(ordering: .acquiring) > 0 }
    var isDisposed: Bool { publicLifecycle.load(ordering: .acquiring) == 2 }
    /// The number of events that were sent and wait for the thread that is delivering.
    var pendingCount: Int { waitingWork.load(ordering: .relaxed) }
}

// MARK: - Sending

extension Multicast {
    /// Sends an element to every node of the list.
    @inlinable
    func send<Element>(_ element: Element) {
        if turn.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
            deliver(element, toFirst: count.load(ordering: .acquiring))
            endDelivery()
        } else {
            sendWhileBusy(element)
        }
    }

    @inlinable
    @inline(never)
    func sendWhileBusy<Element>(_ element: Element) {
        if beginDelivery(orQueue: { [self] in deliver(element, below: $0) }) {
            deliver(element, toFirst: count.load(ordering: .acquiring))
            endDelivery()
        }
    }

    /// Keeps an element, and sends it to every node of the list and to every one that is joining.
    @inlinable
    func send<Store: ElementStore>(_ element: Store.Element, keepingIn store: Store) {
        var evicted: Store.Element?  // released after the lock
        let first = guarded.withLock { guarded -> Int? in
            guard guarded.isOpen else { return nil }
            evicted = store.keep(element)
            if guarded.joining.isEmpty, turn.load(ordering: .acquiring) == 0 {
                turn.store(1, ordering: .relaxed)
                return count.load(ordering: .relaxed)
            }
            let isFirst = beginDelivery(
                &guarded, forJoining: { unsafeDowncast($0, to: Node<Store.Element>.self).next(element) },
                orQueue: { [self] in deliver(element, below: $0) })
            return isFirst ? count.load(ordering: .relaxed) : nil
        }
        if let first {
            deliver(element, toFirst: first)
            endDelivery()
        }
        withExtendedLifetime(evicted) {}
    }

    /// Keeps an element for later, and sends it to no one.
    @inlinable
    func keep<Store: ElementStore>(_ element: Store.Element, in store: Store) {
        let evicted = guarded.withLock { $0.isOpen ? store.keep(element) : nil }
        withExtendedLifetime(evicted) {}  // released after the lock
    }

    /// Delivers to the first `count` nodes; by the delivering thread.
    @inlinable
    func deliver<Element>(_ element: Element, toFirst count: Int) {
        let nodes = nodes.load(ordering: .acquiring)
        var index = 0
        while index < count {
            // Neither the list nor its nodes go away while a delivery is under way (see above).
            nodes[index]._withUnsafeGuaranteedRef { node in
                if node.chain.isLive { unsafeDowncast(node, to: Node<Element>.self).next(element) }
            }
            index &+= 1
        }
    }

    /// Delivers to the nodes with numbers below `number`; by the delivering thread.
    @inlinable
    func deliver<Element>(_ element: Element, below number: UInt64) {
        deliver(element, toFirst: countOfNodes(below: number))
    }

    /// Ends every node, and from now on every node that is added.
    ///
    /// - Parameter last: Delivers a last element before the end.
    /// - Returns: Whether this is the end: the first one counts.
    @discardableResult
    @usableFromInline
    func finish(_ error: (any Error)?, after last: ((_ number: UInt64) -> Void)? = nil) -> Bool {
        let end = { [self] (number: UInt64) in
            last?(number)
            for node in guarded.withLock({ takeNodes(below: number, &$0) }) { node.chain.finish(error) }
        }
        let (isEnd, number) = guarded.withLock { guarded -> (Bool, UInt64?) in
            guard guarded.isOpen else { return (false, nil) }
            guarded.lifecycle = .ended(error)
            publicLifecycle.store(1, ordering: .releasing)
            let isFirst = beginDelivery(&guarded, forJoining: { $0.chain.finish(error) }, orQueue: end)
            return (true, isFirst ? guarded.takeNumber() : nil)
        }
        if let number {
            end(number)
            endDelivery()
        }
        return isEnd
    }

    /// Disposes every node; from now on what is sent is ignored, and subscribing is an error.
    func dispose() {
        let (before, dropped, nodes) = guarded.withLock { guarded in
            publicLifecycle.store(2, ordering: .releasing)
            let before = (guarded.lifecycle, guarded.queue)
            guarded.lifecycle = .disposed
            guarded.queue = []
            waitingWork.subtract(before.1.count, ordering: .relaxed)
            return (before.0, before.1, takeJoining(&guarded) + takeNodes(&guarded))
        }
        for node in nodes { node.chain.dispose() }
        withExtendedLifetime((before, dropped)) {}  // released after the lock
    }

    /// Disposes every node, when nothing is left that could send.
    @usableFromInline
    func close() {
        guard hasObservers else { return }
        let nodes = guarded.withLock { takeJoining(&$0) + takeNodes(&$0) }
        for node in nodes { node.chain.dispose() }
    }
}

// MARK: - The turn

extension Multicast {
    /// Begins a delivery, which the caller then makes; or queues `work` for the thread that is delivering.
    ///
    /// - Returns: Whether it began one. Neither happens after the end.
    @usableFromInline
    func beginDelivery(orQueue work: @escaping (_ number: UInt64) -> Void) -> Bool {
        guarded.withLock { $0.isOpen && beginDelivery(&$0, forJoining: nil, orQueue: work) }
    }

    @usableFromInline
    func beginDelivery(
        _ guarded: inout Guarded, forJoining toJoining: ((AnyNode) -> Void)?,
        orQueue work: @escaping (_ number: UInt64) -> Void
    ) -> Bool {
        if let toJoining {
            for node in guarded.joining { node.waiting.append(Work(number: 0) { _ in toJoining(node) }) }
        }
        if !isDelivering(elseBecome: Turn.delivering) { return true }
        guarded.queue.append(Work(number: guarded.takeNumber(), run: work))
        noteWaitingWork()
        return false
    }

    /// Whether a thread is delivering. If so, it will take the lock before it is done; if not, `turn` takes that value.
    /// Under the lock.
    private func isDelivering(elseBecome next: UInt32) -> Bool {
        while true {
            if turn.compareExchange(expected: Turn.idle, desired: next, ordering: .acquiring).exchanged { return false }
            let found = turn.compareExchange(
                expected: Turn.delivering, desired: Turn.deliveringWithWork, ordering: .relaxed)
            if found.exchanged || found.original == Turn.deliveringWithWork { return true }
        }
    }

    /// Ends a delivery, after doing the work that was queued meanwhile.
    @inlinable
    func endDelivery() {
        if !turn.compareExchange(expected: 1, desired: 0, ordering: .releasing).exchanged { drain() }
    }

    @usableFromInline
    func drain() {
        var garbage: [AnyNode] = []  // released after the delivery
        var retired: [UnsafeMutablePointer<Unmanaged<AnyNode>>] = []
        while true {
            let batch = guarded.withLock { guarded in
                garbage += takeRemoved(&guarded)
                retired += guarded.retired
                guarded.retired = []
                let batch = guarded.queue
                guarded.queue = []
                if batch.isEmpty {
                    turn.store(Turn.idle, ordering: .releasing)
                } else {
                    turn.store(Turn.delivering, ordering: .relaxed)
                }
                return batch
            }
            if batch.isEmpty { break }
            for work in batch {
                work.run(work.number)
                waitingWork.subtract(1, ordering: .relaxed)
            }
        }
        for memory in retired { memory.deallocate() }
        withExtendedLifetime(garbage) {}
    }

    private func noteWaitingWork() {
        let waiting = waitingWork.add(1, ordering: .relaxed).newValue
        #if DEBUG
            if waiting == Hooks.pendingCountToWarnOf { Hooks.warn("\(waiting) events wait in a \(owner)") }
        #endif
    }

}

// MARK: - The list

extension Multicast {
    /// Adds a node, which receives what is sent from now on.
    @usableFromInline
    func add(_ node: AnyNode) {
        attach(node)
        switch guarded.withLock({ append(node, &$0) }) {
        case .open: break
        case .ended(let error): node.chain.finish(error)
        case .disposed: node.chain.fail(RxError.disposed(object: DisposedSubject(type: owner)))
        }
    }

    /// Adds a node, which at first receives what `store` keeps: when this returns it has received the element that was
    /// sent last, whatever other threads do.
    ///
    /// What is kept is sent to the node by this thread, and so is what others send meanwhile, for as long as no thread is
    /// delivering. Then the rest is handed over to the one that is.
    @inlinable
    func add<Store: ElementStore>(_ node: Node<Store.Element>, replaying store: Store) {
        attach(node)
        let (lifecycle, kept) = guarded.withLock { guarded -> (Lifecycle, Store.Kept?) in
            let kept = store.kept(guarded.lifecycle)
            if kept == nil { return (append(node, &guarded), nil) }
            join(node, &guarded)
            return (guarded.lifecycle, kept)
        }
        if let kept { store.replay(kept) { if node.chain.isLive { node.next($0) } } }
        switch lifecycle {
        case .open: if kept != nil { endJoining(node) }
        case .ended(let error): node.chain.finish(error)
        case .disposed: failAsDisposed(node)
        }
    }

    @usableFromInline
    func attach(_ node: AnyNode) {
        node.chain.attach(node)
        #if DEBUG
            SubscriptionRegistry.note(node.chain) { [weak self] in self?.pendingCount ?? 0 }
        #endif
    }

    @usableFromInline
    func failAsDisposed(_ node: AnyNode) {
        node.chain.fail(RxError.disposed(object: DisposedSubject(type: owner)))
    }

    @usableFromInline
    func join(_ node: AnyNode, _ guarded: inout Guarded) {
        guard guarded.isOpen, node.standing == .outside else { return }
        node.standing = .joining
        guarded.joining.append(node)
        observerCount.add(1, ordering: .releasing)
    }

    /// The node has received what was kept; now it receives what was sent meanwhile, and then stands in the list.
    @usableFromInline
    func endJoining(_ node: AnyNode) {
        while let work = guarded.withLock({ workBeforeListing(node, &$0) }) { node.run(work) }
    }

    /// What the thread of a joining node is to do before the node stands in the list; `nil` when it does, or is gone.
    private func workBeforeListing(_ node: AnyNode, _ guarded: inout Guarded) -> [Work]? {
        guard node.standing == .joining else { return nil }
        let waiting = node.waiting
        node.waiting = []
        if !waiting.isEmpty {
            // A free turn is not taken: whoever sends next is to find it free.
            let found = turn.compareExchange(
                expected: Turn.delivering, desired: Turn.deliveringWithWork, ordering: .relaxed)
            guard found.exchanged || found.original == Turn.deliveringWithWork else { return waiting }
            guarded.queue.append(Work(number: guarded.takeNumber()) { _ in node.run(waiting) })
            noteWaitingWork()
        }
        guarded.joining.removeAll { $0 === node }
        observerCount.subtract(1, ordering: .releasing)
        node.standing = .outside
        list(node, &guarded)
        return nil
    }

    @usableFromInline
    func append(_ node: AnyNode, _ guarded: inout Guarded) -> Lifecycle {
        if guarded.isOpen, node.standing == .outside { list(node, &guarded) }
        return guarded.lifecycle
    }

    private func list(_ node: AnyNode, _ guarded: inout Guarded) {
        let count = count.load(ordering: .relaxed)
        if count == guarded.capacity { grow(&guarded) }
        node.number = guarded.takeNumber()
        node.standing = .listed
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
        if isDelivering(elseBecome: Turn.changing) {
            guarded.retired.append(old)
        } else {
            turn.store(Turn.idle, ordering: .releasing)
            old.deallocate()
        }
    }

    fileprivate func remove(_ node: AnyNode) {
        let released = guarded.withLock { guarded -> ([Work], AnyNode?) in
            switch node.standing {
            case .outside:
                node.standing = .removed  // disposed before it was added
                return ([], nil)
            case .removed: return ([], nil)
            case .joining: guarded.joining.removeAll { $0 === node }
            case .listed:
                if isDelivering(elseBecome: Turn.changing) {
                    guarded.removed.append(node)
                } else {
                    erase(node)
                    turn.store(Turn.idle, ordering: .releasing)
                }
            }
            node.standing = .removed
            observerCount.subtract(1, ordering: .releasing)
            let waiting = node.waiting
            node.waiting = []
            return (waiting, node)
        }
        withExtendedLifetime(released) {}  // released after the lock
    }

    /// Takes a node out of the list; when no thread walks over that. The caller holds a reference to the node.
    private func erase(_ node: AnyNode) {
        let nodes = nodes.load(ordering: .relaxed)
        let count = count.load(ordering: .relaxed)
        let index = countOfNodes(below: node.number)
        nodes[index].release()
        (nodes + index).update(from: nodes + index + 1, count: count - index - 1)
        self.count.store(count - 1, ordering: .releasing)
    }

    /// Takes the nodes out of the list that were removed during deliveries; by the delivering thread, under the lock.
    private func takeRemoved(_ guarded: inout Guarded) -> [AnyNode] {
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
            if node._withUnsafeGuaranteedRef({ $0.standing == .listed }) {
                nodes[kept] = node
                kept += 1
            } else {
                node.release()  // `removed` holds it too
            }
        }
        count.store(kept, ordering: .releasing)
        return removed
    }

    /// Takes all nodes out of the list, or has the delivering thread do so; under the lock.
    ///
    /// - Parameter number: Nodes with numbers that are not lower stay.
    private func takeNodes(below number: UInt64 = .max, _ guarded: inout Guarded) -> [AnyNode] {
        let pointer = nodes.load(ordering: .relaxed)
        let taken = (0..<countOfNodes(below: number)).map { pointer[$0].takeUnretainedValue() }
            .filter { $0.standing == .listed }
        for node in taken { node.standing = .removed }
        observerCount.subtract(taken.count, ordering: .releasing)
        guarded.removed += taken
        if !isDelivering(elseBecome: Turn.changing) {
            _ = takeRemoved(&guarded)  // `taken` holds them
            turn.store(Turn.idle, ordering: .releasing)
        }
        return taken
    }

    private func takeJoining(_ guarded: inout Guarded) -> [AnyNode] {
        let joining = guarded.joining
        guarded.joining = []
        observerCount.subtract(joining.count, ordering: .releasing)
        for node in joining { node.standing = .removed }
        return joining
    }

    /// The number of nodes whose numbers are lower: numbers grow along the list.
    @usableFromInline
    func countOfNodes(below number: UInt64) -> Int {
        let nodes = nodes.load(ordering: .acquiring)
        var low = 0
        var high = count.load(ordering: .acquiring)
        while low < high {
            let middle = (low + high) / 2
            let isBelow = nodes[middle]._withUnsafeGuaranteedRef { $0.number < number }
            if isBelow { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Stands in an error for a subject that was disposed, and is described as it is.
private final class DisposedSubject: CustomStringConvertible, Sendable {
    private let type: Any.Type

    init(type: Any.Type) {
        self.type = type
    }

    var description: String { String(reflecting: type) }
}

/// One subscription's place in the list of a ``Multicast``.
///
/// `@unchecked Sendable`: all but the following is a `let` of a `Sendable` type. `standing` and `waiting` are guarded by
/// the lock of the multicast; `number` is set under it before the node is in the list, and then constant.
@usableFromInline
class AnyNode: DisposeBase, @unchecked Sendable {
    fileprivate enum Standing {
        case outside, joining, listed, removed
    }

    @usableFromInline let chain: Chain
    @usableFromInline let multicast: Multicast
    /// What else is disposed with the subscription.
    @usableFromInline let lease: DisposeBase?
    @exclusivity(unchecked) fileprivate var standing = Standing.outside
    @exclusivity(unchecked) fileprivate var number: UInt64 = 0
    /// What was sent to the node while it was joining.
    @exclusivity(unchecked) fileprivate var waiting: [Multicast.Work] = []

    @inlinable
    init(_ chain: Chain, in multicast: Multicast, lease: DisposeBase?) {
        self.chain = chain
        self.multicast = multicast
        self.lease = lease
    }

    @usableFromInline
    final override func dispose() {
        multicast.remove(self)
        lease?.dispose()
    }

    /// Does what waited while the node was joining.
    fileprivate func run(_ work: [Multicast.Work]) {
        for item in work where chain.isLive { item.run(item.number) }
    }
}

/// A node that knows the type of its elements.
@usableFromInline
final class Node<Element>: AnyNode, @unchecked Sendable {
    // `@unchecked Sendable`: `next` is that of a sink, and called by one thread at a time: the one that joins the node, or
    // the delivering one, handed over from one to the other under the lock of the multicast.

    @usableFromInline let next: (Element) -> Void

    @inlinable
    init(_ sink: Sink<Element>, in multicast: Multicast, lease: DisposeBase? = nil) {
        next = sink.next
        super.init(sink.chain, in: multicast, lease: lease)
    }
}
