extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The single as it is, with functions that are called on its way; see
    /// ``ObservableType/do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)``.
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

    /// The element if `predicate` holds, else completion.
    @inlinable
    @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.filter(predicate))
    }

    /// The element transformed. What `transform` throws becomes the error.
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

    /// The element transformed, or completion if that is `nil`.
    @inlinable
    @preconcurrency
    public func compactMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.compactMap(transform))
    }

    /// The single that `selector` makes of the element.
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

    /// The maybe that `selector` makes of the element.
    @inlinable
    @preconcurrency
    public func flatMapMaybe<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.flatMap(selector))
    }

    /// The completable that `selector` makes of the element.
    @inlinable
    @preconcurrency
    public func flatMapCompletable(
        _ selector: @escaping @Sendable (Element) throws -> Completable
    ) -> Completable {
        Completable(raw: primitiveSequence.source.flatMap(selector))
    }

    /// The single; should it fail, `element`.
    @inlinable
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        Single(raw: primitiveSequence.source.catchAndReturn(element))
    }

    /// The single, as a sequence that could have been empty.
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source)
    }

    /// The end of the single, without its element.
    @inlinable
    public func asCompletable() -> Completable {
        Completable(raw: primitiveSequence.source.ignoreElements())
    }
}
