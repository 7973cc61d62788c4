/// Starts a task: the only way in which this package's libraries do.
///
/// Where a virtual world is at work (see ``TaskHome``), the task lives there, whatever its priority and whether or not it
/// is detached; else on the global executor.
///
/// - Parameters:
///   - name: What the task does, for whoever asks what is still going on.
///   - file: Where the code is that asked for it.
///   - line: Where the code is that asked for it.
///   - isDetached: Whether the task inherits neither task-local values nor the priority of whoever starts it.
///   - priority: The priority of the task; by default, unless it is detached, that of whoever starts it.
///   - operation: What the task does.
@usableFromInline
@discardableResult
package func startTask(
    _ name: StaticString, file: StaticString = #fileID, line: UInt = #line, detached isDetached: Bool = false,
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Void
) -> Task<Void, Never> {
    let origin = TaskOrigin(name: name, file: file, line: line)
    if let task = TaskHome.current?.start(origin, operation) { return task }
    return isDetached
        ? Task.detached(priority: priority) { await operation() } : Task(priority: priority) { await operation() }
}

/// Where the tasks live that the library starts. A test scheduler sets it while it works, for its own work alone: it is
/// a task-local value, so that tests that run in parallel do not meet.
package struct TaskHome: Sendable {
    /// The home of tasks started here and now; `nil` for the real world.
    @TaskLocal package static var current: TaskHome?

    /// Starts a task; `nil` if there is no home after all.
    package let start: @Sendable (TaskOrigin, @escaping @Sendable () async -> Void) -> Task<Void, Never>?

    package init(
        start: @escaping @Sendable (TaskOrigin, @escaping @Sendable () async -> Void) -> Task<Void, Never>?
    ) {
        self.start = start
    }
}

/// What a task does, and where the code is that asked for it.
package struct TaskOrigin: Sendable, CustomStringConvertible {
    /// Of the task that asks, if it was started by ``startTask(_:file:line:detached:priority:_:)`` in a home.
    @TaskLocal package static var ofThisTask: TaskOrigin?

    package let name: StaticString
    package let file: StaticString
    package let line: UInt
    /// Tells the tasks of one home apart.
    package var number = 0

    package init(name: StaticString, file: StaticString, line: UInt) {
        self.name = name
        self.file = file
        self.line = line
    }

    /// `flatMapLatest, at MyTests/SearchTests.swift:12`
    package var description: String { "\(name), at \(file):\(line)" }
}
