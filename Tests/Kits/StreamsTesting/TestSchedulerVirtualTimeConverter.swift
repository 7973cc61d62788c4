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
    public typealias VirtualTimeUnit = TestTime
    public typealias VirtualTimeIntervalUnit = Int

    private let resolution: Double

    public init(resolution: Double) { self.resolution = resolution }

    public func convertFromVirtualTime(_ virtualTime: TestTime) -> RxTime {
        Date(timeIntervalSince1970: convertFromVirtualTimeInterval(virtualTime))
    }

    public func convertToVirtualTime(_ time: RxTime) -> TestTime {
        convertToVirtualTimeInterval(time.timeIntervalSince1970)
    }

    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
        TimeInterval(virtualTimeInterval) * resolution
    }

    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int {
        Int((timeInterval / resolution + 0.5).rounded(.down))
    }

    public func offsetVirtualTime(_ time: TestTime, offset: Int) -> TestTime { time + offset }

    public func compareVirtualTime(_ lhs: TestTime, _ rhs: TestTime) -> VirtualTimeComparison {
        if lhs < rhs { return .lessThan }
        return lhs == rhs ? .equal : .greaterThan
    }
}
