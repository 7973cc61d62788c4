public import Foundation

extension RxTimeInterval {
    /// No time at all.
    @usableFromInline static var zero: RxTimeInterval { .nanoseconds(0) }

    /// What is left at `now` of this interval begun at `start`, to the microsecond; `nil` when nothing is left.
    ///
    /// Moments are counted in seconds since 2001 as floating-point numbers, which cannot tell nanoseconds apart.
    @usableFromInline
    func remaining(since start: RxTime, at now: RxTime) -> RxTimeInterval? {
        guard let microseconds else { return .never }
        let remaining = (microseconds - now.timeIntervalSince(start) * 1e6).rounded()
        return remaining < 1 ? nil : .microseconds(Int(exactly: remaining) ?? .max)
    }

    /// Its length in microseconds; `nil` when it has no end.
    private var microseconds: Double? {
        switch self {
        case .seconds(let count): Double(count) * 1e6
        case .milliseconds(let count): Double(count) * 1e3
        case .microseconds(let count): Double(count)
        case .nanoseconds(let count): Double(count) / 1e3
        case .never: nil
        @unknown default: nil
        }
    }
}
