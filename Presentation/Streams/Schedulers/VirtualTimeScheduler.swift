public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A scheduler whose time passes only when it is told to.
///
/// What is scheduled waits until ``start()``, ``advanceTo(_:)`` or ``sleep(_:)`` moves the clock; then it runs on
/// the thread of that call, in the order of its time, and what has the same time in the order in which it was
/// scheduled. A subclass gives time its unit; see ``HistoricalScheduler`` for dates.
///
/// ```swift
/// let scheduler = HistoricalScheduler()
/// Observable<Int>.timer(.seconds(3600), scheduler: scheduler).subscribe(onNext: { print($0) })
/// scheduler.start()                               // prints 0, at once
/// ```
open class VirtualTimeScheduler<Converter: VirtualTimeConverterType>: SchedulerType, @unchecked Sendable {
    // `@unchecked Sendable`: mutable state is behind `state`, which is never held while work runs.

    /// A moment of virtual time.
    public typealias VirtualTime = Converter.VirtualTimeUnit
    /// A length of virtual time.
    public typealias VirtualTimeInterval = Converter.VirtualTimeIntervalUnit

    private let converter: Converter
    private let state: Mutex<VirtualTimeState>
    private let free: VirtualTimeCell.Release

    /// A scheduler at `initialClock`, at rest.
    public init(initialClock: VirtualTime, converter: Converter) {
        self.converter = converter
        let free: VirtualTimeCell.Release = { $0.free(as: VirtualTime.self) }
        let queue = VirtualTimeQueue(
            compare: {
                converter.compareVirtualTime($0.load(as: VirtualTime.self), $1.load(as: VirtualTime.self))
            }, free: free)
        state = Mutex(VirtualTimeState(clock: VirtualTimeCell(initialClock), queue: queue))
        self.free = free
    }

    deinit {
        let (clock, arrivals) = state.withLock { ($0.clock, $0.arrivals) }
        free(clock)
        for entry in arrivals { free(entry.time) }
    }

    /// What time it is, as a date.
    public var now: RxTime { converter.convertFromVirtualTime(clock) }

    /// What time it is.
    public var clock: VirtualTime {
        if VirtualTimeCell.isInPlace(VirtualTime.self) {
            return state.withLock { $0.clock }.load(as: VirtualTime.self)
        }
        // By way of memory: a lock whose result is generic looks up generic metadata, which takes longer.
        let copy = UnsafeMutablePointer<VirtualTime>.allocate(capacity: 1)
        defer { copy.deallocate() }
        state.withLock { $0.clock.load(into: copy) }
        return copy.move()
    }

    /// The work that waits: when it is due, and what it is for as far as that is known; in no order.
    package var pendingWork: [(time: VirtualTime, origin: String?)] {
        pendingEntries { ($0.time.load(as: VirtualTime.self), $0.origin) }
    }

    /// What waits, in no order; without what is in the queue while another thread uses that.
    private func pendingEntries<Result>(_ describe: (VirtualTimeQueue.Entry) -> Result) -> [Result] {
        let (queue, arrivals) = takeQueue()
        guard let queue else { return [] }
        for entry in arrivals { queue.insert(entry) }
        defer { state.withLock { $0.queue = queue } }
        return queue.entries.map(describe)
    }

    /// The queue, for this thread to use and put back, and what is to be added to it.
    private func takeQueue(onlyToRun: Bool = false) -> (VirtualTimeQueue?, arrivals: [VirtualTimeQueue.Entry]) {
        state.withLock { state in
            if onlyToRun, !state.isRunning { return (nil, []) }
            guard let queue = state.queue.take() else { return (nil, []) }
            let arrivals = state.arrivals
            state.arrivals.removeAll(keepingCapacity: arrivals.isEmpty)
            return (queue, arrivals)
        }
    }

    // MARK: Scheduling

    /// Runs `action` as soon as the clock moves on from now; see ``adjustScheduledTime(_:)``.
    @preconcurrency
    public final func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleRelative(state, dueTime: .nanoseconds(0), action: action)
    }

    /// Runs `action` once `dueTime` has passed on this clock.
    @preconcurrency
    public final func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard let seconds = dueTime.seconds else { return Disposables.create() }
        let time = converter.convertToVirtualTime(now.addingTimeInterval(seconds))
        return scheduleAbsoluteVirtual(state, time: adjustScheduledTime(time), action: action)
    }

    /// Runs `action` once `dueTime`, a length of virtual time, has passed; as it is, without adjustment.
    @preconcurrency
    public final func scheduleRelativeVirtual<StateType: Sendable>(
        _ state: StateType, dueTime: VirtualTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleAbsoluteVirtual(state, time: converter.offsetVirtualTime(clock, offset: dueTime), action: action)
    }

    /// Runs `action` at `time`. What is scheduled for a time that is past runs next, and the clock stays.
    @preconcurrency
    public final func scheduleAbsoluteVirtual<StateType: Sendable>(
        _ state: StateType, time: VirtualTime, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        #if DEBUG
            schedule(state, at: time, for: SubscriptionRegistry.currentOrigin, action)
        #else
            schedule(state, at: time, for: nil, action)
        #endif
    }

    /// The same, with words for what the work is for.
    package final func schedule<StateType: Sendable>(
        _ state: StateType, at time: VirtualTime, for origin: String?,
        _ action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let work = ScheduledWork(state, action)
        add(work, 0, at: time, for: origin)
        return work
    }

    private func add(_ item: VirtualTimeItem, _ token: UInt64, at time: VirtualTime, for origin: String?) {
        let cell = VirtualTimeCell(time)
        state.withLock { $0.add(item, token, at: cell, for: origin) }
    }

    /// When work that was asked for at `time`, in terms of ``schedule(_:action:)`` and
    /// ``scheduleRelative(_:dueTime:action:)``, is to run: that time, unless a subclass says otherwise.
    open func adjustScheduledTime(_ time: VirtualTime) -> VirtualTime { time }

    /// Runs a piece of work whose time has come. A subclass may do something around it.
    open func invoke(_ work: () -> Void) { work() }

    // MARK: Running

    /// Runs all work, and what that schedules in turn, until nothing waits or ``stop()`` is called.
    ///
    /// A call from within such work does nothing: the call that is under way goes on.
    public final func start() {
        _ = run(until: nil)
    }

    /// Runs all work that is due up to and including `virtualTime`, and sets the clock to that. Time does not go back:
    /// if it is later already, only what is overdue runs.
    public final func advanceTo(_ virtualTime: VirtualTime) {
        let end = VirtualTimeCell(virtualTime)
        defer { free(end) }
        guard run(until: end) else { return }
        moveClock { converter.compareVirtualTime(virtualTime, $0) == .greaterThan ? virtualTime : $0 }
    }

    /// Moves the clock on by `virtualInterval` without running anything, as work that takes its time does.
    public final func sleep(_ virtualInterval: VirtualTimeInterval) {
        moveClock { clock in
            let time = converter.offsetVirtualTime(clock, offset: virtualInterval)
            precondition(
                converter.compareVirtualTime(time, clock) != .lessThan, "a clock cannot be set back by sleeping")
            return time
        }
    }

    /// Moves the clock to where `next` says; that is user code, so it is called outside of the lock.
    private func moveClock(_ next: (VirtualTime) -> VirtualTime) {
        set(VirtualTimeCell(next(clock)))
    }

    private func set(_ clock: VirtualTimeCell) {
        let before = state.withLock { state in
            let before = state.clock
            state.clock = clock
            return before
        }
        free(before)
    }

    /// Ends ``start()`` or ``advanceTo(_:)`` after the work that is running; the rest waits.
    public final func stop() {
        state.withLock { $0.isRunning = false }
    }

    /// - Returns: Whether this call ran the work; not so when another one was under way.
    private func run(until end: VirtualTimeCell?) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return false }
        while let next = takeNext(until: end) { invoke { next.item.run(next.token) } }
        stop()
        return true
    }

    /// Takes what is due next, and sets the clock to its time.
    private func takeNext(until end: VirtualTimeCell?) -> VirtualTimeQueue.Entry? {
        let (queue, arrivals) = takeQueue(onlyToRun: true)
        guard let queue else { return nil }
        let next = queue.popFirst(inserting: arrivals, until: end)
        let clock = state.withLock { state in
            state.queue = queue
            return state.clock
        }
        guard let next else { return nil }
        if queue.compare(next.time, clock) == .greaterThan { set(next.time) } else { free(next.time) }
        return next
    }
}

/// What a ``VirtualTimeScheduler`` guards by its lock.
private struct VirtualTimeState: Sendable {
    var clock: VirtualTimeCell
    var isRunning = false
    /// What was scheduled since the queue was in use last.
    var arrivals: [VirtualTimeQueue.Entry] = []
    /// `nil` while a thread uses it: it calls the converter, which is user code, so it is used outside of the lock.
    var queue: VirtualTimeQueue?
    private var nextNumber: UInt64 = 0

    init(clock: VirtualTimeCell, queue: VirtualTimeQueue) {
        self.clock = clock
        self.queue = queue
    }

    mutating func add(_ item: VirtualTimeItem, _ token: UInt64, at time: VirtualTimeCell, for origin: String?) {
        arrivals.append(VirtualTimeQueue.Entry(time: time, number: nextNumber, origin: origin, item: item, token: token))
        nextNumber &+= 1
    }
}

extension VirtualTimeScheduler: VirtualTimeItemScheduler {
    func enqueue(_ item: VirtualTimeItem, _ token: UInt64, after seconds: Double) {
        let clock = clock
        let date = converter.convertFromVirtualTime(clock).addingTimeInterval(seconds)
        #if DEBUG
            let origin = SubscriptionRegistry.currentOrigin
        #else
            let origin: String? = nil
        #endif
        add(item, token, at: adjustScheduledTime(converter.convertToVirtualTime(date)), for: origin)
    }
}

extension VirtualTimeScheduler: CustomDebugStringConvertible {
    /// The time, and the times of what waits.
    public var debugDescription: String {
        let times = pendingEntries { (time: $0.time.load(as: VirtualTime.self), number: $0.number) }
            .sorted { lhs, rhs in
                switch converter.compareVirtualTime(lhs.time, rhs.time) {
                case .lessThan: true
                case .equal: lhs.number < rhs.number
                case .greaterThan: false
                }
            }
            .map(\.time)
        return "\(type(of: self)) at \(clock), work at \(times)"
    }
}
