internal import CSQLite
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension Connection {
    /// Makes SQLite wait up to `timeout` for locks, and stop all work, including that waiting, on cancellation.
    func waitWhenBusy(for timeout: Duration) {
        let policy = BusyPolicy(
            timeout: Int64(min(timeout / .milliseconds(1), 1e15)), interruption: Unmanaged.passUnretained(interruption))
        busyPolicy.pointee = policy
        sqlite3_busy_handler(
            handle,
            { context, count in
                context!.assumingMemoryBound(to: BusyPolicy.self).pointee.wait(count: Int(count)) ? 1 : 0
            }, busyPolicy)
        // SQLite discards an interruption that arrives between two statements; the progress handler detects it during
        // the next.
        sqlite3_progress_handler(
            handle, 2000,
            { context in
                context!.assumingMemoryBound(to: BusyPolicy.self).pointee.isInterrupted ? 1 : 0
            }, busyPolicy)
    }
}

/// The parameters of the busy handler. They are stored in memory of the connection and read on its thread.
struct BusyPolicy {
    var timeout: Int64
    var interruption: Unmanaged<Interruption>

    var isInterrupted: Bool {
        interruption._withUnsafeGuaranteedRef { $0.isRequested }
    }

    /// Sleeps once, and returns whether to retry. `count` is the number of earlier calls for the same lock.
    func wait(count: Int) -> Bool {
        // In milliseconds, as in SQLite's own handler: short at first, because most locks are held briefly.
        let delays: [Int64] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]
        let last = delays.count - 1
        let waited =
            count <= last ? delays[..<count].reduce(0, +) : delays.reduce(0, +) + delays[last] * Int64(count - last - 1)
        let delay = min(delays[min(count, last)], timeout - waited)
        guard delay > 0, !isInterrupted else { return false }
        var time = timespec(tv_sec: 0, tv_nsec: Int(delay) * 1_000_000)
        nanosleep(&time, nil)
        return !isInterrupted
    }
}
