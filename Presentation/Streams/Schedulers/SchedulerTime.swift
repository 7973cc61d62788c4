#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The names that RxSwift has for time within its schedulers.

extension SerialDispatchQueueScheduler {
    /// A number of seconds.
    public typealias TimeInterval = Double
    /// A moment.
    public typealias Time = Date
}

extension ConcurrentDispatchQueueScheduler {
    /// A number of seconds.
    public typealias TimeInterval = Double
    /// A moment.
    public typealias Time = Date
}

extension ConcurrentMainScheduler {
    /// A number of seconds.
    public typealias TimeInterval = Double
    /// A moment.
    public typealias Time = Date
}
