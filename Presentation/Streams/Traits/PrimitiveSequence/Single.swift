/// A stream that emits one element or fails, such as the result of a request.
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

/// The trait of a ``Single``: one element or an error.
///
/// ```swift
/// PrimitiveSequence<SingleTrait, Int>.just(1)    // 1 |
/// ```
public enum SingleTrait: Sendable {}

public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    public typealias SingleObserver = @Sendable (SingleEvent<Element>) -> Void

    /// Creates a single that calls `subscribe` for each subscription and emits the event that it sends to its observer.
    /// Only the first event counts, regardless of its thread.
    ///
    /// ```swift
    /// Single<Int>.create { answer in
    ///     answer(.success(1))
    ///     return Disposables.create()
    /// }                            // 1 |
    /// ```
    @inlinable @preconcurrency
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
                        observer.finish(nil)
                    case .failure(let error): observer.finish(error)
                    }
                }
            })
    }

    @inlinable
    public static func just(_ element: Element) -> Single<Element> { PrimitiveSequence(raw: .just(element)) }

    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        PrimitiveSequence(raw: .just(element, scheduler: scheduler))
    }

    @inlinable
    public static func error(_ error: any Error) -> Single<Element> { PrimitiveSequence(raw: .error(error)) }

    @inlinable
    public static func never() -> Single<Element> { PrimitiveSequence(raw: .never()) }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Calls `observer` with the event, unless the returned disposable is disposed before.
    ///
    /// ```swift
    /// Single.just(1).subscribe { print($0) }    // prints success(1)
    /// ```
    @inlinable @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line, _ observer: @escaping @Sendable (SingleEvent<Element>) -> Void
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            { observer(.success($0)) },
            Chain(file, line) { error in if let error { observer(.failure(error)) } })
    }

    /// Calls the function for the event, unless the returned disposable is disposed before.
    ///
    /// ```swift
    /// Single.just(1).subscribe(onSuccess: { print($0) }, onFailure: { print($0) })    // prints 1
    /// ```
    ///
    /// - Parameters:
    ///   - onSuccess: Called with the element.
    ///   - onFailure: Called with the error. If `nil`, ``Hooks/defaultErrorHandler`` is called.
    ///   - onDisposed: Called once, after termination or disposal.
    ///   - file: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    @inlinable @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil, onFailure: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            onNext: onSuccess, onError: onFailure, onDisposed: onDisposed, file: file, line: line)
    }

    /// Calls the functions with `object`, which is not retained, as first argument.
    @inlinable @preconcurrency
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object, onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
        onFailure: (@Sendable (Object, any Error) -> Void)? = nil, onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            with: object, onNext: onSuccess, onError: onFailure, onDisposed: onDisposed, file: file, line: line)
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    @inlinable @preconcurrency
    public func `do`(
        onSuccess: (@Sendable (Element) throws -> Void)? = nil,
        afterSuccess: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil, onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil, onDispose: (@Sendable () -> Void)? = nil
    ) -> Single<Element> {
        Single(
            raw: primitiveSequence.source.do(
                onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Emits the element if `predicate` returns `true` for it; otherwise completes. Fails with the error that
    /// `predicate` throws.
    @inlinable @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.filter(predicate))
    }

    @inlinable @preconcurrency
    public func map<Result: Sendable>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Single<Result> {
        Single(raw: primitiveSequence.source.map(transform))
    }

    /// Transforms the element, and completes without one if the result is `nil`. Fails with the error that `transform`
    /// throws.
    @inlinable @preconcurrency
    public func compactMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Maybe<Result> { Maybe(raw: primitiveSequence.source.compactMap(transform)) }

    @inlinable @preconcurrency
    public func flatMap<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Single<Result>
    ) -> Single<Result> { Single(raw: primitiveSequence.source.flatMap(selector)) }

    @inlinable @preconcurrency
    public func flatMapMaybe<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> { Maybe(raw: primitiveSequence.source.flatMap(selector)) }

    @inlinable @preconcurrency
    public func flatMapCompletable(_ selector: @escaping @Sendable (Element) throws -> Completable) -> Completable {
        Completable(raw: primitiveSequence.source.flatMap(selector))
    }

    @inlinable
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        Single(raw: primitiveSequence.source.catchAndReturn(element))
    }

    @inlinable
    public func asMaybe() -> Maybe<Element> { Maybe(raw: primitiveSequence.source) }

    @inlinable
    public func asCompletable() -> Completable { Completable(raw: primitiveSequence.source.ignoreElements()) }
}
