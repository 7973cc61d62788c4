extension ObservableType {
    /// A stream of the one value that `operation` returns; what it throws is the stream's error.
    ///
    /// Each subscription runs the operation anew, in a task of its own. Disposing the subscription cancels the task;
    /// what it returns or throws after that is not heard.
    ///
    /// ```swift
    /// Observable.task { try await search(criteria, viewer: nil) }    // the page |
    /// ```
    @preconcurrency
    public static func task(_ operation: @escaping @Sendable () async throws -> Element) -> Observable<Element> {
        Observable(run: { sink in
            let task = Task {
                do {
                    sink.send(try await operation())
                    sink.chain.complete()
                } catch {
                    sink.chain.fail(error)
                }
            }
            sink.chain.attach(AnonymousDisposable(task.cancel))
        })
    }
}
