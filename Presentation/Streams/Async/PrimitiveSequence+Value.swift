extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The element; throws the error the single fails with.
    ///
    /// Subscribes, and cancelling the task disposes the subscription and throws `CancellationError`.
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

    /// A single of the value that `operation` returns; what that throws is its error.
    ///
    /// As ``ObservableType/task(file:line:_:)``: a task for each subscription, cancelled on disposal.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Single.create { try await api.load(7) }    // user 7 at 1 s, | at 1 s
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
    ) -> PrimitiveSequence<SingleTrait, Element> {
        PrimitiveSequence(raw: .taskForValue("create", file, line, detached, priority, work))
    }
}

extension PrimitiveSequence where Trait == SingleTrait {
    /// A single of the value that `operation` returns; what that throws is its error.
    ///
    /// As ``ObservableType/task(file:line:_:)``: a task for each subscription, cancelled on disposal.
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
    /// The element, `nil` if there is none; throws the error the maybe fails with.
    ///
    /// Subscribes, and cancelling the task disposes the subscription and throws `CancellationError`.
    public var value: Element? {
        get async throws {
            try await primitiveSequence.asObservable().firstValue()
        }
    }

    /// A maybe of the value that `work` returns, if that is not `nil`; what it throws is the error.
    ///
    /// As the form that a ``Single`` has: a task for each subscription, cancelled on disposal.
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
    /// Waits for completion; throws the error the completable fails with.
    ///
    /// Subscribes, and cancelling the task disposes the subscription and throws `CancellationError`.
    ///
    /// ```swift
    /// try await store.save(draft).value
    /// ```
    public var value: Void {
        get async throws {
            _ = try await primitiveSequence.asObservable().firstValue()
        }
    }

    /// A completable that completes when `work` returns; what it throws is the error.
    ///
    /// As the form that a ``Single`` has: a task for each subscription, cancelled on disposal.
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
    /// The first element, `nil` if there is none. Cancelling the task disposes the subscription.
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
