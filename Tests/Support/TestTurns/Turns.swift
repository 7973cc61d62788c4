import Foundation
import TestReporting

/// A semaphore for tasks, first come, first served.
public final class Turns: Sendable {
    /// The one that all suites share.
    public static let shared = Turns(width: width)

    /// How many tests have a turn at the same time: enough to keep every processor busy while some of them wait for the
    /// disk.
    public static let width = Cost.isReported ? 1 : max(4, ProcessInfo.processInfo.activeProcessorCount)

    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var waiters: [Waiter] = []
        var nextWaiter = 0
        var lastID = 0
        /// Waiters that were cancelled before they waited.
        var cancelled: Set<Int> = []
    }

    private let state: Guarded<State>

    init(width: Int) {
        state = Guarded(State(free: width))
    }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiters.count - $0.nextWaiter } }

    /// Returns when it is the caller's turn, which lasts until ``end()``.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before; then there is no turn to end.
    func wait() async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let answer: Bool? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiters.append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                let waiting = state.waiters[state.nextWaiter...].firstIndex { $0.id == id }
                guard let waiting else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waiters.remove(at: waiting)
            }
            waiter?.continuation.resume(returning: false)
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        guard hasTurn else { throw CancellationError() }
    }

    /// Hands the turn to the one who has waited longest.
    func end() {
        let next = state.withLock { state -> Waiter? in
            guard state.nextWaiter < state.waiters.count else {
                state.waiters.removeAll()
                state.nextWaiter = 0
                state.free += 1
                return nil
            }
            state.nextWaiter += 1
            return state.waiters[state.nextWaiter - 1]
        }
        next?.continuation.resume(returning: true)
    }
}
