#if canImport(Darwin)
public import Darwin
#elseif canImport(Glibc)
public import Glibc
#elseif canImport(Musl)
public import Musl
#endif

/// A value or an error that other code provides and one task awaits. The first result counts; later ones are ignored.
///
/// Resumes the waiting task exactly once, outside the lock. Cancelling that task resolves the promise with a
/// `CancellationError`.
package final class Promise<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case empty
        case awaited(CheckedContinuation<Value, any Error>)
        case resolved(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.empty)

    package init() {}

    /// Provides the result.
    ///
    /// - Returns: Whether this call provided the result; only the first call does.
    @discardableResult
    package func resolve(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .empty:
                state = .resolved(result)
                return (true, nil)
            case .awaited(let continuation):
                state = .taken
                return (true, continuation)
            case .resolved, .taken: return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }

    /// Waits for the value. Called at most once.
    ///
    /// - Parameter onCancel: Called on the cancelling thread if the waiting task is cancelled before there is a result.
    package func value(onCancel: @escaping @Sendable () -> Void = {}) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    if case .resolved(let result) = state {
                        state = .taken
                        return result
                    }
                    state = .awaited(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            if resolve(.failure(CancellationError())) { onCancel() }
        }
    }
}

/// Starts a task. All libraries of this package start their tasks through this function.
///
/// Inside a virtual world (see ``TaskEnvironment``) the task runs there, regardless of its priority and of
/// `isDetached`; otherwise on the global executor.
///
/// - Parameters:
///   - name: The name of the task, for reports of unfinished tasks.
///   - file: The file of the code that starts the task.
///   - line: The line of the code that starts the task.
///   - isDetached: Whether the task inherits neither task-local values nor the priority of its caller.
///   - priority: The priority of the task. By default a task that is not detached inherits the priority of its caller.
///   - operation: The body of the task.
@discardableResult
package func startTask(
    _ name: StaticString, file: StaticString = #fileID, line: UInt = #line, detached isDetached: Bool = false,
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Void
) -> Task<Void, Never> {
    let origin = TaskOrigin(name: name, file: file, line: line)
    if let task = TaskEnvironment.current?.start(origin, operation) { return task }
    return isDetached
        ? Task.detached(priority: priority) { await operation() } : Task(priority: priority) { await operation() }
}

/// The environment in which the library starts its tasks. A test scheduler sets it while it runs, for its own work
/// only: it is a task-local value, so that tests can run in parallel.
package struct TaskEnvironment: Sendable {
    /// The environment of the current task; `nil` outside a virtual world.
    @TaskLocal package static var current: TaskEnvironment?

    /// Starts a task; returns `nil` if the environment no longer accepts tasks.
    package let start: @Sendable (TaskOrigin, @escaping @Sendable () async -> Void) -> Task<Void, Never>?

    /// Returns what takes the place of the main queue for drivers and signals that are created in the environment.
    package let main: @Sendable () -> (any VirtualMain)?

    package init(
        main: @escaping @Sendable () -> (any VirtualMain)? = { nil },
        start: @escaping @Sendable (TaskOrigin, @escaping @Sendable () async -> Void) -> Task<Void, Never>?
    ) {
        self.main = main
        self.start = start
    }
}

/// The name of a task, and the location of the code that started it.
package struct TaskOrigin: Sendable, CustomStringConvertible {
    /// The origin of the current task, if ``startTask(_:file:line:detached:priority:_:)`` started it in a task
    /// environment.
    @TaskLocal package static var ofThisTask: TaskOrigin?

    package let name: StaticString
    package let file: StaticString
    package let line: UInt
    /// The number of the task within its environment.
    package var number = 0

    package init(name: StaticString, file: StaticString, line: UInt) {
        self.name = name
        self.file = file
        self.line = line
    }

    /// `flatMapLatest, at MyTests/SearchTests.swift:12`
    package var description: String { "\(name), at \(file):\(line)" }
}

/// The identity of the current thread: never 0, and unique among live threads.
@usableFromInline
package enum Thread {
    @inlinable
    package static var current: UInt {
        #if canImport(Glibc)
        UInt(pthread_self())
        #else
        UInt(bitPattern: pthread_self())
        #endif
    }
}
