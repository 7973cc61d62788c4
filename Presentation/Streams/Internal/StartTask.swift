/// Starts a task: the only way in which this package's libraries do.
///
/// Where a virtual world is at work (see ``TaskHome``), the task lives there; else on the global executor, at the
/// priority of whoever starts it.
///
/// - Parameters:
///   - name: What the task does, for whoever asks what is still going on.
///   - file: Where the code is that asked for it.
///   - line: Where the code is that asked for it.
///   - operation: What the task does.
@usableFromInline
@discardableResult
package func startTask(
    _ name: StaticString, file: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async -> Void
) -> Task<Void, Never> {
    let origin = TaskOrigin(name: name, file: file, line: line)
    return TaskHome.current?.start(origin, operation) ?? Task { await operation() }
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
    /// Of the task that asks, if it was started by ``startTask(_:file:line:_:)`` in a home.
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
