public import Dispatch

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension RxTimeInterval {
    /// An empty interval.
    @usableFromInline static var zero: RxTimeInterval { .nanoseconds(0) }

    /// The remainder at `now` of this interval, which began at `start`, rounded to the microsecond; `nil` if it is
    /// over.
    ///
    /// Dates are floating-point seconds since 2001, which cannot represent single nanoseconds.
    @usableFromInline
    func remaining(since start: RxTime, at now: RxTime) -> RxTimeInterval? {
        guard let seconds else { return .never }
        let microseconds = ((seconds - now.timeIntervalSince(start)) * 1e6).rounded()
        return microseconds < 1 ? nil : .microseconds(Int(exactly: microseconds) ?? .max)
    }
}
