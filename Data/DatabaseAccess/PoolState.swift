internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The slots, the queues and the threads of a pool.
struct PoolState {
    /// Whether accesses wait in order of priority, and low-priority accesses leave one connection free.
    let isPrioritized: Bool
    /// Whether accesses wait only for a limited time.
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
    /// The time at which a thread last became idle.
    var lastIdleTime = 0
    var idleThreadCount = 0
    var busyThreadCount: Int { threadCount - idleThreadCount }
    /// Whether an idle thread spins instead of sleeping.
    var hasSpinner = false
    var isClosed = false
    /// Called when the last connection has closed.
    var closeHandlers: [@Sendable () -> Void] = []
    var isSuspended = false
    /// Called when a suspension has closed all connections.
    var suspensionHandlers: [@Sendable () -> Void] = []

    /// An access that waits for a slot.
    enum Waiter {
        case job(any Job)
        case caller(id: UInt64, take: @Sendable (Result<PoolSlot, any Error>) -> Void)
    }

    init(isPrioritized: Bool, isTimed: Bool, unopened: Int) {
        (self.isPrioritized, self.isTimed, self.unopened) = (isPrioritized, isTimed, unopened)
    }

    /// The priority of the current task's access.
    var currentPriority: AccessPriority { isPrioritized ? AccessPriority(Task.currentPriority) : .normal }

    /// Enqueues a waiter, and returns whether the lease timer must be started.
    mutating func enqueue(_ waiter: Waiter, _ priority: AccessPriority) -> Bool {
        waiters.append(waiter, priority)
        guard isTimed, !hasTimer else { return false }
        hasTimer = true
        return true
    }

    /// Returns a slot if one is free for this priority. A free slot implies that no waiter could use it.
    mutating func acquireSlot(_ priority: AccessPriority) -> PoolSlot? {
        guard !isClosed, !isSuspended else { return nil }
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

    /// Returns the waiter that receives the slot next; without one, the slot becomes idle.
    mutating func releaseSlot(_ slot: PoolSlot) -> Waiter? {
        // The last free slot is reserved for accesses above low priority.
        let isLast = isPrioritized && idle.isEmpty && unopened == 0
        if !isSuspended, let waiter = waiters.popFirst(atLeast: isLast ? .normal : .low) { return waiter }
        inUse -= 1
        idle.append(slot)
        return nil
    }

    /// Returns the teardown for a suspension once the last running access has ended. Later accesses open new
    /// connections.
    mutating func takeSuspension() -> PoolTeardown? {
        guard isSuspended, inUse == 0, !suspensionHandlers.isEmpty else { return nil }
        unopened += idle.count
        defer { (idle, suspensionHandlers) = ([], []) }
        return PoolTeardown(slots: idle, handlers: suspensionHandlers)
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

    func run() {
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

/// Decides from recent timings how long threads spin before they sleep.
///
/// Putting a thread to sleep and waking it takes about 15 microseconds, several times as long as a short access.
/// Therefore, when short accesses follow each other closely, both the requester and the pool's thread spin for a
/// moment; otherwise neither does. All times are in nanoseconds.
final class SpinPolicy: Sendable {
    /// The maximum time to spin.
    private static let longest = 50_000
    static let processorCount = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)

    /// Hints to the processor that the thread spins. Without it, threads sleep immediately.
    private let pause: (@Sendable () -> Void)?
    // Moving averages, weighted towards the last four samples. Concurrent updates may be lost.
    private let gap = Atomic(1_000_000)
    private let work = Atomic(1_000_000)

    init(pause: (@Sendable () -> Void)?) {
        self.pause = Self.processorCount > 1 ? pause : nil
    }

    /// How long an idle thread spins for a job.
    var idleSpinTime: Int {
        let gap = gap.load(ordering: .relaxed)
        return pause != nil && gap < Self.longest ? min(2 * gap + 5000, Self.longest) : 0
    }

    /// How long a requester spins for the result of a job that a thread has picked up.
    var resultSpinTime: Int {
        let work = work.load(ordering: .relaxed)
        return pause != nil && work < Self.longest / 2 ? min(2 * work + 5000, Self.longest) : 0
    }

    /// Records the time since `start` as the idle time of a thread.
    func recordIdleTime(since start: Int) {
        _ = Self.update(gap, since: start)
    }

    /// Records the time since `start` as the duration of a job, and returns the current time.
    func recordWork(since start: Int) -> Int {
        Self.update(work, since: start)
    }

    private static func update(_ average: borrowing Atomic<Int>, since start: Int) -> Int {
        let now = MonotonicClock.now()
        let time = min(now - start, 1_000_000)
        average.store((average.load(ordering: .relaxed) * 3 + time) / 4, ordering: .relaxed)
        return now
    }

    /// Spins until `isOver` returns true, or until `end`.
    @inline(__always)
    func spin(until end: Int, _ isOver: () -> Bool) {
        while let pause {
            for _ in 0..<32 {
                if isOver() { return }
                pause()
            }
            if MonotonicClock.now() >= end { return }
            // Lets other threads use this processor.
            sched_yield()
        }
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
