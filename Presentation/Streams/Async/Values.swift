extension ObservableConvertibleType {
    /// An asynchronous sequence of the elements, which throws the error with which the stream fails.
    ///
    /// - Accessing the property subscribes. Elements are buffered without a limit until they are requested; see
    ///   ``values(buffering:)`` for a limited buffer.
    /// - Cancelling the iterating task disposes the subscription. After the buffered elements the iteration throws
    ///   `CancellationError`, so that cancellation is not mistaken for completion.
    /// - Releasing the sequence disposes the subscription.
    ///
    /// ```swift
    /// for try await number in Observable.of(1, 2, 3).values { print(number) }    // prints 1 2 3
    /// ```
    public var values: AsyncThrowingStream<Element, any Error> {
        AsyncThrowingStream { continuation in
            let subscription = asObservable().subscribe(
                onNext: { continuation.yield($0) },
                onError: { continuation.finish(throwing: $0) },
                onCompleted: { continuation.finish() },
                onDisposed: { continuation.finish(throwing: CancellationError()) })
            continuation.onTermination = { _ in subscription.dispose() }
        }
    }

    /// Returns an asynchronous sequence of the elements with an explicit buffering policy for slow consumers.
    ///
    /// Otherwise like ``values``.
    ///
    /// ```swift
    /// let positions = tracker.positions.values(buffering: .latest)
    /// for try await position in positions { await draw(position) }    // slow, but never out of date
    /// print("\(positions.droppedCount) positions were not drawn")
    /// ```
    public func values(buffering: ValueBuffering) -> BufferedValues<Element, any Error> {
        let buffer = ValueBuffer<Element, any Error>(buffering, whenCancelled: .failure(CancellationError()))
        let subscription = asObservable().subscribe(
            onNext: buffer.add, onError: buffer.finish, onCompleted: { buffer.finish(nil) })
        return BufferedValues(buffer, subscription)
    }
}

/// The buffering policy for elements that arrive faster than they are requested.
///
/// ```swift
/// let subject = PublishSubject<Int>()
/// let values = subject.values(buffering: .bounded(2, .dropNewest))
/// for number in 1...3 { subject.onNext(number) }
/// subject.onCompleted()
/// for try await value in values { print(value) }    // prints 1 2
/// ```
public enum ValueBuffering: Sendable, Hashable {
    case unbounded
    /// Keep only the latest element, and drop those before it.
    case latest
    /// Keep at most this number of elements, at least one.
    case bounded(Int, Overflow)

    /// The element to drop when the buffer is full.
    ///
    /// ```swift
    /// let values = Observable.of(1, 2, 3).values(buffering: .bounded(2, .dropOldest))
    /// for try await value in values { print(value) }    // prints 2 3
    /// ```
    public enum Overflow: Sendable, Hashable {
        case dropOldest
        case dropNewest
    }
}

extension InfallibleType {
    /// An asynchronous sequence of the elements that does not throw, and ends when its task is cancelled; otherwise
    /// like ``ObservableConvertibleType/values``.
    ///
    /// ```swift
    /// for await number in Infallible.of(1, 2, 3).values { print(number) }    // prints 1 2 3
    /// ```
    public var values: AsyncStream<Element> { infallibleValues() }

    /// Returns an asynchronous sequence that does not throw; otherwise like
    /// ``ObservableConvertibleType/values(buffering:)``.
    public func values(buffering: ValueBuffering) -> BufferedValues<Element, Never> { infallibleValues(buffering) }
}

extension SharedSequenceConvertibleType {
    /// An asynchronous sequence of the elements that does not throw, and ends when its task is cancelled; otherwise
    /// like ``ObservableConvertibleType/values``.
    ///
    /// ```swift
    /// for await title in viewModel.title.values { label.text = title }
    /// ```
    public var values: AsyncStream<Element> { infallibleValues() }

    /// Returns an asynchronous sequence that does not throw; otherwise like
    /// ``ObservableConvertibleType/values(buffering:)``.
    public func values(buffering: ValueBuffering) -> BufferedValues<Element, Never> { infallibleValues(buffering) }
}

extension ObservableConvertibleType {
    /// The elements of a stream that cannot fail.
    fileprivate func infallibleValues() -> AsyncStream<Element> {
        AsyncStream { continuation in
            let subscription = asObservable().subscribe(
                onNext: { continuation.yield($0) },
                onCompleted: { continuation.finish() },
                onDisposed: { continuation.finish() })
            continuation.onTermination = { _ in subscription.dispose() }
        }
    }

    fileprivate func infallibleValues(_ buffering: ValueBuffering) -> BufferedValues<Element, Never> {
        let buffer = ValueBuffer<Element, Never>(buffering, whenCancelled: .success(nil))
        let subscription = asObservable().subscribe(onNext: buffer.add, onDisposed: { buffer.finish(nil) })
        return BufferedValues(buffer, subscription)
    }
}

/// An asynchronous sequence of the elements of a stream, with an explicit buffering policy.
///
/// One task iterates over it: each element is returned by one call of `next()`.
///
/// ```swift
/// let subject = PublishSubject<Int>()
/// let values = subject.values(buffering: .latest)
/// subject.onNext(1)
/// subject.onNext(2)
/// subject.onCompleted()
/// for try await value in values { print(value) }    // prints 2
/// print(values.droppedCount)                        // prints 1
/// ```
public struct BufferedValues<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    private let buffer: ValueBuffer<Element, Failure>
    private let subscription: OwnedDisposable

    init(_ buffer: ValueBuffer<Element, Failure>, _ subscription: any Disposable) {
        self.buffer = buffer
        self.subscription = OwnedDisposable(subscription)
    }

    /// The number of elements that were dropped so far because the buffer was full.
    public var droppedCount: Int { buffer.droppedCount }

    /// An iterator over the elements.
    ///
    /// ```swift
    /// var iterator = Observable.of(1, 2).values(buffering: .unbounded).makeAsyncIterator()
    /// print(try await iterator.next() ?? 0)    // prints 1
    /// ```
    public struct AsyncIterator: AsyncIteratorProtocol {
        let buffer: ValueBuffer<Element, Failure>
        let subscription: OwnedDisposable

        /// Waits for the next element; returns `nil` after the last one. If the task is cancelled, throws
        /// `CancellationError`, or ends the sequence if the stream cannot fail.
        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }

        /// Waits for the next element; returns `nil` after the last one. If the task is cancelled, throws
        /// `CancellationError`, or ends the sequence if the stream cannot fail.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await buffer.next(subscription).get()
        }
    }

    /// Returns an iterator that continues where the previous one stopped: all iterators share one subscription.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(buffer: buffer, subscription: subscription)
    }
}

/// Disposes a disposable on deallocation.
final class OwnedDisposable: Sendable {
    private let disposable: any Disposable

    init(_ disposable: any Disposable) { self.disposable = disposable }

    func dispose() { disposable.dispose() }

    deinit { disposable.dispose() }
}

/// A queue of elements that are not requested yet, or a task that waits for one.
final class ValueBuffer<Element: Sendable, Failure: Error>: Sendable {
    typealias NextResult = Result<Element?, Failure>

    private struct State {
        var elements = Queue<Element>()
        var end: NextResult?
        var waiter: Promise<NextResult>?
        var droppedCount = 0
    }

    private let limit: Int
    private let dropsNewest: Bool
    /// The result for a task that is cancelled while it waits.
    private let whenCancelled: NextResult
    private let state = Mutex(State())

    init(_ buffering: ValueBuffering, whenCancelled: NextResult) {
        self.whenCancelled = whenCancelled
        switch buffering {
        case .unbounded: (limit, dropsNewest) = (.max, false)
        case .latest: (limit, dropsNewest) = (1, false)
        case .bounded(let limit, let overflow):
            precondition(limit > 0, "values(buffering:) requires a bound of at least 1, not \(limit)")
            (self.limit, dropsNewest) = (limit, overflow == .dropNewest)
        }
    }

    var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Resumes the waiting task with the element, or enqueues the element.
    func add(_ element: Element) {
        let (waiter, dropped) = state.withLock { state -> (Promise<NextResult>?, Element?) in
            if let waiter = state.waiter.take() { return (waiter, nil) }
            if state.end != nil { return (nil, nil) }
            var dropped: Element?
            if state.elements.count == limit {
                state.droppedCount += 1
                if dropsNewest { return (nil, nil) }
                dropped = state.elements.popFirst()
            }
            state.elements.append(element)
            return (nil, dropped)
        }
        withExtendedLifetime(dropped) {}  // released after the lock
        waiter?.resolve(.success(.success(element)))
    }

    /// Marks the end of the elements: with an error, or with `nil` on completion.
    func finish(_ error: Failure?) {
        let end = error.map(NextResult.failure) ?? .success(nil)
        let waiter = state.withLock { state -> Promise<NextResult>? in
            if state.end == nil { state.end = end }
            // The error is thrown once; after that the sequence is finished.
            if state.waiter != nil { state.end = .success(nil) }
            return state.waiter.take()
        }
        waiter?.resolve(.success(end))
    }

    /// Waits for the next element, the error, or `nil` at the end. If the task is cancelled, disposes `subscription`
    /// and returns `whenCancelled`.
    func next(_ subscription: OwnedDisposable) async -> Result<Element?, Failure> {
        let waiter = Promise<NextResult>()
        let ready = state.withLock { state -> NextResult? in
            if let element = state.elements.popFirst() { return .success(element) }
            if let end = state.end {
                state.end = .success(nil)
                return end
            }
            precondition(state.waiter == nil, "values(buffering:) supports only one iterating task")
            state.waiter = waiter
            return nil
        }
        if let ready { return ready }
        do {
            return try await waiter.value {
                self.finish(nil)
                subscription.dispose()
            }
        } catch {
            return whenCancelled
        }
    }
}

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
    ) { self.init(raw: .task(file: file, line: line, operation)) }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The element of the maybe, or `nil` if there is none. Throws the error with which the maybe fails.
    ///
    /// Each access subscribes. Cancelling the task disposes the subscription and throws `CancellationError`.
    public var value: Element? {
        get async throws { try await primitiveSequence.asObservable().firstValue() }
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

extension PrimitiveSequence where Trait == MaybeTrait {
    /// Creates a maybe of the value that `operation` returns, if it is not `nil`. It fails with the error that the
    /// operation throws.
    ///
    /// As for a ``Single``, each subscription runs a task, which is cancelled on disposal.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Maybe { try await api.load(7) }    // user 7 at 1 s, | at 1 s
    /// ```
    @preconcurrency
    public init(
        file: StaticString = #fileID, line: UInt = #line,
        _ operation: @escaping @Sendable () async throws -> Element?
    ) { self.init(raw: .taskForValue("task", file, line, false, nil, operation)) }
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
        get async throws { _ = try await primitiveSequence.asObservable().firstValue() }
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

extension PrimitiveSequence where Trait == CompletableTrait, Element == Never {
    /// Creates a completable that completes when `operation` returns, or fails with the error that it throws.
    ///
    /// As for a ``Single``, each subscription runs a task, which is cancelled on disposal.
    ///
    /// ```swift
    /// // api.load takes a second
    /// Completable { _ = try await api.load(7) }    // | at 1 s
    /// ```
    @preconcurrency
    public init(
        file: StaticString = #fileID, line: UInt = #line, _ operation: @escaping @Sendable () async throws -> Void
    ) {
        self.init(
            raw: .taskForValue("task", file, line, false, nil) {
                try await operation()
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
