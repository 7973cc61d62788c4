#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
    /// A point in virtual time.
    associatedtype VirtualTimeUnit: Sendable
    /// An interval of virtual time.
    associatedtype VirtualTimeIntervalUnit: Sendable

    /// Converts a virtual time to a date.
    func convertFromVirtualTime(_ virtualTime: VirtualTimeUnit) -> RxTime
    /// Converts a date to a virtual time.
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
    /// The first time is the earlier one.
    case lessThan
    /// Both times are the same point in time.
    case equal
    /// The first time is the later one.
    case greaterThan
}
