public import Streams

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The time of a ``TestScheduler``, in ticks.
public typealias TestTime = Int

/// A converter for virtual time in ticks of `resolution` seconds.
///
/// ```swift
/// let converter = TestSchedulerVirtualTimeConverter(resolution: 0.1)
/// converter.convertFromVirtualTimeInterval(5)      // 0.5 seconds
/// converter.convertToVirtualTimeInterval(2)        // 20 ticks
/// ```
public struct TestSchedulerVirtualTimeConverter: VirtualTimeConverterType {
    /// A point in time, in ticks.
    public typealias VirtualTimeUnit = TestTime
    /// A number of ticks.
    public typealias VirtualTimeIntervalUnit = Int

    private let resolution: Double

    /// Creates a converter for ticks of `resolution` seconds.
    public init(resolution: Double) {
        self.resolution = resolution
    }

    /// Converts ticks since the start of 1970 to a date.
    public func convertFromVirtualTime(_ virtualTime: TestTime) -> RxTime {
        Date(timeIntervalSince1970: convertFromVirtualTimeInterval(virtualTime))
    }

    /// Returns the tick nearest to a date.
    public func convertToVirtualTime(_ time: RxTime) -> TestTime {
        convertToVirtualTimeInterval(time.timeIntervalSince1970)
    }

    /// Converts a number of ticks to seconds.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
        TimeInterval(virtualTimeInterval) * resolution
    }

    /// Returns the number of ticks nearest to a number of seconds.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int {
        Int((timeInterval / resolution + 0.5).rounded(.down))
    }

    /// Returns the tick `offset` ticks after `time`.
    public func offsetVirtualTime(_ time: TestTime, offset: Int) -> TestTime { time + offset }

    /// Compares two ticks; the earlier one is less.
    public func compareVirtualTime(_ lhs: TestTime, _ rhs: TestTime) -> VirtualTimeComparison {
        if lhs < rhs { return .lessThan }
        return lhs == rhs ? .equal : .greaterThan
    }
}
