import Foundation

/// Calls functions after a time, on its own thread: it works even if tests block every thread of the system's pools.
///
/// `@unchecked Sendable`: `deadlines`, `lastID` and `isRunning` are read and written between `condition.lock()` and
/// `condition.unlock()` only.
final class DeadlineTimer: @unchecked Sendable {
    static let shared = DeadlineTimer()

    private struct Deadline {
        let id: Int
        let time: ContinuousClock.Instant
        let action: @Sendable () -> Void
    }

    private let condition = NSCondition()
    private var deadlines: [Deadline] = []
    private var lastID = 0
    private var isRunning = false

    /// Returns after `duration`, or as soon as the task is cancelled.
    func wait(for duration: Duration) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        let deadline = set(for: duration) { continuation.finish() }
        defer { cancel(deadline) }
        for await _ in stream {}
    }

    /// Calls `action` after `duration`, unless it is cancelled before.
    func set(for duration: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
        condition.lock()
        defer { condition.unlock() }
        lastID += 1
        deadlines.append(Deadline(id: lastID, time: .now + duration, action: action))
        if !isRunning {
            isRunning = true
            Thread.detachNewThread { self.run() }
        }
        condition.signal()
        return lastID
    }

    /// Removes a deadline; does nothing if it has passed.
    func cancel(_ id: Int) {
        condition.lock()
        deadlines.removeAll { $0.id == id }
        condition.unlock()
    }

    private func run() {
        while true {
            condition.lock()
            let now = ContinuousClock.now
            let due = deadlines.filter { $0.time <= now }
            deadlines.removeAll { $0.time <= now }
            if due.isEmpty {
                if let next = deadlines.map(\.time).min() {
                    let wait = now.duration(to: next)
                    _ = condition.wait(until: Date(timeIntervalSinceNow: wait / .seconds(1)))
                } else {
                    condition.wait()
                }
            }
            condition.unlock()
            for deadline in due { deadline.action() }
        }
    }
}
