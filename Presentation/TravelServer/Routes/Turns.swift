#if Server
import Synchronization

/// Lets some work happen at a time, such as reads of whole trips, each of which may take as much memory as the longest
/// trip. The others wait: the next turn is for a client with the least under way, and among those they take turns. A client
/// with many requests therefore waits for itself; its own requests are in order of arrival.
package final class Turns: Sendable {
    /// As many wait as may.
    package struct TooManyWait: Error {}

    private struct State {
        /// The numbers of those under way of each client that has some.
        var running: [String: Int] = [:]
        var waiting: [(number: Int, client: String, continuation: CheckedContinuation<Void, any Error>)] = []
        var last = 0

        /// Takes a turn if fewer than `limit` are under way.
        mutating func take(for client: String, limit: Int) -> Bool {
            guard running.values.reduce(0, +) < limit else { return false }
            running[client, default: 0] += 1
            return true
        }
    }

    private let limit: Int
    private let maximumWaiting: Int
    private let state = Mutex(State())

    package init(limit: Int, waiting: Int = .max) {
        (self.limit, maximumWaiting) = (limit, waiting)
    }

    /// The number of those that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Calls `work` when the turn of `client` has come.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits; ``TooManyWait``; the errors of `work`.
    package func inTurn<Value>(for client: String, _ work: () async throws -> Value) async throws -> Value {
        try await begin(for: client)
        defer { end(for: client) }
        return try await work()
    }

    private func begin(for client: String) async throws {
        let number: Int? = state.withLock { state in
            if state.take(for: client, limit: limit) { return nil }
            state.last += 1
            return state.last
        }
        guard let number else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    // A task that is cancelled from here on finds its continuation.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.take(for: client, limit: limit) { return .success(()) }
                    guard state.waiting.count < maximumWaiting else { return .failure(TooManyWait()) }
                    state.waiting.append((number, client, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).continuation }
            }
            continuation?.resume(throwing: CancellationError())
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
            guard let index else { return nil as CheckedContinuation<Void, any Error>? }
            let next = state.waiting.remove(at: index)
            // Behind those of others, so that clients take turns.
            state.waiting =
                state.waiting.filter { $0.client != next.client } + state.waiting.filter { $0.client == next.client }
            state.running[next.client, default: 0] += 1
            return next.continuation
        }
        next?.resume()
    }
}
#endif
