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

    /// A stream of what `operation` sends while it runs, be it nothing or many; complete when it returns.
    ///
    /// As the form that returns a value, for more values than one, or for work that gives none:
    ///
    /// ```swift
    /// Observable<Int>.task { send in
    ///     for percent in [0, 50, 100] {
    ///         send(percent)
    ///         try await scheduler.virtualClock.sleep(for: .seconds(1))
    ///     }
    /// }    // 0 at 0 s, 50 at 1 s, 100 at 2 s, | at 3 s
    /// ```
    ///
    /// - Parameters:
    ///   - file: Where the code is that asked for the task, for reports of what is still going on.
    ///   - line: Where the code is that asked for the task.
    ///   - operation: Calls `send` for each value, from any task or thread; values that are sent at once are delivered one
    ///     after the other. What it sends after it has returned, or after disposal, is ignored.
    @preconcurrency
    public static func task(
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (_ send: @escaping @Sendable (Element) -> Void) async throws -> Void
    ) -> Observable<Element> {
        Observable(run: { sink in
            let observer = AnyObserver(Emitter(sink.chain, isStarting: false), sink)
            let task = startTask("task", file: file, line: line) {
                do {
                    try await operation { element in observer.onNext(element) }
                    observer.onCompleted()
                } catch {
                    observer.onError(error)
                }
            }
            sink.chain.attach(AnonymousDisposable(task.cancel))
        })
    }
}
