#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// The RxSwift names of time types within its schedulers.

extension SerialDispatchQueueScheduler {
    /// A number of seconds.
    public typealias TimeInterval = Double
    /// A point in time.
    public typealias Time = Date
}

extension ConcurrentDispatchQueueScheduler {
    /// A number of seconds.
    public typealias TimeInterval = Double
    /// A point in time.
    public typealias Time = Date
}

extension ConcurrentMainScheduler {
    /// A number of seconds.
    public typealias TimeInterval = Double
    /// A point in time.
    public typealias Time = Date
}
