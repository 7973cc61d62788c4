/// A stream that sends one element and completes, or fails. What a request answers with.
///
/// ```swift
/// func user(_ id: Int) -> Single<User> {
///     Single.create { answer in
///         let task = client.get(id) { answer($0) }
///         return Disposables.create { task.cancel() }
///     }
/// }
/// ```
public typealias Single<Element: Sendable> = PrimitiveSequence<SingleTrait, Element>

/// The promise of a ``Single``: one element, or an error.
public enum SingleTrait: Sendable {}

/// What a ``Single`` says.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The function that hears what a ``Single`` says.
    public typealias SingleObserver = @Sendable (SingleEvent<Element>) -> Void

    /// A single that runs `subscribe` for each subscription and says what that tells its observer. Only the first
    /// word counts, from whichever thread it comes.
    ///
    /// ```swift
    /// Single<Int>.create { answer in
    ///     answer(.success(1))
    ///     return Disposables.create()
    /// }                            // 1 |
    /// ```
    @inlinable
    @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping SingleObserver) -> any Disposable
    ) -> Single<Element> {
        PrimitiveSequence(
            raw: .create { observer in
                let isOver = Flag()
                return subscribe { event in
                    guard isOver.raise() else { return }
                    switch event {
                    case .success(let element):
                        observer.onNext(element)
                        observer.onCompleted()
                    case .failure(let error): observer.onError(error)
                    }
                }
            })
    }

    /// A single of this element.
    @inlinable
    public static func just(_ element: Element) -> Single<Element> {
        PrimitiveSequence(raw: .just(element))
    }

    /// A single of this element, sent on `scheduler`.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        PrimitiveSequence(raw: .just(element, scheduler: scheduler))
    }

    /// A single that fails on subscription.
    @inlinable
    public static func error(_ error: any Error) -> Single<Element> {
        PrimitiveSequence(raw: .error(error))
    }

    /// A single that says nothing, ever.
    @inlinable
    public static func never() -> Single<Element> {
        PrimitiveSequence(raw: .never())
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Calls `observer` with what the single says, unless the result is disposed before.
    @inlinable
    @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line,
        _ observer: @escaping @Sendable (SingleEvent<Element>) -> Void
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            { observer(.success($0)) }, file, line,
            onEnd: { error in if let error { observer(.failure(error)) } })
    }

    /// Calls a function for what the single says, unless the result is disposed before.
    ///
    /// - Parameters:
    ///   - onSuccess: Hears the element.
    ///   - onFailure: Hears the error. Without it, ``Hooks/defaultErrorHandler`` does.
    ///   - onDisposed: Called once, after termination or disposal.
    @inlinable
    @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil,
        onFailure: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            onNext: onSuccess, onError: onFailure, onDisposed: onDisposed, file: file, line: line)
    }

    /// As ``subscribe(onSuccess:onFailure:onDisposed:)``, with `object` as first argument of each function.
    /// The object is not kept alive by the subscription; once it is gone, the functions are no longer called.
    @inlinable
    @preconcurrency
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
        onFailure: (@Sendable (Object, any Error) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            with: object, onNext: onSuccess, onError: onFailure, onDisposed: onDisposed, file: file, line: line)
    }
}
