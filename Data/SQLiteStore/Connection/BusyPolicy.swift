internal import CSQLite
internal import DatabaseAccess

extension Connection {
    /// Makes SQLite wait up to `timeout` for locks, and stop all work, including that waiting, on cancellation.
    func waitWhenBusy(for timeout: Duration) {
        let milliseconds = Int64(min(max(timeout / .milliseconds(1), 0), 1e15))
        let policy = BusyPolicy(timeout: milliseconds, interruption: Unmanaged.passUnretained(interruption))
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
    var mayWait = true
    /// The end of a wait for others that has its own limit.
    var end: Deadline?
    var interruption: Unmanaged<Interruption>

    var isInterrupted: Bool {
        interruption._withUnsafeGuaranteedRef { $0.isRequested }
    }

    /// Sleeps once, and returns whether to retry. `count` is the number of earlier calls for the same lock.
    func wait(count: Int) -> Bool {
        if let end {
            guard !end.hasPassed, !isInterrupted else { return false }
            blockThread(for: .milliseconds(1))
            return true
        }
        // In milliseconds, as in SQLite's own handler: short at first, because most locks are held briefly.
        let delays: [Int64] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]
        let last = delays.count - 1
        let waited =
            count <= last ? delays[..<count].reduce(0, +) : delays.reduce(0, +) + delays[last] * Int64(count - last - 1)
        let delay = min(delays[min(count, last)], timeout - waited)
        guard delay > 0, mayWait, !isInterrupted else { return false }
        blockThread(for: .milliseconds(delay))
        return !isInterrupted
    }
}
