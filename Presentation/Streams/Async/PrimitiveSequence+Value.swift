extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The element of the single. Throws the error with which the single fails.
    ///
    /// Each access subscribes. Cancelling the task disposes the subscription and throws `CancellationError`.
    ///
    /// ```swift
    /// let user = try await api.user(7).value
    /// ```
    public var value: Element {
        get async throws {
            guard let element = try await primitiveSequence.asObservable().firstValue() else {
                throw RxError.noElements
            }
            return element
        }
    }

    /// Creates a single of the value that `operation` returns. It fails with the error that the operation throws.
    ///
    /// As in `task(file:line:_:)`, each subscription runs a task, which is cancelled on disposal.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Single.create { try await api.load(7) }    // user 7 at 1 s, | at 1 s
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
    ) -> PrimitiveSequence<SingleTrait, Element> {
        PrimitiveSequence(raw: .taskForValue("create", file, line, detached, priority, work))
    }
}

extension PrimitiveSequence where Trait == SingleTrait {
    /// Creates a single of the value that `operation` returns. It fails with the error that the operation throws.
    ///
    /// As in `task(file:line:_:)`, each subscription runs a task, which is cancelled on disposal.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Single { try await api.load(7) }    // user 7 at 1 s, | at 1 s
    /// ```
    @preconcurrency
    public init(
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> Element
    ) {
        self.init(raw: .task(file: file, line: line, operation))
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The element of the maybe, or `nil` if there is none. Throws the error with which the maybe fails.
    ///
    /// Each access subscribes. Cancelling the task disposes the subscription and throws `CancellationError`.
    public var value: Element? {
        get async throws {
            try await primitiveSequence.asObservable().firstValue()
        }
    }

    /// Creates a maybe of the value that `work` returns, if it is not `nil`. It fails with the error that `work`
    /// throws.
    ///
    /// As for a ``Single``, each subscription runs a task, which is cancelled on disposal.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Maybe.create { try await api.load(7) }    // user 7 at 1 s, | at 1 s
    /// ```
    @preconcurrency
    public static func create(
        detached: Bool = false, priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        work: @escaping @Sendable () async throws -> Element?
    ) -> PrimitiveSequence<MaybeTrait, Element> {
        PrimitiveSequence(raw: .taskForValue("create", file, line, detached, priority, work))
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Waits for completion. Throws the error with which the completable fails.
    ///
    /// Each access subscribes. Cancelling the task disposes the subscription and throws `CancellationError`.
    ///
    /// ```swift
    /// try await store.save(draft).value
    /// ```
    public var value: Void {
        get async throws {
            _ = try await primitiveSequence.asObservable().firstValue()
        }
    }

    /// Creates a completable that completes when `work` returns, or fails with the error that `work` throws.
    ///
    /// As for a ``Single``, each subscription runs a task, which is cancelled on disposal.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Completable.create { _ = try await api.load(7) }    // | at 1 s
    /// ```
    @preconcurrency
    public static func create(
        detached: Bool = false, priority: TaskPriority? = nil, file: StaticString = #fileID, line: UInt = #line,
        work: @escaping @Sendable () async throws -> Void
    ) -> PrimitiveSequence<CompletableTrait, Never> {
        PrimitiveSequence(
            raw: .taskForValue("create", file, line, detached, priority) {
                try await work()
                return nil
            })
    }
}

extension Observable {
    /// Returns the first element, or `nil` if there is none. Cancelling the task disposes the subscription.
    func firstValue() async throws -> Element? {
        let result = Promise<Element?>()
        let subscription = subscribe(
            onNext: { result.resolve(.success($0)) },
            onError: { result.resolve(.failure($0)) },
            onCompleted: { result.resolve(.success(nil)) },
            onDisposed: { result.resolve(.failure(CancellationError())) })
        return try await result.value { subscription.dispose() }
    }
}
