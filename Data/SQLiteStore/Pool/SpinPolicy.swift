internal import CSQLite
internal import Synchronization
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// How long jobs take, and how long threads are without one: what decides whether to wait for the other side awake.
///
/// Falling asleep and being woken takes a thread some 15 microseconds, several times as long as a short access. Where
/// short accesses follow one another at once, both sides therefore keep looking for a moment; where they do not, neither
/// ever does. Times are nanoseconds.
final class SpinPolicy: Sendable {
    /// The longest that a thread ever looks without sleeping.
    private static let longest = 50_000
    /// How many threads can run at the same time. With one processor, looking would keep the other side from running.
    static let processorCount = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)

    // Averages in which the last four or so count most; several threads may overwrite each other's.
    private let gap = Atomic(1_000_000)
    private let work = Atomic(1_000_000)

    /// How long a thread without a job looks for one.
    var idleSpinTime: Int {
        let gap = gap.load(ordering: .relaxed)
        return Self.processorCount > 1 && gap < Self.longest ? min(2 * gap + 5000, Self.longest) : 0
    }

    /// How long someone whose job has been taken up looks for the result.
    var resultSpinTime: Int {
        let work = work.load(ordering: .relaxed)
        return Self.processorCount > 1 && work < Self.longest / 2 ? min(2 * work + 5000, Self.longest) : 0
    }

    /// Notes that a thread would have been without a job until now, had it looked for one.
    func recordGap(since start: Int) {
        _ = Self.update(gap, since: start)
    }

    /// Notes that a job took until now, which is returned.
    func recordWork(since start: Int) -> Int {
        Self.update(work, since: start)
    }

    private static func update(_ average: borrowing Atomic<Int>, since start: Int) -> Int {
        let now = MonotonicClock.now()
        let time = min(now - start, 1_000_000)
        average.store((average.load(ordering: .relaxed) * 3 + time) / 4, ordering: .relaxed)
        return now
    }

    /// Looks until `isOver`, or until `end`.
    @inline(__always)
    static func spin(until end: Int, _ isOver: () -> Bool) {
        while true {
            for _ in 0..<32 {
                if isOver() { return }
                csqlite_pause()
            }
            if MonotonicClock.now() >= end { return }
            // Whoever else wants this processor gets it.
            sched_yield()
        }
    }
}
