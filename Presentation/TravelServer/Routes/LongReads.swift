#if Server
import Synchronization

/// Lets some reads of whole trips, each of which may take as much memory as the longest trip, happen at a time. The others
/// wait: the next turn is for a client with the fewest under way, and among those they take turns. A client with many
/// requests therefore waits for itself; its own requests are in order of arrival.
final class LongReads: Sendable {
    private struct State {
        /// The numbers of reads under way of each client that has some.
        var running: [String: Int] = [:]
        var waiting: [(number: Int, client: String, continuation: CheckedContinuation<Bool, Never>)] = []
        var last = 0

        var runningCount: Int { running.values.reduce(0, +) }
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// The number of reads that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Calls `read` when the turn of `client` has come.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before that; the errors of `read`.
    func inTurn<Value>(for client: String, _ read: () async throws -> Value) async throws -> Value {
        guard await begin(for: client) else { throw CancellationError() }
        defer { end(for: client) }
        return try await read()
    }

    /// Returns whether the turn has come, rather than the end of the task.
    private func begin(for client: String) async -> Bool {
        let number: Int? = state.withLock { state in
            if state.runningCount < limit {
                state.running[client, default: 0] += 1
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
                    if state.runningCount < limit {
                        state.running[client, default: 0] += 1
                        return true
                    }
                    state.waiting.append((number, client, continuation))
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

    private func end(for client: String) {
        let next = state.withLock { state in
            let rest = state.running[client, default: 0] - 1
            state.running[client] = rest > 0 ? rest : nil
            // The first of those with the fewest.
            let index = state.waiting.indices.min { first, second in
                state.running[state.waiting[first].client, default: 0]
                    < state.running[state.waiting[second].client, default: 0]
            }
            guard let index else { return nil as CheckedContinuation<Bool, Never>? }
            let next = state.waiting.remove(at: index)
            // Behind those of others, so that clients take turns.
            state.waiting =
                state.waiting.filter { $0.client != next.client } + state.waiting.filter { $0.client == next.client }
            state.running[next.client, default: 0] += 1
            return next.continuation
        }
        next?.resume(returning: true)
    }
}
#endif
