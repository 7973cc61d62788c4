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

    private struct State: Sendable {
        var clock: VirtualTime
        var isRunning = false
        var agenda: Agenda<VirtualTime>
    }

    private let converter: Converter
    private let state: Mutex<State>

    /// A scheduler at `initialClock`, at rest.
    public init(initialClock: VirtualTime, converter: Converter) {
        self.converter = converter
        let agenda = Agenda<VirtualTime> { converter.compareVirtualTime($0, $1) == .lessThan }
        state = Mutex(State(clock: initialClock, agenda: agenda))
    }

    /// What time it is, as a date.
    public var now: RxTime { converter.convertFromVirtualTime(clock) }

    /// What time it is.
    public var clock: VirtualTime { state.withLock { $0.clock } }

    /// The work that waits: when it is due, and what it is for as far as that is known; in no order.
    package var pendingWork: [(time: VirtualTime, origin: String?)] {
        state.withLock { $0.agenda.entries.map { ($0.time, $0.origin) } }
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
        self.state.withLock { $0.agenda.add(work, at: time, origin: origin) }
        return work
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
        run(until: nil)
    }

    /// Runs all work that is due up to and including `virtualTime`, and sets the clock to that. Time does not go back:
    /// if it is later already, only what is overdue runs.
    public final func advanceTo(_ virtualTime: VirtualTime) {
        guard run(until: virtualTime) else { return }
        state.withLock { state in
            if converter.compareVirtualTime(virtualTime, state.clock) == .greaterThan { state.clock = virtualTime }
        }
    }

    /// Moves the clock on by `virtualInterval` without running anything, as work that takes its time does.
    public final func sleep(_ virtualInterval: VirtualTimeInterval) {
        state.withLock { state in
            let time = converter.offsetVirtualTime(state.clock, offset: virtualInterval)
            precondition(
                converter.compareVirtualTime(time, state.clock) != .lessThan, "a clock cannot be set back by sleeping")
            state.clock = time
        }
    }

    /// Ends ``start()`` or ``advanceTo(_:)`` after the work that is running; the rest waits.
    public final func stop() {
        state.withLock { $0.isRunning = false }
    }

    /// - Returns: Whether this call ran the work; not so when another one was under way.
    @discardableResult
    private func run(until end: VirtualTime?) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return false }
        while let work = state.withLock({ takeNext(from: &$0, until: end) }) { invoke(work.run) }
        stop()
        return true
    }

    private func takeNext(from state: inout State, until end: VirtualTime?) -> ScheduledWork? {
        guard state.isRunning, let next = state.agenda.first() else { return nil }
        if let end, converter.compareVirtualTime(next.time, end) == .greaterThan { return nil }
        if converter.compareVirtualTime(next.time, state.clock) == .greaterThan { state.clock = next.time }
        state.agenda.removeFirst()
        return next.work
    }
}

extension VirtualTimeScheduler: CustomDebugStringConvertible {
    /// The time, and the times of what waits.
    public var debugDescription: String {
        let times = state.withLock { state in
            var agenda = state.agenda
            var times: [VirtualTime] = []
            while let next = agenda.first() {
                times.append(next.time)
                agenda.removeFirst()
            }
            return times
        }
        return "\(type(of: self)) at \(clock), work at \(times)"
    }
}
