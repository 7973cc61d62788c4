internal import CSQLite
internal import Dispatch

/// Looks, while anything is observed, for commits by others: other processes, and other `Database`s of this one.
///
/// SQLite tells nobody of them, but counts them: `PRAGMA data_version`, asked on the connection that writes, changes with
/// every commit that was not its own.
final class ExternalChanges: Sendable {
    private let state = Locked(State())
    private let interval: Duration

    private struct State {
        var observerCount = 0
        var timer: (any DispatchSourceTimer)?
    }

    init(interval: Duration) {
        self.interval = interval
    }

    /// Calls `look` every so often from now on, unless it is being called already.
    func observerJoined(look: @escaping @Sendable () -> Void) {
        let timer = state.withLock { state -> (any DispatchSourceTimer)? in
            state.observerCount += 1
            guard state.observerCount == 1 else { return nil }
            state.timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
            return state.timer
        }
        guard let timer else { return }
        // Never without a pause, and no longer than the number can say.
        let nanoseconds = Int(min(max(interval / .nanoseconds(1), 1e6), 1e18))
        timer.setEventHandler(handler: look)
        timer.schedule(
            deadline: .now(), repeating: .nanoseconds(nanoseconds), leeway: .nanoseconds(nanoseconds / 4))
        timer.activate()
    }

    /// The last one to leave ends it.
    func observerLeft() {
        let timer = state.withLock { state -> (any DispatchSourceTimer)? in
            state.observerCount -= 1
            guard state.observerCount == 0 else { return nil }
            defer { state.timer = nil }
            return state.timer
        }
        timer?.cancel()
    }
}

extension Connection {
    /// Whether another connection has committed since the last look; false while it cannot be told.
    func sawExternalChange() -> Bool {
        // A database that is locked right now will be looked at again with the next tick.
        guard let version = try? fetchOne(Int.self, "PRAGMA data_version") else { return false }
        defer { dataVersion = version }
        return version != dataVersion
    }
}
