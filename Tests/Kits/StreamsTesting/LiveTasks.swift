import Streams
import Synchronization

/// The unfinished tasks of a virtual world, in the order in which they were started.
final class LiveTasks: Sendable {
    private struct State {
        var origins: [Int: TaskOrigin] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())

    var all: [TaskOrigin] { state.withLock { $0.origins.sorted { $0.key < $1.key }.map(\.value) } }

    /// Starts a task on `executor` and lists it until it finishes.
    func start(
        _ origin: TaskOrigin, on executor: VirtualTimeExecutor, _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        var origin = origin
        let number = state.withLock { state in
            state.nextNumber += 1
            origin.number = state.nextNumber
            state.origins[state.nextNumber] = origin
            return state.nextNumber
        }
        return TaskOrigin.$ofThisTask.withValue(origin) {
            Task(executorPreference: executor) {
                await operation()
                self.state.withLock { $0.origins[number] = nil }
            }
        }
    }
}
