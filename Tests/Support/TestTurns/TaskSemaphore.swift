import Foundation
import TestReporting

/// A semaphore for tasks, first in, first out.
public final class TaskSemaphore: Sendable {
    /// The semaphore that all suites share.
    public static let shared = TaskSemaphore(width: width)

    /// The number of tests that run at the same time: enough to keep every processor busy while some of them wait for
    /// the disk.
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
        /// Waiters that were cancelled before they were enqueued.
        var cancelled: Set<Int> = []
    }

    private let state: Guarded<State>

    init(width: Int) {
        state = Guarded(State(free: width))
    }

    /// The number of waiting tasks.
    var waitingCount: Int { state.withLock { $0.waiters.count - $0.nextWaiter } }

    /// Returns at the caller's turn, which lasts until ``signal()``.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before; then it must not call ``signal()``.
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

    /// Ends a turn, and begins that of the task that has waited longest.
    func signal() {
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
