extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// This sequence, as a stream: its elements, then completion or the error that it throws.
    ///
    /// - Each subscription iterates over the sequence anew, in a task of its own. A sequence that may be iterated over
    ///   only once, such as an `AsyncStream`, makes a stream that may be subscribed to only once.
    /// - Disposing the subscription cancels the task.
    /// - A sequence that throws `CancellationError` was stopped and did not fail: the stream completes.
    ///
    /// ```swift
    /// // numbers: an `AsyncStream` of 1 and 2
    /// numbers.asObservable().map { $0 * 2 }    // 2 at 0 s, 4 at 0 s, | at 0 s
    /// ```
    ///
    /// - Parameters:
    ///   - detached: Whether the task is detached: it then inherits neither priority nor task-local values.
    ///   - priority: The priority of the task; by default that of whoever subscribes.
    ///   - file: Where the code is that asked for the task, for reports of what is still going on.
    ///   - line: Where the code is that asked for the task.
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
