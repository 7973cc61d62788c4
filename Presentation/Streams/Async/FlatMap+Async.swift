extension ObservableType {
    /// The values that `selector` makes of the elements, as they come: any number of tasks at a time.
    ///
    /// Complete when this stream is and all tasks have ended; failed when one throws, and then the others are
    /// cancelled, as they are on disposal.
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

    /// The value that `selector` makes of the newest element: the task of an older one is cancelled.
    ///
    /// The cancellation comes before the new task starts. Complete when this stream is and the newest task has ended;
    /// failed when that throws.
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

    /// The value that `selector` makes of an element; elements that come while its task is under way are ignored.
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

    /// The values that `selector` makes of the elements, in their order: a task starts when the one before has ended.
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
