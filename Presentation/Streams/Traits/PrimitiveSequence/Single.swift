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

/// The event of a ``Single``.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// A function that receives the event of a ``Single``.
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

    /// Creates a single that emits `element` on subscription.
    ///
    /// ```swift
    /// Single.just(1)    // 1 |
    /// ```
    @inlinable
    public static func just(_ element: Element) -> Single<Element> {
        PrimitiveSequence(raw: .just(element))
    }

    /// Creates a single that emits `element` on `scheduler`.
    ///
    /// ```swift
    /// Single.just(1, scheduler: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Single<Element> {
        PrimitiveSequence(raw: .just(element, scheduler: scheduler))
    }

    /// Creates a single that fails with `error` on subscription.
    ///
    /// ```swift
    /// Single<Int>.error(RxError.timeout)    // RxError.timeout
    /// ```
    @inlinable
    public static func error(_ error: any Error) -> Single<Element> {
        PrimitiveSequence(raw: .error(error))
    }

    /// Creates a single that never emits an event.
    @inlinable
    public static func never() -> Single<Element> {
        PrimitiveSequence(raw: .never())
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Calls `observer` with the event, unless the returned disposable is disposed before.
    ///
    /// ```swift
    /// Single.just(1).subscribe { print($0) }    // prints success(1)
    /// ```
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

    /// Calls the functions with `object` as first argument, like
    /// ``subscribe(onSuccess:onFailure:onDisposed:file:line:)``. The subscription does not retain the object; after its
    /// deallocation the functions are no longer called.
    ///
    /// ```swift
    /// Single.just(1).subscribe(with: screen, onSuccess: { print($0.title, $1) })    // prints home 1
    /// ```
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

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Calls functions at the events of this single, and forwards the events unchanged; see
    /// ``ObservableType/do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)``.
    ///
    /// ```swift
    /// Single.just(1).do(onSuccess: { print("received", $0) })    // 1 |
    /// ```
    @inlinable
    @preconcurrency
    public func `do`(
        onSuccess: (@Sendable (Element) throws -> Void)? = nil,
        afterSuccess: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Single<Element> {
        Single(
            raw: primitiveSequence.source.do(
                onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Emits the element if `predicate` returns `true` for it; otherwise completes. Fails with the error that
    /// `predicate` throws.
    ///
    /// ```swift
    /// Single.just(1).filter { $0 > 1 }    // |
    /// ```
    @inlinable
    @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.filter(predicate))
    }

    /// Transforms the element. Fails with the error that `transform` throws.
    ///
    /// ```swift
    /// Single.just(1).map { $0 * 2 }    // 2 |
    /// ```
    @inlinable
    @preconcurrency
    public func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result
    ) -> Single<Result> {
        Single(raw: primitiveSequence.source.map(transform))
    }

    /// Transforms the element, and completes without one if the result is `nil`. Fails with the error that `transform`
    /// throws.
    ///
    /// ```swift
    /// Single.just("two").compactMap { Int($0) }    // |
    /// ```
    @inlinable
    @preconcurrency
    public func compactMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.compactMap(transform))
    }

    /// Continues with the single that `selector` returns for the element. Fails with the error that `selector` throws.
    ///
    /// ```swift
    /// user(1).flatMap { user in posts(of: user) }
    /// ```
    @inlinable
    @preconcurrency
    public func flatMap<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Single<Result>
    ) -> Single<Result> {
        Single(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Continues with the maybe that `selector` returns for the element. Fails with the error that `selector` throws.
    ///
    /// ```swift
    /// Single.just(1).flatMapMaybe { _ in Maybe<Int>.empty() }    // |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapMaybe<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Continues with the completable that `selector` returns for the element. Fails with the error that `selector`
    /// throws.
    ///
    /// ```swift
    /// Single.just(1).flatMapCompletable { _ in Completable.empty() }    // |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapCompletable(
        _ selector: @escaping @Sendable (Element) throws -> Completable
    ) -> Completable {
        Completable(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Emits `element` in place of an error, and completes.
    ///
    /// ```swift
    /// Single<Int>.error(RxError.timeout).catchAndReturn(0)    // 0 |
    /// ```
    @inlinable
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        Single(raw: primitiveSequence.source.catchAndReturn(element))
    }

    /// Returns this single as a ``Maybe``, which always emits its element or fails.
    ///
    /// ```swift
    /// Single.just(1).asMaybe()    // 1 |
    /// ```
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source)
    }

    /// Returns the termination of this single, without its element.
    ///
    /// ```swift
    /// Single.just(1).asCompletable()    // |
    /// ```
    @inlinable
    public func asCompletable() -> Completable {
        Completable(raw: primitiveSequence.source.ignoreElements())
    }
}
