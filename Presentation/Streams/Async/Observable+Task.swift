import Synchronization

extension ObservableType {
    /// Creates a stream that emits the value that `operation` returns, or fails with the error that it throws.
    ///
    /// - Each subscription runs the operation in its own task.
    /// - Disposing the subscription cancels the task; its later result is ignored.
    /// - The task emits the value: add ``observe(on:)`` to receive it elsewhere.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Observable.task { try await api.load(7) }    // user 7 at 1 s, | at 1 s
    /// ```
    ///
    /// - Parameters:
    ///   - file: The file of the code that creates the task, for reports of unfinished tasks.
    ///   - line: The line of the code that creates the task.
    ///   - operation: Returns the value.
    @preconcurrency
    public static func task(
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> Element
    ) -> Observable<Element> { taskForValue("task", file, line, false, nil, operation) }

    /// Creates a stream that emits the value that `work` returns: the RxSwift name of `task(file:line:_:)`.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Observable.create { try await api.load(7) }    // user 7 at 1 s, | at 1 s
    /// ```
    ///
    /// - Parameters:
    ///   - detached: Whether the task is detached. A detached task inherits neither priority nor task-local values.
    ///   - priority: The priority of the task; by default that of the subscribing code.
    ///   - file: The file of the code that creates the task, for reports of unfinished tasks.
    ///   - line: The line of the code that creates the task.
    ///   - work: Returns the value.
    @preconcurrency
    public static func create(
        detached: Bool = false, priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        work: @escaping @Sendable () async throws -> Element
    ) -> Observable<Element> { taskForValue("create", file, line, detached, priority, work) }

    /// Creates a stream that emits the value that a task returns, if it is not `nil`.
    ///
    /// - Parameters:
    ///   - name: The name of the task.
    ///   - function: The name of the stream: the method that creates it.
    static func taskForValue(
        _ name: StaticString, _ file: StaticString, _ line: UInt, _ detached: Bool, _ priority: TaskPriority?,
        function: StaticString = #function, _ operation: @escaping @Sendable () async throws -> Element?
    ) -> Observable<Element> {
        Observable(
            connect: { sink in
                let handle = TaskHandle()
                let task = startTask(name, file: file, line: line, detached: detached, priority: priority) {
                    do {
                        let value = try await operation()
                        handle.hasReturned.store(true, ordering: .releasing)
                        if let value { sink.send(value) }
                        sink.chain.complete()
                    } catch {
                        handle.hasReturned.store(true, ordering: .releasing)
                        sink.chain.fail(error)
                    }
                }
                sink.chain.attach(handle.with(task))
            }, name: function)
    }

    /// Creates a stream of the values that `operation` sends while it runs. Completes when the operation returns, and
    /// fails with the error that it throws.
    ///
    /// Like the overload that returns a value, for operations with any number of values:
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
    ///   - file: The file of the code that creates the task, for reports of unfinished tasks.
    ///   - line: The line of the code that creates the task.
    ///   - operation: Calls `send` for each value, from any task or thread; concurrent values are delivered one after
    ///     the other. Values that it sends after it has returned or after disposal are ignored.
    @preconcurrency
    public static func task(
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable (_ send: @escaping @Sendable (Element) -> Void) async throws -> Void
    ) -> Observable<Element> {
        Observable(connect: { sink in
            let observer = AnyObserver(Emitter(sink.chain, isStarting: false), sink)
            let handle = TaskHandle()
            let task = startTask("task", file: file, line: line) {
                do {
                    try await operation { element in observer.onNext(element) }
                    handle.hasReturned.store(true, ordering: .releasing)
                    observer.onCompleted()
                } catch {
                    handle.hasReturned.store(true, ordering: .releasing)
                    observer.onError(error)
                }
            }
            sink.chain.attach(handle.with(task))
        })
    }
}

/// The task of a subscription, which disposal cancels until the operation has returned.
///
/// What happens on termination, such as the subscription to the next stream, runs in this task: it must not find itself
/// cancelled by the release of this stream.
///
/// `@unchecked Sendable`: `task` is set before the handle is attached to a chain, and read by the disposal.
private final class TaskHandle: DisposeBase, @unchecked Sendable {
    private let resource = Resources.Counted()
    let hasReturned = Atomic(false)
    @exclusivity(unchecked) private var task: Task<Void, Never>?

    func with(_ task: Task<Void, Never>) -> TaskHandle {
        self.task = task
        return self
    }

    func dispose() {
        if !hasReturned.load(ordering: .acquiring) { task?.cancel() }
    }
}

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
        Observable(connect: { sink in
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
