#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How a ``VirtualTimeScheduler`` reckons: what its time is, and what that is in seconds.
@preconcurrency
public protocol VirtualTimeConverterType: Sendable {
    /// A moment of virtual time.
    associatedtype VirtualTimeUnit: Sendable
    /// A length of virtual time.
    associatedtype VirtualTimeIntervalUnit: Sendable

    /// The date that stands for a moment of virtual time.
    func convertFromVirtualTime(_ virtualTime: VirtualTimeUnit) -> RxTime
    /// The moment of virtual time that a date stands for.
    func convertToVirtualTime(_ time: RxTime) -> VirtualTimeUnit
    /// A length of virtual time, in seconds.
    func convertFromVirtualTimeInterval(_ virtualTimeInterval: VirtualTimeIntervalUnit) -> TimeInterval
    /// A number of seconds, as a length of virtual time.
    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> VirtualTimeIntervalUnit
    /// The moment `offset` after `time`.
    func offsetVirtualTime(_ time: VirtualTimeUnit, offset: VirtualTimeIntervalUnit) -> VirtualTimeUnit
    /// Which of the two comes first.
    func compareVirtualTime(_ lhs: VirtualTimeUnit, _ rhs: VirtualTimeUnit) -> VirtualTimeComparison
}

/// The order of two moments.
public enum VirtualTimeComparison: Sendable {
    /// The first comes first.
    case lessThan
    /// They are the same.
    case equal
    /// The second comes first.
    case greaterThan
}
