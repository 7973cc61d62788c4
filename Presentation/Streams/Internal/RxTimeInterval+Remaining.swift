public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension RxTimeInterval {
    /// No time at all.
    @usableFromInline static var zero: RxTimeInterval { .nanoseconds(0) }

    /// What is left at `now` of this interval begun at `start`, to the microsecond; `nil` when nothing is left.
    ///
    /// Moments are counted in seconds since 2001 as floating-point numbers, which cannot tell nanoseconds apart.
    @usableFromInline
    func remaining(since start: RxTime, at now: RxTime) -> RxTimeInterval? {
        guard let seconds else { return .never }
        let microseconds = ((seconds - now.timeIntervalSince(start)) * 1e6).rounded()
        return microseconds < 1 ? nil : .microseconds(Int(exactly: microseconds) ?? .max)
    }
}
