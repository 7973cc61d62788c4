internal import Synchronization

/// Notifies waiting tasks of changes.
final class ChangeNotifier: Sendable {
    private struct State {
        var version: UInt64 = 0
        var lastWaiter: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// The number of changes so far.
    var version: UInt64 { state.withLock(\.version) }

    /// Records a change and resumes all waiting tasks.
    func notify() {
        let waiters = state.withLock { state in
            state.version += 1
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Suspends until there are more than `version` changes or the task is cancelled.
    func wait(after version: UInt64) async {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    // A cancellation after this check finds the continuation; an earlier one is visible here.
                    if state.version > version || Task.isCancelled { return true }
                    state.waiters[waiter] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
        }
    }
}
