extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Calls functions at the events of this completable, and forwards the events unchanged; see
    /// ``ObservableType/do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)``.
    ///
    /// ```swift
    /// Completable.empty().do(onCompleted: { print("done") })    // |
    /// ```
    @preconcurrency
    public func `do`(
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Completable {
        Completable(
            raw: primitiveSequence.source.do(
                onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Subscribes to `second` after this completable has completed.
    ///
    /// ```swift
    /// Completable.empty().concat(Completable.error(RxError.timeout))    // RxError.timeout
    /// ```
    public func concat(_ second: Completable) -> Completable {
        Completable.concat(primitiveSequence, second)
    }

    /// Concatenates the completables: each one is subscribed when the previous one has completed.
    @preconcurrency
    public static func concat<Sequence: Swift.Sequence & Sendable>(_ sequence: Sequence) -> Completable
    where Sequence.Element == Completable {
        Completable(raw: .concat(sequence.lazy.map(\.source)))
    }

    /// Concatenates the completables: each one is subscribed when the previous one has completed.
    ///
    /// ```swift
    /// Completable.concat([Completable.empty(), Completable.error(RxError.timeout)])    // RxError.timeout
    /// ```
    @preconcurrency
    public static func concat<Collection: Swift.Collection & Sendable>(_ collection: Collection) -> Completable
    where Collection.Element == Completable {
        Completable(raw: .concat(collection.map(\.source)))
    }

    /// Concatenates the completables: each one is subscribed when the previous one has completed.
    ///
    /// ```swift
    /// Completable.concat(Completable.empty(), Completable.empty())    // |
    /// ```
    public static func concat(_ sources: Completable...) -> Completable {
        Completable(raw: .concat(sources.map(\.source)))
    }

    /// Subscribes to all completables concurrently. Completes when all have completed; fails when one fails.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(_ sources: Collection) -> Completable
    where Collection.Element == Completable {
        Completable(raw: .merge(sources.map(\.source)))
    }

    /// Subscribes to all completables concurrently. Completes when all have completed; fails when one fails.
    ///
    /// ```swift
    /// Completable.zip([Completable.empty(), Completable.error(RxError.timeout)])    // RxError.timeout
    /// ```
    public static func zip(_ sources: [Completable]) -> Completable {
        Completable(raw: .merge(sources.map(\.source)))
    }

    /// Subscribes to all completables concurrently. Completes when all have completed; fails when one fails.
    ///
    /// ```swift
    /// Completable.zip(Completable.empty(), Completable.empty())    // |
    /// ```
    public static func zip(_ sources: Completable...) -> Completable {
        Completable(raw: .merge(sources.map(\.source)))
    }

    /// Subscribes to `second` after this completable has completed.
    ///
    /// ```swift
    /// Completable.empty().andThen(Single.just(1))    // 1 |
    /// ```
    public func andThen<E: Sendable>(_ second: Single<E>) -> Single<E> {
        Single(raw: andThen(second.source))
    }

    /// Subscribes to `second` after this completable has completed.
    ///
    /// ```swift
    /// Completable.empty().andThen(Maybe<Int>.empty())    // |
    /// ```
    public func andThen<E: Sendable>(_ second: Maybe<E>) -> Maybe<E> {
        Maybe(raw: andThen(second.source))
    }

    /// Subscribes to `second` after this completable has completed.
    ///
    /// ```swift
    /// Completable.empty().andThen(Completable.error(RxError.timeout))    // RxError.timeout
    /// ```
    public func andThen(_ second: Completable) -> Completable {
        concat(second)
    }

    /// Emits the events of `second` after this completable has completed. `second` is subscribed when this completable
    /// has been released.
    ///
    /// ```swift
    /// signIn().andThen(messages)
    /// ```
    public func andThen<E: Sendable>(_ second: Observable<E>) -> Observable<E> {
        let first = primitiveSequence.source
        return Observable(run: { sink in first.run(Sink(sink.chain) { _ in }) }).concat(second)
    }

    /// Returns this completable as a ``Maybe`` that never emits an element.
    ///
    /// ```swift
    /// Completable.empty().asMaybe()    // |
    /// ```
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source)
    }
}
