extension ObservableType {
    /// Emits the values that `selector` returns for the elements, as they arrive. Any number of tasks run concurrently.
    ///
    /// Completes when this stream has completed and all tasks have finished. Fails when this stream fails or a task
    /// throws. Termination and disposal cancel the running tasks.
    ///
    /// A screen is to survive an error: there, make it an element where the work is, by
    /// `flatMap { id in Observable.task { try await api.load(id) }.materialize() }`, or `catch` it there.
    ///
    /// ```swift
    /// // api.load takes a second
    /// // ids:  1 at 0 s, 2 at 0.5 s, | at 3 s
    /// ids.flatMap { id in try await api.load(id) }    // user 1 at 1 s, user 2 at 1.5 s, | at 3 s
    /// ```
    @preconcurrency
    public func flatMap<Result: Sendable>(
        file: StaticString = #fileID, line: UInt = #line,
        _ selector: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        flatMap { element in Observable.task(file: file, line: line) { try await selector(element) } }
    }

    /// Emits the value that `selector` returns for the latest element: cancels the task of the previous element before it
    /// starts the new one, and ignores its result. Otherwise like `flatMap`.
    ///
    /// ```swift
    /// // api.load takes a second
    /// // ids:  1 at 0 s, 2 at 0.5 s, | at 3 s
    /// ids.flatMapLatest { id in try await api.load(id) }    // user 2 at 1.5 s, | at 3 s
    /// ```
    @preconcurrency
    public func flatMapLatest<Result: Sendable>(
        file: StaticString = #fileID, line: UInt = #line,
        _ selector: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        flatMapLatest { element in Observable.task(file: file, line: line) { try await selector(element) } }
    }

    /// Emits the value that `selector` returns for an element, and ignores the elements that arrive while its task runs.
    /// Otherwise like `flatMap`.
    ///
    /// ```swift
    /// // api.load takes a second
    /// // ids:  1 at 0 s, 2 at 0.5 s, | at 3 s
    /// ids.flatMapFirst { id in try await api.load(id) }    // user 1 at 1 s, | at 3 s
    /// ```
    @preconcurrency
    public func flatMapFirst<Result: Sendable>(
        file: StaticString = #fileID, line: UInt = #line,
        _ selector: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        flatMapFirst { element in Observable.task(file: file, line: line) { try await selector(element) } }
    }

    /// Emits the values that `selector` returns for the elements, in order: a task starts when the previous one has
    /// finished. Enqueues the elements that arrive meanwhile, without a limit. Otherwise like `flatMap`.
    ///
    /// ```swift
    /// // api.load takes a second
    /// // ids:  1 at 0 s, 2 at 0.5 s, | at 3 s
    /// ids.concatMap { id in try await api.load(id) }    // user 1 at 1 s, user 2 at 2 s, | at 3 s
    /// ```
    @preconcurrency
    public func concatMap<Result: Sendable>(
        file: StaticString = #fileID, line: UInt = #line,
        _ selector: @escaping @Sendable (Element) async throws -> Result
    ) -> Observable<Result> {
        concatMap { element in Observable.task(file: file, line: line) { try await selector(element) } }
    }
}
