#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A virtual-time scheduler whose time is a date: for replaying what happened, with its own time stamps.
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

    /// A scheduler at `initialClock`; without one, at the beginning of 1970.
    public init(initialClock: RxTime = Date(timeIntervalSince1970: 0)) {
        super.init(initialClock: initialClock, converter: HistoricalSchedulerTimeConverter())
    }
}

/// Virtual time that is a date, and whose lengths are seconds.
public struct HistoricalSchedulerTimeConverter: VirtualTimeConverterType {
    /// A moment is a date.
    public typealias VirtualTimeUnit = RxTime
    /// A length is a number of seconds.
    public typealias VirtualTimeIntervalUnit = TimeInterval

    /// The date itself.
    public func convertFromVirtualTime(_ virtualTime: RxTime) -> RxTime { virtualTime }

    /// The date itself.
    public func convertToVirtualTime(_ time: RxTime) -> RxTime { time }

    /// The number of seconds itself.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: TimeInterval) -> TimeInterval {
        virtualTimeInterval
    }

    /// The number of seconds itself.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> TimeInterval { timeInterval }

    /// The date `offset` seconds after `time`.
    public func offsetVirtualTime(_ time: RxTime, offset: TimeInterval) -> RxTime {
        time.addingTimeInterval(offset)
    }

    /// Which of the two dates comes first.
    public func compareVirtualTime(_ lhs: RxTime, _ rhs: RxTime) -> VirtualTimeComparison {
        if lhs < rhs { return .lessThan }
        return lhs == rhs ? .equal : .greaterThan
    }
}
