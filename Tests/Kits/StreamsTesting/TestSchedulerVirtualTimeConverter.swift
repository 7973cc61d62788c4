public import Streams

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A moment of a ``TestScheduler``, in ticks.
public typealias TestTime = Int

/// Virtual time in ticks, each of them `resolution` seconds long.
public struct TestSchedulerVirtualTimeConverter: VirtualTimeConverterType {
    /// A moment, in ticks.
    public typealias VirtualTimeUnit = TestTime
    /// A number of ticks.
    public typealias VirtualTimeIntervalUnit = Int

    private let resolution: Double

    /// Ticks of `resolution` seconds.
    public init(resolution: Double) {
        self.resolution = resolution
    }

    /// That many ticks after the beginning of 1970.
    public func convertFromVirtualTime(_ virtualTime: TestTime) -> RxTime {
        Date(timeIntervalSince1970: convertFromVirtualTimeInterval(virtualTime))
    }

    /// The tick nearest to a date.
    public func convertToVirtualTime(_ time: RxTime) -> TestTime {
        convertToVirtualTimeInterval(time.timeIntervalSince1970)
    }

    /// The length of a number of ticks, in seconds.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
        TimeInterval(virtualTimeInterval) * resolution
    }

    /// The number of ticks nearest to a number of seconds.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int {
        Int((timeInterval / resolution + 0.5).rounded(.down))
    }

    /// The tick `offset` ticks after `time`.
    public func offsetVirtualTime(_ time: TestTime, offset: Int) -> TestTime { time + offset }

    /// Which of the two ticks comes first.
    public func compareVirtualTime(_ lhs: TestTime, _ rhs: TestTime) -> VirtualTimeComparison {
        if lhs < rhs { return .lessThan }
        return lhs == rhs ? .equal : .greaterThan
    }
}
