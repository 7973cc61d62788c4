#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The system's monotonic clock, read without the overhead of `ContinuousClock`.
package enum MonotonicClock {
    /// The time since an unspecified start, in nanoseconds.
    package static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
