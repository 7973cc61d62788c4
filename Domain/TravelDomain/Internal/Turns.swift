/// Lets one task at a time into a section that suspends.
///
/// ```swift
/// try await turns.take()
/// await work()
/// await turns.give()
/// ```
package actor Turns {
    private var isTaken = false
    private var waiting: [AsyncStream<Void>.Continuation] = []

    package init() {}

    /// Returns when no other task has the turn.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits; it does not have the turn then.
    package func take() async throws {
        while isTaken {
            let (turn, continuation) = AsyncStream<Void>.makeStream()
            waiting.append(continuation)
            // Ends when the turn is returned, and when the task is cancelled.
            for await _ in turn {}
            try Task.checkCancellation()
        }
        isTaken = true
    }

    /// Releases the turn to the next waiting task.
    package func give() {
        isTaken = false
        for continuation in waiting { continuation.finish() }
        waiting = []
    }
}
