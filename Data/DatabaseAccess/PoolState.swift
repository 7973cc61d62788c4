internal import Synchronization

/// The slots, the queues and the threads of a pool.
struct PoolState {
    /// Whether accesses wait in order of priority, and low-priority accesses leave one connection free.
    let isPrioritized: Bool
    let isTimed: Bool
    var idle: [PoolSlot] = []
    /// The number of connections that can still be opened.
    var unopened: Int
    var inUse = 0
    var waiters = PriorityQueue<Waiter>()
    var lastWaiter: UInt64 = 0
    /// Whether a timer looks for accesses that have waited too long.
    var hasTimer = false
    /// Jobs with a slot that wait for a thread.
    var ready = Queue<(job: any Job, slot: PoolSlot)>()
    var threadCount = 0
    var idleThreadCount = 0
    var isClosed = false
    /// Whether accesses wait although a slot may be free.
    var isPaused = false
    /// Called when the last connection has closed.
    var closeHandlers: [@Sendable () -> Void] = []

    enum Waiter {
        case job(any Job)
        case caller(id: UInt64, take: @Sendable (Result<PoolSlot, any Error>) -> Void)
    }

    init(isPrioritized: Bool, isTimed: Bool, unopened: Int) {
        (self.isPrioritized, self.isTimed, self.unopened) = (isPrioritized, isTimed, unopened)
    }

    /// The priority of an access by a task with this priority.
    func priority(of task: TaskPriority) -> AccessPriority { isPrioritized ? AccessPriority(task) : .normal }

    /// Enqueues a waiter, and returns whether the lease timer must be started.
    mutating func enqueue(_ waiter: Waiter, _ priority: AccessPriority) -> Bool {
        waiters.append(waiter, priority)
        guard isTimed, !hasTimer else { return false }
        hasTimer = true
        return true
    }

    /// Returns a slot if one is free for this priority. A free slot implies that no waiter could use it, or a pause.
    mutating func acquireSlot(_ priority: AccessPriority) -> PoolSlot? {
        guard !isClosed, !isPaused else { return nil }
        if priority == .low, isPrioritized, idle.count + unopened < 2 { return nil }
        if let slot = idle.popLast() {
            inUse += 1
            return slot
        }
        guard unopened > 0 else { return nil }
        unopened -= 1
        inUse += 1
        return PoolSlot()
    }

    /// Returns a slot if one is free with an open connection, or with one to open if `mayOpen`. Not for low priority:
    /// accesses of higher priority would wait for a thread that the system runs rarely.
    mutating func acquireSlotForShortAccess(mayOpen: Bool) -> PoolSlot? {
        guard mayOpen || idle.last?.opened != nil else { return nil }
        let priority = AccessPriority(Task.currentPriority)
        return priority == .low ? nil : acquireSlot(priority)
    }

    /// Returns the waiter that receives the slot next; without one, the slot becomes idle.
    mutating func releaseSlot(_ slot: PoolSlot) -> Waiter? {
        // The last free slot is reserved for accesses above low priority.
        let isLast = isPrioritized && idle.isEmpty && unopened == 0
        if !isPaused, let waiter = waiters.popFirst(atLeast: isLast ? .normal : .low) { return waiter }
        inUse -= 1
        idle.append(slot)
        return nil
    }

    /// Ends a pause, and returns the waiters that receive the free slots.
    mutating func resume() -> [(waiter: Waiter, slot: PoolSlot)] {
        isPaused = false
        var next: [(waiter: Waiter, slot: PoolSlot)] = []
        while !idle.isEmpty || unopened > 0 {
            let isLast = isPrioritized && idle.count + unopened == 1
            guard let waiter = waiters.popFirst(atLeast: isLast ? .normal : .low) else { break }
            if idle.isEmpty { unopened -= 1 }
            inUse += 1
            next.append((waiter, idle.popLast() ?? PoolSlot()))
        }
        return next
    }

    /// Returns the teardown for closing once everything has ended.
    mutating func takeTeardown() -> PoolTeardown? {
        guard isClosed, inUse == 0, threadCount == 0, waiters.isEmpty, !closeHandlers.isEmpty else { return nil }
        defer { (idle, closeHandlers) = ([], []) }
        return PoolTeardown(slots: idle, handlers: closeHandlers)
    }
}

/// The right to use one connection, with that connection once it is open.
///
/// `@unchecked Sendable`: a slot is idle or acquired by exactly one access.
final class PoolSlot: @unchecked Sendable {
    var opened: (any PooledConnection)?
}

/// Connections to close and handlers to call afterwards, outside the lock.
struct PoolTeardown {
    let slots: [PoolSlot]
    let handlers: [@Sendable () -> Void]

    var isQuick: Bool { slots.allSatisfy { $0.opened?.closesQuickly ?? true } }

    func run() {
        for slot in slots where slot.opened?.closesLast != true { slot.opened = nil }
        for slot in slots { slot.opened = nil }
        for handler in handlers { handler() }
    }
}

enum AccessPriority: Int, CaseIterable, Comparable {
    /// Utility and background work.
    case low
    case normal
    /// User-initiated work.
    case high

    init(_ priority: TaskPriority) {
        self = priority > .medium ? .high : priority < .medium ? .low : .normal
    }

    static func < (left: AccessPriority, right: AccessPriority) -> Bool { left.rawValue < right.rawValue }

    /// The head start over `low`, in nanoseconds. A lower priority overtakes after waiting longer by the difference.
    fileprivate var headStart: Int { rawValue * 1_000_000_000 }
}

/// A queue with priorities and aging: each priority has a fixed head start, so that no element waits forever. Elements
/// of equal priority are first in, first out. All operations except `removeFirst` take amortised constant time.
struct PriorityQueue<Element> {
    private typealias Arrival = (element: Element, time: Int)

    private var queues = [Queue<Arrival>](repeating: Queue(), count: AccessPriority.allCases.count)

    var count: Int { queues.reduce(0) { $0 + $1.count } }
    var isEmpty: Bool { queues.allSatisfy(\.isEmpty) }

    /// Adds an element that arrived at `time`, in nanoseconds.
    mutating func append(_ element: Element, _ priority: AccessPriority, at time: Int = MonotonicClock.now()) {
        queues[priority.rawValue].append((element, time))
    }

    /// Removes and returns the first element with at least this priority.
    mutating func popFirst(atLeast least: AccessPriority = .low) -> Element? {
        var first: (priority: AccessPriority, time: Int)?
        for priority in AccessPriority.allCases.reversed() where priority >= least {
            guard let arrival = queues[priority.rawValue].first else { continue }
            let time = arrival.time - priority.headStart
            if time < first?.time ?? .max { first = (priority, time) }
        }
        return first.flatMap { queues[$0.priority.rawValue].popFirst()?.element }
    }

    /// The time at which the longest waiting element arrived.
    var firstArrival: Int? { queues.lazy.compactMap { $0.first?.time }.min() }

    /// Removes and returns the longest waiting element, regardless of its priority.
    mutating func popFirstArrival() -> Element? {
        guard let time = firstArrival, let index = queues.firstIndex(where: { $0.first?.time == time }) else {
            return nil
        }
        return queues[index].popFirst()?.element
    }

    mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        for index in queues.indices {
            if let arrival = queues[index].removeFirst(where: { isMeant($0.element) }) { return arrival.element }
        }
        return nil
    }
}

/// A first-in, first-out queue; adding and removing take amortised constant time.
struct Queue<Element> {
    private var elements: ContiguousArray<Element?> = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { count == 0 }

    var first: Element? { head < elements.count ? elements[head] : nil }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let first = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 32, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }

    mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        guard let index = elements[head...].firstIndex(where: { $0.map(isMeant) ?? false }) else { return nil }
        return elements.remove(at: index)
    }
}
