extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Calls functions at the events of this maybe, and forwards the events unchanged; see
    /// ``ObservableType/do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)``.
    ///
    /// ```swift
    /// Maybe.just(1).do(onNext: { print("received", $0) })    // 1 |
    /// ```
    @inlinable
    @preconcurrency
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil,
        afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Maybe<Element> {
        Maybe(
            raw: primitiveSequence.source.do(
                onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError,
                onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Emits the element if `predicate` returns `true` for it; otherwise completes. Fails with the error that
    /// `predicate` throws.
    ///
    /// ```swift
    /// Maybe.just(1).filter { $0 > 1 }    // |
    /// ```
    @inlinable
    @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.filter(predicate))
    }

    /// Transforms the element, if there is one. Fails with the error that `transform` throws.
    ///
    /// ```swift
    /// Maybe.just(1).map { $0 * 2 }    // 2 |
    /// ```
    @inlinable
    @preconcurrency
    public func map<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result
    ) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.map(transform))
    }

    /// Transforms the element, if there is one, and drops a `nil` result. Fails with the error that `transform` throws.
    ///
    /// ```swift
    /// Maybe.just("two").compactMap { Int($0) }    // |
    /// ```
    @inlinable
    @preconcurrency
    public func compactMap<Result: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.compactMap(transform))
    }

    /// Continues with the maybe that `selector` returns for the element, if there is one. Fails with the error that
    /// `selector` throws.
    ///
    /// ```swift
    /// Maybe.just(1).flatMap { Maybe.just($0 * 10) }    // 10 |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMap<Result: Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> {
        Maybe(raw: primitiveSequence.source.flatMap(selector))
    }

    /// Emits the element, or `default` if there is none.
    ///
    /// ```swift
    /// Maybe.empty().ifEmpty(default: 0)    // 0 |
    /// ```
    @inlinable
    public func ifEmpty(default: Element) -> Single<Element> {
        Single(raw: primitiveSequence.source.ifEmpty(default: `default`))
    }

    /// Emits the element, or continues with `other` if there is none.
    ///
    /// ```swift
    /// Maybe<Int>.empty().ifEmpty(switchTo: Maybe.just(8))    // 8 |
    /// ```
    @inlinable
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.ifEmpty(switchTo: other.source))
    }

    /// Emits the element, or the element of `other` if there is none.
    ///
    /// ```swift
    /// Maybe<Int>.empty().ifEmpty(switchTo: Single.just(9))    // 9 |
    /// ```
    @inlinable
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        Single(raw: primitiveSequence.source.ifEmpty(switchTo: other.source))
    }

    /// Emits `element` in place of an error, and completes.
    ///
    /// ```swift
    /// Maybe<Int>.error(RxError.timeout).catchAndReturn(0)    // 0 |
    /// ```
    @inlinable
    public func catchAndReturn(_ element: Element) -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source.catchAndReturn(element))
    }

    /// Returns this maybe as a ``Single``, which fails with ``RxError/noElements`` if there is no element.
    ///
    /// ```swift
    /// Maybe.just(1).asSingle()    // 1 |
    /// ```
    @inlinable
    public func asSingle() -> Single<Element> {
        primitiveSequence.source.asSingle()
    }

    /// Returns the termination of this maybe, without its element.
    ///
    /// ```swift
    /// Maybe.just(1).asCompletable()    // |
    /// ```
    @inlinable
    public func asCompletable() -> Completable {
        Completable(raw: primitiveSequence.source.ignoreElements())
    }
}
