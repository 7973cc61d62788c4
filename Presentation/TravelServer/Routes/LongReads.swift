#if Server
import Synchronization

/// Lets some reads of whole trips, each of which may take as much memory as the longest trip, happen at a time. The others
/// wait in order of arrival.
final class LongReads: Sendable {
    private struct State {
        var running = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var last = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of reads that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Calls `read` when its turn has come.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before that; the errors of `read`.
    func inTurn<Value>(_ read: () async throws -> Value) async throws -> Value {
        guard await begin() else { throw CancellationError() }
        defer { end() }
        return try await read()
    }

    /// Returns whether the turn has come, rather than the end of the task.
    private func begin() async -> Bool {
        let number: Int? = state.withLock { state in
            if state.running < limit {
                state.running += 1
                return nil
            }
            state.last += 1
            return state.last
        }
        guard let number else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasTurn: Bool? = state.withLock { state in
                    // A task that is cancelled from here on finds its continuation.
                    if Task.isCancelled { return false }
                    if state.running < limit {
                        state.running += 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let hasTurn { continuation.resume(returning: hasTurn) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            continuation?.resume(returning: false)
        }
    }

    private func end() {
        let next = state.withLock { state in
            if state.waiting.isEmpty {
                state.running -= 1
                return nil as CheckedContinuation<Bool, Never>?
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
#endif
