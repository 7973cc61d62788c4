public import Dispatch

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type that runs work: immediately, later on the same thread, or on another thread.
///
/// ```swift
/// _ = CurrentThreadScheduler.instance.schedule("work") { state in
///     print(state)
///     return Disposables.create()
/// }    // prints work
/// ```
@preconcurrency
public protocol ImmediateSchedulerType: Sendable {
    /// Runs `action` with `state` as soon as the scheduler permits.
    ///
    /// - Returns: A disposable that cancels the work, or disposes the disposable that `action` returned.
    func schedule<StateType: Sendable>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable
}

extension ImmediateSchedulerType {
    /// Runs `work` as soon as the scheduler permits.
    @inlinable
    package func run(_ work: @escaping @Sendable () -> Void) {
        _ = schedule(()) { _ in
            work()
            return Disposables.create()
        }
    }

    /// Runs `action` with `state`; `action` can schedule itself again, with another state, by calling `recurse`.
    ///
    /// Each run is scheduled separately. On a scheduler that runs work immediately the runs do not nest: 100,000 of
    /// them need no more stack than one.
    ///
    /// ```swift
    /// CurrentThreadScheduler.instance.scheduleRecursive(3) { count, recurse in
    ///     print(count)
    ///     if count > 1 { recurse(count - 1) }
    /// }                                               // prints 3 2 1
    /// ```
    ///
    /// - Returns: A disposable that cancels the scheduled run and all later runs.
    @preconcurrency
    public func scheduleRecursive<State: Sendable>(
        _ state: State, action: @escaping @Sendable (_ state: State, _ recurse: (State) -> Void) -> Void
    ) -> any Disposable {
        let recursion = Recursion(on: self, action)
        recursion.run(state)
        return recursion
    }
}

/// Work that schedules itself again.
private final class Recursion<State: Sendable>: DisposeBase {
    private let resource = Resources.Counted()
    private let scheduler: any ImmediateSchedulerType
    private let action: @Sendable (State, (State) -> Void) -> Void
    private let scheduled = CompositeDisposable()
    /// For each thread that is running the action, the states that a scheduler without a queue was asked to run next.
    private let nested = Mutex<[UInt: Queue<State>]>([:])

    init(
        on scheduler: any ImmediateSchedulerType, _ action: @escaping @Sendable (State, (State) -> Void) -> Void
    ) {
        self.scheduler = scheduler
        self.action = action
    }

    func run(_ state: State) {
        let slot = SingleAssignmentDisposable()
        guard let key = scheduled.insert(slot) else { return }
        slot.setDisposable(
            scheduler.schedule(state) { [self] state in
                perform(state)
                scheduled.remove(for: key)
                return NopDisposable.shared
            })
    }

    private func perform(_ state: State) {
        let thread = Thread.current
        let isNested = nested.withLock { nested in
            nested[thread]?.append(state)
            if nested[thread] != nil { return true }
            nested[thread] = Queue()
            return false
        }
        if isNested { return }
        var next: State? = state
        while let state = next {
            if !scheduled.isDisposed { action(state, run) }
            next = nested.withLock { nested in
                let next = nested[thread]?.popFirst()
                if next == nil { nested[thread] = nil }
                return next
            }
        }
    }

    func dispose() { scheduled.dispose() }
}

public typealias RxTimeInterval = DispatchTimeInterval
/// A point in time.
public typealias RxTime = Date

/// A scheduler with a clock.
///
/// ```swift
/// let scheduler = HistoricalScheduler()
/// _ = scheduler.scheduleRelative("a second later", dueTime: .seconds(1)) { state in
///     print(state)
///     return Disposables.create()
/// }
/// scheduler.advanceTo(Date(timeIntervalSince1970: 1))    // prints a second later
/// ```
@preconcurrency
public protocol SchedulerType: ImmediateSchedulerType {
    /// The current time of the scheduler's clock.
    var now: RxTime { get }

    /// Runs `action` with `state` after `dueTime` has passed.
    ///
    /// - Returns: A disposable that cancels the work, or disposes the disposable that `action` returned.
    func scheduleRelative<StateType: Sendable>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable

    /// Runs `action` after `startAfter` and then every `period`, with the state that its previous run returned.
    ///
    /// Runs never overlap: a tick that occurs during a run waits for it.
    func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable
}

extension SchedulerType {
    /// Runs `action` after `startAfter` and then every `period`, with the state that its previous run returned.
    ///
    /// The default implementation for schedulers without a timer: each tick schedules the next one, relative to itself.
    @preconcurrency
    public func schedulePeriodic<StateType: Sendable>(
        _ state: StateType, startAfter: RxTimeInterval, period: RxTimeInterval,
        action: @escaping @Sendable (StateType) -> StateType
    ) -> any Disposable {
        let work = PeriodicWork(state, every: period, on: self, action)
        work.start(after: startAfter)
        return work
    }
}

// The RxSwift names of time types within its schedulers.

extension SerialDispatchQueueScheduler {
    public typealias TimeInterval = Double
    public typealias Time = Date
}

extension ConcurrentDispatchQueueScheduler {
    public typealias TimeInterval = Double
    public typealias Time = Date
}

extension ConcurrentMainScheduler {
    public typealias TimeInterval = Double
    public typealias Time = Date
}

extension DispatchTimeInterval {
    /// The interval in seconds; `nil` for `never`, and for more than the 292 years that 64 bits hold in nanoseconds: the
    /// clock of a scheduler does not reach such a time, and may not be able to represent it.
    var seconds: Double? {
        let limit = Double(Int64.max) / 1e9
        let seconds: Double? =
            switch self {
            case .seconds(let count): Double(count)
            case .milliseconds(let count): Double(count) / 1e3
            case .microseconds(let count): Double(count) / 1e6
            case .nanoseconds(let count): Double(count) / 1e9
            case .never: nil
            @unknown default: nil
            }
        return seconds.flatMap { $0 < limit ? max($0, -limit) : nil }
    }
}

extension RxTimeInterval {
    /// An empty interval.
    @usableFromInline static var zero: RxTimeInterval { .nanoseconds(0) }

    /// Creates an interval of seconds, in nanoseconds or, if `Int` cannot hold their number, in a greater unit.
    @usableFromInline
    package init(seconds: Double) {
        func count(per second: Double) -> Int? { Int(exactly: (seconds * second).rounded()) }
        self =
            count(per: 1e9).map { .nanoseconds($0) } ?? count(per: 1e3).map { .milliseconds($0) }
            ?? (seconds > 0 ? .never : .zero)
    }

    /// The remainder at `now` of this interval, which began at `start`, rounded to the microsecond; `nil` if it is
    /// over.
    ///
    /// Dates are floating-point seconds since 2001, which cannot represent single nanoseconds.
    @usableFromInline
    func remaining(since start: RxTime, at now: RxTime) -> RxTimeInterval? {
        guard let seconds else { return .never }
        let microseconds = ((seconds - now.timeIntervalSince(start)) * 1e6).rounded()
        return microseconds < 1 ? nil : RxTimeInterval(seconds: microseconds / 1e6)
    }
}
