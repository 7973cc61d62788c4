/// A stream that emits one element, or completes without any, or fails.
///
/// ```swift
/// cache.image(for: url).ifEmpty(switchTo: download(url))    // a maybe and a single: a single
/// ```
public typealias Maybe<Element: Sendable> = PrimitiveSequence<MaybeTrait, Element>

/// The trait of a ``Maybe``: at most one element.
///
/// ```swift
/// PrimitiveSequence<MaybeTrait, Int>.just(1)    // 1 |
/// ```
public enum MaybeTrait: Sendable {}

/// The event of a ``Maybe``.
///
/// ```swift
/// let subscription = Maybe<Int>.empty().subscribe { event in
///     switch event {
///     case .success(let number): print(number)
///     case .completed: print("none")
///     case .error(let error): print(error)
///     }
/// }    // prints none
/// ```
public enum MaybeEvent<Element> {
    case success(Element)
    case error(any Error)
    case completed
}

extension MaybeEvent: Sendable where Element: Sendable {}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    public typealias MaybeObserver = @Sendable (MaybeEvent<Element>) -> Void

    /// Creates a maybe that calls `subscribe` for each subscription and emits the event that it sends to its observer.
    /// Only the first event counts, regardless of its thread.
    ///
    /// ```swift
    /// Maybe<Int>.create { answer in
    ///     answer(.completed)
    ///     return Disposables.create()
    /// }                               // |
    /// ```
    @inlinable @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping MaybeObserver) -> any Disposable
    ) -> Maybe<Element> {
        Maybe(
            raw: .create { observer in
                let isOver = Flag()
                return subscribe { event in
                    guard isOver.raise() else { return }
                    switch event {
                    case .success(let element):
                        observer.onNext(element)
                        observer.onCompleted()
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
            })
    }

    @inlinable
    public static func just(_ element: Element) -> Maybe<Element> { Maybe(raw: .just(element)) }

    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Maybe<Element> {
        Maybe(raw: .just(element, scheduler: scheduler))
    }

    @inlinable
    public static func error(_ error: any Error) -> Maybe<Element> { Maybe(raw: .error(error)) }

    @inlinable
    public static func never() -> Maybe<Element> { Maybe(raw: .never()) }

    @inlinable
    public static func empty() -> Maybe<Element> { Maybe(raw: .empty()) }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Calls `observer` with the event, unless the returned disposable is disposed before.
    ///
    /// ```swift
    /// Maybe.just(1).subscribe { print($0) }    // prints success(1)
    /// ```
    @inlinable @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line, _ observer: @escaping @Sendable (MaybeEvent<Element>) -> Void
    ) -> any Disposable {
        let isEmpty = SubscriptionState(true)
        let chain = Chain { error in
            if let error { observer(.error(error)) } else if isEmpty.value { observer(.completed) }
        }
        #if DEBUG
        SubscriptionRegistry.record(chain, file, line)
        #endif
        primitiveSequence.source.subscribe(
            Sink(chain) { element in
                guard chain.isLive else { return }
                isEmpty.value = false
                observer(.success(element))
            })
        return chain
    }

    /// Calls the function for the event, unless the returned disposable is disposed before.
    ///
    /// ```swift
    /// Maybe.just(1).subscribe(onSuccess: { print($0) }, onCompleted: { print("nothing") })       // prints 1
    /// Maybe<Int>.empty().subscribe(onSuccess: { print($0) }, onCompleted: { print("nothing") })  // prints nothing
    /// ```
    ///
    /// - Parameters:
    ///   - onSuccess: Called with the element; `onCompleted` is not called after it.
    ///   - onError: Called with the error. If `nil`, ``Hooks/defaultErrorHandler`` is called.
    ///   - onCompleted: Called on completion without an element.
    ///   - onDisposed: Called once, after termination or disposal.
    ///   - file: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    @inlinable @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, onDisposed: (@Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        let callStack = onError == nil && Hooks.recordCallStackOnError ? Hooks.captureCallStack() : []
        let disposed = AnonymousDisposable { onDisposed?() }
        let events = subscribe(file: file, line: line) { event in
            switch event {
            case .success(let element): onSuccess?(element)
            case .error(let error): if let onError { onError(error) } else { Hooks.handle(error, callStack) }
            case .completed: onCompleted?()
            }
            disposed.dispose()
        }
        return CompositeDisposable(events, disposed)
    }

    /// Calls the functions with `object`, which is not retained, as first argument.
    @inlinable @preconcurrency
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object, onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
        onError: (@Sendable (Object, any Error) -> Void)? = nil, onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        let reference = WeakReference(object)
        return subscribe(
            onSuccess: reference.calling(onSuccess), onError: reference.calling(onError),
            onCompleted: reference.calling(onCompleted), onDisposed: reference.calling(onDisposed), file: file,
            line: line)
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    @inlinable @preconcurrency
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil, afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil, onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil, onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil, onDispose: (@Sendable () -> Void)? = nil
    ) -> Maybe<Element> {
        Maybe(
            raw: primitiveSequence.source.do(
                onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError,
                onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Emits the element if `predicate` returns `true` for it; otherwise completes. Fails with the error that
    /// `predicate` throws.
    @inlinable @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.filter(predicate))
    }

    @inlinable @preconcurrency
    public func map<Result: Sendable>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.map(transform))
    }

    /// Transforms the element, if there is one, and drops a `nil` result. Fails with the error that `transform` throws.
    @inlinable @preconcurrency
    public func compactMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Maybe<Result> { Maybe(raw: primitiveSequence.source.compactMap(transform)) }

    @inlinable @preconcurrency
    public func flatMap<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> { Maybe(raw: primitiveSequence.source.flatMap(selector)) }

    /// Emits the element, or `default` if there is none.
    @inlinable
    public func ifEmpty(default: Element) -> Single<Element> {
        Single(raw: primitiveSequence.source.ifEmpty(default: `default`))
    }

    @inlinable
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.ifEmpty(switchTo: other.source))
    }

    /// Emits the element, or the element of `other` if there is none.
    @inlinable
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        Single(raw: primitiveSequence.source.ifEmpty(switchTo: other.source))
    }

    @inlinable
    public func catchAndReturn(_ element: Element) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.catchAndReturn(element))
    }

    /// Returns this maybe as a ``Single``, which fails with ``RxError/noElements`` if there is no element.
    @inlinable
    public func asSingle() -> Single<Element> { primitiveSequence.source.asSingle() }

    @inlinable
    public func asCompletable() -> Completable { Completable(raw: primitiveSequence.source.ignoreElements()) }
}
