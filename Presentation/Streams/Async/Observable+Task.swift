extension ObservableType {
    /// A stream of the one value that `operation` returns; what it throws is the stream's error.
    ///
    /// - Each subscription runs the operation anew, in a task of its own.
    /// - Disposing the subscription cancels the task; what it returns or throws after that is not heard.
    /// - The value is sent from the task: put ``observe(on:)`` behind it to hear it elsewhere.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Observable.task { try await api.load(7) }    // user 7 at 1 s, | at 1 s
    /// ```
    ///
    /// - Parameters:
    ///   - file: Where the code is that asked for the task, for reports of what is still going on.
    ///   - line: Where the code is that asked for the task.
    ///   - operation: Makes the value.
    @preconcurrency
    public static func task(
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> Element
    ) -> Observable<Element> {
        Observable(run: { sink in
            let task = startTask("task", file: file, line: line) {
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
