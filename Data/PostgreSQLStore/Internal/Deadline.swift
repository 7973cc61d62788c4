#if PostgreSQL
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Darwin
    #endif

    /// The system's monotonic clock, read without the overhead of `ContinuousClock`.
    enum MonotonicClock {
        /// The time since an unspecified start, in nanoseconds.
        static func now() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
    }

    /// A time of the monotonic clock, or none.
    struct Deadline {
        /// The time in nanoseconds; nil if there is no deadline.
        let nanoseconds: Int?

        /// Never passes.
        static let never = Deadline(nanoseconds: nil)

        /// Passes after `duration`; never with nil, and with a duration that the clock cannot represent.
        init(after duration: Duration?) {
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

        private init(nanoseconds: Int?) {
            self.nanoseconds = nanoseconds
        }

        /// Returns the deadline that passes first.
        func earlier(of other: Deadline) -> Deadline {
            guard let nanoseconds, let time = other.nanoseconds else { return nanoseconds == nil ? other : self }
            return nanoseconds < time ? self : other
        }

        var hasPassed: Bool {
            guard let nanoseconds else { return false }
            return MonotonicClock.now() >= nanoseconds
        }

        /// The remaining time in milliseconds for `poll`: at least 0, and at most `limit`.
        func milliseconds(atMost limit: Int32) -> Int32 {
            guard let nanoseconds else { return limit }
            // Rounded up, so that the deadline has passed when `poll` returns.
            let rest = (max(nanoseconds - MonotonicClock.now(), 0) + 999_999) / 1_000_000
            return Int32(min(rest, Int(limit)))
        }
    }
#endif
