import Synchronization

/// A clock that stands still until `run` is called, and then ends every sleep immediately.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex(State())

    private struct State {
        var now = Instant(offset: .zero)
        var isRunning = false
        var sleepers: [CheckedContinuation<Void, Never>] = []
    }

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                if state.isRunning {
                    state.now = max(state.now, deadline)
                } else {
                    state.sleepers.append(continuation)
                }
                return state.isRunning
            }
            if isRunning { continuation.resume() }
        }
    }

    /// Ends all current and future sleeps.
    func run() {
        let sleepers = state.withLock { state in
            state.isRunning = true
            state.now = state.now.advanced(by: .seconds(3600))
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.resume() }
    }
}
