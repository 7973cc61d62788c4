#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
    /// A point in time is a date.
    public typealias VirtualTimeUnit = RxTime
    /// An interval is a number of seconds.
    public typealias VirtualTimeIntervalUnit = TimeInterval

    /// Returns the date unchanged: virtual times are dates.
    public func convertFromVirtualTime(_ virtualTime: RxTime) -> RxTime { virtualTime }

    /// Returns the date unchanged: virtual times are dates.
    public func convertToVirtualTime(_ time: RxTime) -> RxTime { time }

    /// Returns the number of seconds unchanged: virtual intervals are seconds.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: TimeInterval) -> TimeInterval {
        virtualTimeInterval
    }

    /// Returns the number of seconds unchanged: virtual intervals are seconds.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> TimeInterval { timeInterval }

    /// Returns the date `offset` seconds after `time`.
    public func offsetVirtualTime(_ time: RxTime, offset: TimeInterval) -> RxTime {
        time.addingTimeInterval(offset)
    }

    /// Compares two dates; the earlier one is less.
    public func compareVirtualTime(_ lhs: RxTime, _ rhs: RxTime) -> VirtualTimeComparison {
        if lhs < rhs { return .lessThan }
        return lhs == rhs ? .equal : .greaterThan
    }
}
