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
        taskForValue("task", file, line, false, nil, operation)
    }

    /// A stream of the one value that `work` returns, as ``task(file:line:_:)`` under the name that RxSwift has.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Observable.create { try await api.load(7) }    // user 7 at 1 s, | at 1 s
    /// ```
    ///
    /// - Parameters:
    ///   - detached: Whether the task is detached: it then inherits neither priority nor task-local values.
    ///   - priority: The priority of the task; by default that of whoever subscribes.
    ///   - file: Where the code is that asked for the task, for reports of what is still going on.
    ///   - line: Where the code is that asked for the task.
    ///   - work: Makes the value.
    @preconcurrency
    public static func create(
        detached: Bool = false, priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        work: @escaping @Sendable () async throws -> Element
    ) -> Observable<Element> {
        taskForValue("create", file, line, detached, priority, work)
    }

    /// A stream of the value that a task returns, if there is one.
    ///
    /// - Parameters:
    ///   - name: What the task is called.
    ///   - function: What the stream is called: the method that makes it.
    static func taskForValue(
        _ name: StaticString, _ file: StaticString, _ line: UInt, _ detached: Bool, _ priority: TaskPriority?,
        function: StaticString = #function, _ operation: @escaping @Sendable () async throws -> Element?
    ) -> Observable<Element> {
        Observable(
            run: { sink in
                let task = startTask(name, file: file, line: line, detached: detached, priority: priority) {
                    do {
                        if let value = try await operation() { sink.send(value) }
                        sink.chain.complete()
                    } catch {
                        sink.chain.fail(error)
                    }
                }
                sink.chain.attach(AnonymousDisposable(task.cancel))
            }, name: function)
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
