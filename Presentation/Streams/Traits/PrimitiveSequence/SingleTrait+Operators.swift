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
