internal import CSQLite
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension Connection {
    /// Makes SQLite wait for locks for up to `timeout`, and stop all work, that waiting included, on cancellation.
    func waitWhenBusy(for timeout: Duration) {
        let policy = BusyPolicy(
            timeout: Int64(min(timeout / .milliseconds(1), 1e15)), interruption: Unmanaged.passUnretained(interruption))
        busyPolicy.pointee = policy
        sqlite3_busy_handler(
            handle,
            { context, count in
                context!.assumingMemoryBound(to: BusyPolicy.self).pointee.wait(count: Int(count)) ? 1 : 0
            }, busyPolicy)
        // An interruption that arrives between two statements is lost on SQLite; this one sees it in the next.
        sqlite3_progress_handler(
            handle, 2000,
            { context in
                context!.assumingMemoryBound(to: BusyPolicy.self).pointee.isInterrupted ? 1 : 0
            }, busyPolicy)
    }
}

/// How a connection waits. It lies in the connection's own memory, and is read on the connection's thread.
struct BusyPolicy {
    var timeout: Int64
    var interruption: Unmanaged<Interruption>

    var isInterrupted: Bool {
        interruption._withUnsafeGuaranteedRef { $0.isRequested }
    }

    /// Waits a while; false if it is time to give up. `count` tells how often it has waited for this lock already.
    func wait(count: Int) -> Bool {
        // Milliseconds, after the example of SQLite's own handler: short at first, because most locks are.
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
