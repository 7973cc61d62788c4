import Foundation

/// Calls functions after a time, on a thread of its own: tests that block every thread of the system's pools do not keep it
/// from doing so.
///
/// `@unchecked Sendable`: `alarms`, `lastID` and `isRunning` are read and written between `condition.lock()` and
/// `condition.unlock()` only.
final class AlarmClock: @unchecked Sendable {
    static let shared = AlarmClock()

    private struct Alarm {
        let id: Int
        let time: ContinuousClock.Instant
        let ring: @Sendable () -> Void
    }

    private let condition = NSCondition()
    private var alarms: [Alarm] = []
    private var lastID = 0
    private var isRunning = false

    /// Returns after `duration`, or as soon as the task is cancelled.
    func wait(for duration: Duration) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        let alarm = set(for: duration) { continuation.finish() }
        defer { cancel(alarm) }
        for await _ in stream {}
    }

    /// Calls `ring` after `duration`, unless it is cancelled before.
    func set(for duration: Duration, _ ring: @escaping @Sendable () -> Void) -> Int {
        condition.lock()
        defer { condition.unlock() }
        lastID += 1
        alarms.append(Alarm(id: lastID, time: .now + duration, ring: ring))
        if !isRunning {
            isRunning = true
            Thread.detachNewThread { self.run() }
        }
        condition.signal()
        return lastID
    }

    /// Forgets an alarm; one that has rung is none.
    func cancel(_ id: Int) {
        condition.lock()
        alarms.removeAll { $0.id == id }
        condition.unlock()
    }

    private func run() {
        while true {
            condition.lock()
            let now = ContinuousClock.now
            let due = alarms.filter { $0.time <= now }
            alarms.removeAll { $0.time <= now }
            if due.isEmpty {
                if let next = alarms.map(\.time).min() {
                    let wait = now.duration(to: next)
                    _ = condition.wait(until: Date(timeIntervalSinceNow: wait / .seconds(1)))
                } else {
                    condition.wait()
                }
            }
            condition.unlock()
            for alarm in due { alarm.ring() }
        }
    }
}
