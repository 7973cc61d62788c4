#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A time of the monotonic clock, or no deadline.
package struct Deadline: Sendable {
    /// The time in nanoseconds; nil if there is no deadline.
    package let nanoseconds: Int?

    package static let never = Deadline(after: nil)

    /// Creates a deadline that passes after `duration`; without one, or if the clock cannot represent the time, it
    /// never passes.
    package init(after duration: Duration?) {
        guard let duration else {
            nanoseconds = nil
            return
        }
        let (seconds, attoseconds) = duration.components
        let (scaled, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (time, overflowsAgain) = (MonotonicClock.now() + Int(attoseconds / 1_000_000_000))
            .addingReportingOverflow(scaled)
        nanoseconds = overflow || overflowsAgain ? nil : time
    }

    package func earlier(of other: Deadline) -> Deadline {
        guard let nanoseconds, let time = other.nanoseconds else { return nanoseconds == nil ? other : self }
        return nanoseconds < time ? self : other
    }

    package func postponed(by duration: Int) -> Deadline {
        guard let (time, overflows) = nanoseconds?.addingReportingOverflow(duration) else { return self }
        return Deadline(nanoseconds: overflows ? nil : time)
    }

    private init(nanoseconds: Int?) {
        self.nanoseconds = nanoseconds
    }

    package var hasPassed: Bool {
        guard let nanoseconds else { return false }
        return MonotonicClock.now() >= nanoseconds
    }

    /// The remaining time in milliseconds for `poll`: at least 0, and at most `limit`.
    package func milliseconds(atMost limit: Int32) -> Int32 {
        guard let nanoseconds else { return limit }
        // Rounded up, so that the deadline has passed when `poll` returns.
        let rest = (max(nanoseconds - MonotonicClock.now(), 0) + 999_999) / 1_000_000
        return Int32(min(rest, Int(limit)))
    }
}

/// The system's monotonic clock, read without the overhead of `ContinuousClock`.
package enum MonotonicClock {
    /// The time since an unspecified start, in nanoseconds.
    package static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
