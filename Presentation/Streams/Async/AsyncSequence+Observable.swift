extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// This sequence, as a stream: its elements, then completion or the error that it throws.
    ///
    /// - Each subscription iterates over the sequence anew, in a task of its own. A sequence that may be iterated over
    ///   only once, such as an `AsyncStream`, makes a stream that may be subscribed to only once.
    /// - Disposing the subscription cancels the task.
    ///
    /// ```swift
    /// // numbers: an `AsyncStream` of 1 and 2
    /// numbers.asObservable().map { $0 * 2 }    // 2 at 0 s, 4 at 0 s, | at 0 s
    /// ```
    ///
    /// - Parameters:
    ///   - file: Where the code is that asked for the task, for reports of what is still going on.
    ///   - line: Where the code is that asked for the task.
    @preconcurrency
    public func asObservable(file: StaticString = #fileID, line: UInt = #line) -> Observable<Element> {
        Observable(run: { sink in
            let task = startTask("asObservable", file: file, line: line) {
                do {
                    for try await element in self {
                        if !sink.chain.isLive { break }
                        sink.next(element)
                    }
                    sink.chain.complete()
                } catch {
                    sink.chain.fail(error)
                }
            }
            sink.chain.attach(AnonymousDisposable(task.cancel))
        })
    }
}
