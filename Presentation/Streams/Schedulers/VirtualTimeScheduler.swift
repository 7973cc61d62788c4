public import Dispatch

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A scheduler whose clock advances only on request.
///
/// Scheduled work waits until ``start()`` or ``advanceTo(_:)`` runs it on the thread of that call, ordered by due time;
/// work with the same due time runs in the order in which it was scheduled. ``sleep(_:)`` only moves the clock. A
/// subclass defines the unit of time; see ``HistoricalScheduler`` for dates.
///
/// ```swift
/// let scheduler = HistoricalScheduler()
/// Observable<Int>.timer(.seconds(3600), scheduler: scheduler).subscribe(onNext: { print($0) })
/// scheduler.start()                               // prints 0, immediately
/// ```
open class VirtualTimeScheduler<Converter: VirtualTimeConverterType>: SchedulerType, @unchecked Sendable {
    // `@unchecked Sendable`: mutable state is behind the lock `state`, which is never held while work runs.

    public typealias VirtualTime = Converter.VirtualTimeUnit
    public typealias VirtualTimeInterval = Converter.VirtualTimeIntervalUnit

    private let converter: Converter
    private let state: Mutex<VirtualTimeState>
    private let free: ErasedTime.Release

    /// Creates a stopped scheduler whose clock starts at `initialClock`.
    public init(initialClock: VirtualTime, converter: Converter) {
        self.converter = converter
        let free: ErasedTime.Release = { $0.free(as: VirtualTime.self) }
        let queue = VirtualTimeQueue(
            compare: {
                converter.compareVirtualTime($0.load(as: VirtualTime.self), $1.load(as: VirtualTime.self))
            }, free: free)
        state = Mutex(VirtualTimeState(clock: ErasedTime(initialClock), queue: queue))
        self.free = free
    }

    deinit {
        let (clock, arrivals) = state.withLock { ($0.clock, $0.arrivals) }
        free(clock)
        for entry in arrivals { free(entry.time) }
    }

    /// The current virtual time as a date.
    public var now: RxTime { converter.convertFromVirtualTime(clock) }

    /// The current virtual time. It advances only while work runs, to the due time of that work, and by
    /// ``advanceTo(_:)`` and ``sleep(_:)``.
    public var clock: VirtualTime {
        if ErasedTime.isInPlace(VirtualTime.self) {
            return state.withLock { $0.clock }.load(as: VirtualTime.self)
        }
        // Copied through memory: `withLock` with a generic result looks up generic metadata, which is slower.
        let copy = UnsafeMutablePointer<VirtualTime>.allocate(capacity: 1)
        defer { copy.deallocate() }
        state.withLock { $0.clock.load(into: copy) }
        return copy.move()
    }

    /// The pending work: its due time and, if known, a description. In unspecified order.
    package var pendingWork: [(time: VirtualTime, origin: String?)] {
        pendingEntries { ($0.time.load(as: VirtualTime.self), $0.origin) }
    }

    /// Describes the pending work, in unspecified order. Work in the queue is omitted while another thread uses the
    /// queue.
    private func pendingEntries<Result>(_ describe: (VirtualTimeQueue.Entry) -> Result) -> [Result] {
        let (queue, arrivals) = takeQueue()
        guard let queue else { return [] }
        for entry in arrivals { queue.insert(entry) }
        defer { state.withLock { $0.queue = queue } }
        return queue.entries.map(describe)
    }

    /// Takes the queue for exclusive use by this thread, which puts it back, and the entries to insert into it.
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

    /// Schedules `action` for the current virtual time; see ``adjustScheduledTime(_:)``.
    @preconcurrency
    public final func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable { scheduleRelative(state, dueTime: .nanoseconds(0), action: action) }

    /// Runs `action` when `dueTime` has passed on this clock.
    @preconcurrency
    public final func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        guard let seconds = dueTime.seconds else { return Disposables.create() }
        let time = converter.convertToVirtualTime(now.addingTimeInterval(seconds))
        return scheduleAbsoluteVirtual(state, time: adjustScheduledTime(time), action: action)
    }

    /// Runs `action` when the virtual interval `dueTime` has passed. The due time is not adjusted.
    @preconcurrency
    public final func scheduleRelativeVirtual<StateType: Sendable>(
        _ state: StateType, dueTime: VirtualTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        scheduleAbsoluteVirtual(state, time: converter.offsetVirtualTime(clock, offset: dueTime), action: action)
    }

    /// Runs `action` at `time`. Work for a past time runs next, without moving the clock.
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

    /// Runs `action` at `time`, with a description of the work for diagnostics.
    package final func schedule<StateType: Sendable>(
        _ state: StateType, at time: VirtualTime, for origin: String?,
        _ action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let work = ScheduledWork(state, action)
        add(work, 0, at: time, for: origin)
        return work
    }

    private func add(_ item: VirtualTimeItem, _ token: UInt64, at time: VirtualTime, for origin: String?) {
        let erased = ErasedTime(time)
        state.withLock { $0.add(item, token, at: erased, for: origin) }
    }

    /// Returns the due time of work that ``schedule(_:action:)`` or ``scheduleRelative(_:dueTime:action:)`` requests
    /// for `time`: that time, unless a subclass overrides this method.
    open func adjustScheduledTime(_ time: VirtualTime) -> VirtualTime { time }

    /// Runs due work. A subclass can override this method to wrap the call.
    open func invoke(_ work: () -> Void) { work() }

    // MARK: Running

    /// Runs all work, including the work that it schedules, until none is pending or ``stop()`` is called.
    ///
    /// A nested call from running work does nothing: the outer call continues.
    public final func start() { _ = run(until: nil) }

    /// Runs all work that is due up to and including `virtualTime`, and sets the clock to that time. The clock never
    /// moves back: if it is later already, only overdue work runs.
    ///
    /// ```swift
    /// let scheduler = HistoricalScheduler()
    /// Observable<Int>.interval(.seconds(10), scheduler: scheduler).subscribe(onNext: { print($0) })
    /// scheduler.advanceTo(Date(timeIntervalSince1970: 25))    // prints 0 1
    /// ```
    public final func advanceTo(_ virtualTime: VirtualTime) {
        let end = ErasedTime(virtualTime)
        defer { free(end) }
        guard run(until: end) else { return }
        moveClock { converter.compareVirtualTime(virtualTime, $0) == .greaterThan ? virtualTime : $0 }
    }

    /// Advances the clock by `virtualInterval` without running work: simulates work that takes time.
    public final func sleep(_ virtualInterval: VirtualTimeInterval) {
        moveClock { clock in
            let time = converter.offsetVirtualTime(clock, offset: virtualInterval)
            precondition(
                converter.compareVirtualTime(time, clock) != .lessThan, "sleep(_:) cannot set the clock back")
            return time
        }
    }

    /// Sets the clock to the result of `next`, which calls user code and is therefore called outside the lock.
    private func moveClock(_ next: (VirtualTime) -> VirtualTime) {
        set(ErasedTime(next(clock)))
    }

    private func set(_ clock: ErasedTime) {
        let before = state.withLock { state in
            let before = state.clock
            state.clock = clock
            return before
        }
        free(before)
    }

    /// Ends ``start()`` or ``advanceTo(_:)`` after the running work; the remaining work stays pending.
    public final func stop() { state.withLock { $0.isRunning = false } }

    /// - Returns: Whether this call ran the work; `false` if another call is in progress.
    private func run(until end: ErasedTime?) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return false }
        while let next = takeNext(until: end) { invoke { next.item.run(next.token) } }
        stop()
        return true
    }

    /// Removes and returns the next due entry, and sets the clock to its time.
    private func takeNext(until end: ErasedTime?) -> VirtualTimeQueue.Entry? {
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

/// The lock-protected state of a ``VirtualTimeScheduler``.
private struct VirtualTimeState: Sendable {
    var clock: ErasedTime
    var isRunning = false
    /// Entries that were scheduled since the queue was last used.
    var arrivals: [VirtualTimeQueue.Entry] = []
    /// `nil` while a thread uses it. The queue calls the converter, which is user code, so it is used outside the lock.
    var queue: VirtualTimeQueue?
    private var nextNumber: UInt64 = 0

    init(clock: ErasedTime, queue: VirtualTimeQueue) {
        self.clock = clock
        self.queue = queue
    }

    mutating func add(_ item: VirtualTimeItem, _ token: UInt64, at time: ErasedTime, for origin: String?) {
        arrivals.append(
            VirtualTimeQueue.Entry(time: time, number: nextNumber, origin: origin, item: item, token: token))
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
    /// The clock and the due times of the pending work.
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

/// The time types of a ``VirtualTimeScheduler``, and their conversion to dates and seconds.
///
/// ```swift
/// struct Frames: VirtualTimeConverterType {
///     func convertFromVirtualTime(_ frame: Int) -> RxTime { Date(timeIntervalSince1970: Double(frame) / 60) }
///     func convertToVirtualTime(_ time: RxTime) -> Int { Int(time.timeIntervalSince1970 * 60) }
///     func convertFromVirtualTimeInterval(_ frames: Int) -> TimeInterval { Double(frames) / 60 }
///     func convertToVirtualTimeInterval(_ seconds: TimeInterval) -> Int { Int(seconds * 60) }
///     func offsetVirtualTime(_ frame: Int, offset: Int) -> Int { frame + offset }
///     func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
///         lhs < rhs ? .lessThan : lhs == rhs ? .equal : .greaterThan
///     }
/// }
/// let scheduler = VirtualTimeScheduler(initialClock: 0, converter: Frames())
/// _ = Observable<Int>.timer(.seconds(1), scheduler: scheduler).subscribe(onNext: { _ in print(scheduler.clock) })
/// scheduler.start()    // prints 60
/// ```
@preconcurrency
public protocol VirtualTimeConverterType: Sendable {
    associatedtype VirtualTimeUnit: Sendable
    associatedtype VirtualTimeIntervalUnit: Sendable

    func convertFromVirtualTime(_ virtualTime: VirtualTimeUnit) -> RxTime
    func convertToVirtualTime(_ time: RxTime) -> VirtualTimeUnit
    /// Converts an interval of virtual time units to seconds.
    func convertFromVirtualTimeInterval(_ virtualTimeInterval: VirtualTimeIntervalUnit) -> TimeInterval
    /// Converts seconds to an interval of virtual time units.
    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> VirtualTimeIntervalUnit
    /// Returns the virtual time `offset` after `time`.
    func offsetVirtualTime(_ time: VirtualTimeUnit, offset: VirtualTimeIntervalUnit) -> VirtualTimeUnit
    /// Compares two virtual times; the earlier one is less.
    func compareVirtualTime(_ lhs: VirtualTimeUnit, _ rhs: VirtualTimeUnit) -> VirtualTimeComparison
}

/// The order of two virtual times.
///
/// ```swift
/// func order(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
///     lhs < rhs ? .lessThan : lhs == rhs ? .equal : .greaterThan
/// }
/// print(order(1, 2))    // prints lessThan
/// ```
public enum VirtualTimeComparison: Sendable {
    case lessThan
    case equal
    case greaterThan
}

/// A virtual-time scheduler whose time is a date, for replaying recorded events with their time stamps.
///
/// ```swift
/// let scheduler = HistoricalScheduler(initialClock: log[0].date)
/// for entry in log {
///     _ = scheduler.scheduleAbsoluteVirtual(entry, time: entry.date) { entry in
///         replayed.onNext(entry)
///         return Disposables.create()
///     }
/// }
/// scheduler.start()                                // every entry at its date, in no time
/// ```
public final class HistoricalScheduler: VirtualTimeScheduler<HistoricalSchedulerTimeConverter>, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// Creates a scheduler whose clock starts at `initialClock`; by default at the start of 1970.
    public init(initialClock: RxTime = Date(timeIntervalSince1970: 0)) {
        super.init(initialClock: initialClock, converter: HistoricalSchedulerTimeConverter())
    }
}

/// A converter for virtual time that consists of dates and seconds.
///
/// ```swift
/// let scheduler = HistoricalScheduler()
/// scheduler.advanceTo(Date(timeIntervalSince1970: 60))
/// print(scheduler.clock.timeIntervalSince1970)    // prints 60.0
/// ```
public struct HistoricalSchedulerTimeConverter: VirtualTimeConverterType {
    public typealias VirtualTimeUnit = RxTime
    public typealias VirtualTimeIntervalUnit = TimeInterval

    /// Creates a converter, for a subclass of ``VirtualTimeScheduler`` whose clock is a date.
    public init() {}

    public func convertFromVirtualTime(_ virtualTime: RxTime) -> RxTime { virtualTime }

    public func convertToVirtualTime(_ time: RxTime) -> RxTime { time }

    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: TimeInterval) -> TimeInterval {
        virtualTimeInterval
    }

    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> TimeInterval { timeInterval }

    public func offsetVirtualTime(_ time: RxTime, offset: TimeInterval) -> RxTime {
        time.addingTimeInterval(offset)
    }

    public func compareVirtualTime(_ lhs: RxTime, _ rhs: RxTime) -> VirtualTimeComparison {
        if lhs < rhs { return .lessThan }
        return lhs == rhs ? .equal : .greaterThan
    }
}
