internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Decides from recent timings how long threads spin before they sleep.
///
/// Putting a thread to sleep and waking it takes about 15 microseconds, several times as long as a short access.
/// Therefore, when short accesses follow each other closely, both the requester and the pool's thread spin for a
/// moment; otherwise neither does. All times are in nanoseconds.
final class SpinPolicy: Sendable {
    /// The maximum time to spin.
    private static let longest = 50_000
    /// The number of processors. With a single one, spinning would keep the other thread from running.
    static let processorCount = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)

    /// Hints to the processor that the thread spins. Without it, threads sleep immediately.
    private let pause: (@Sendable () -> Void)?
    // Moving averages, weighted towards the last four samples. Concurrent updates may be lost.
    private let gap = Atomic(1_000_000)
    private let work = Atomic(1_000_000)

    init(pause: (@Sendable () -> Void)?) {
        self.pause = Self.processorCount > 1 ? pause : nil
    }

    /// How long an idle thread spins for a job.
    var idleSpinTime: Int {
        let gap = gap.load(ordering: .relaxed)
        return pause != nil && gap < Self.longest ? min(2 * gap + 5000, Self.longest) : 0
    }

    /// How long a requester spins for the result of a job that a thread has picked up.
    var resultSpinTime: Int {
        let work = work.load(ordering: .relaxed)
        return pause != nil && work < Self.longest / 2 ? min(2 * work + 5000, Self.longest) : 0
    }

    /// Records the time since `start` as the idle time of a thread.
    func recordIdleTime(since start: Int) {
        _ = Self.update(gap, since: start)
    }

    /// Records the time since `start` as the duration of a job, and returns the current time.
    func recordWork(since start: Int) -> Int {
        Self.update(work, since: start)
    }

    private static func update(_ average: borrowing Atomic<Int>, since start: Int) -> Int {
        let now = MonotonicClock.now()
        let time = min(now - start, 1_000_000)
        average.store((average.load(ordering: .relaxed) * 3 + time) / 4, ordering: .relaxed)
        return now
    }

    /// Spins until `isOver` returns true, or until `end`.
    @inline(__always)
    func spin(until end: Int, _ isOver: () -> Bool) {
        while let pause {
            for _ in 0..<32 {
                if isOver() { return }
                pause()
            }
            if MonotonicClock.now() >= end { return }
            // Lets other threads use this processor.
            sched_yield()
        }
    }
}
