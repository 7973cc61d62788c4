extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// Returns a stream of the elements of this sequence, followed by completion or the error that it throws.
    ///
    /// - Each subscription iterates over the sequence in its own task. If the sequence supports only one iteration,
    ///   such as an `AsyncStream`, the stream supports only one subscription.
    /// - Disposing the subscription cancels the task.
    /// - If the sequence throws `CancellationError`, it was cancelled and did not fail: the stream completes.
    ///
    /// ```swift
    /// // numbers: an `AsyncStream` of 1 and 2
    /// numbers.asObservable().map { $0 * 2 }    // 2 at 0 s, 4 at 0 s, | at 0 s
    /// ```
    ///
    /// - Parameters:
    ///   - detached: Whether the task is detached. A detached task inherits neither priority nor task-local values.
    ///   - priority: The priority of the task; by default that of the subscribing code.
    ///   - file: The file of the code that creates the task, for reports of unfinished tasks.
    ///   - line: The line of the code that creates the task.
    @preconcurrency
    public func asObservable(
        detached: Bool = false, priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> Observable<Element> {
        Observable(run: { sink in
            let task = startTask("asObservable", file: file, line: line, detached: detached, priority: priority) {
                do {
                    for try await element in self {
                        if !sink.chain.isLive { break }
                        sink.next(element)
                    }
                    sink.chain.complete()
                } catch is CancellationError {
                    sink.chain.complete()
                } catch {
                    sink.chain.fail(error)
                }
            }
            sink.chain.attach(AnonymousDisposable(task.cancel))
        })
    }
}
