extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// The completable as it is, with functions that are called on its way; see
    /// ``ObservableType/do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)``.
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

    /// This completable and then `second`.
    public func concat(_ second: Completable) -> Completable {
        Completable.concat(primitiveSequence, second)
    }

    /// One completable after the other: each is subscribed when the one before has completed.
    @preconcurrency
    public static func concat<Sequence: Swift.Sequence & Sendable>(_ sequence: Sequence) -> Completable
    where Sequence.Element == Completable {
        Completable(raw: .concat(sequence.lazy.map(\.source)))
    }

    /// One completable after the other: each is subscribed when the one before has completed.
    @preconcurrency
    public static func concat<Collection: Swift.Collection & Sendable>(_ collection: Collection) -> Completable
    where Collection.Element == Completable {
        Completable(raw: .concat(collection.map(\.source)))
    }

    /// One completable after the other: each is subscribed when the one before has completed.
    public static func concat(_ sources: Completable...) -> Completable {
        Completable(raw: .concat(sources.map(\.source)))
    }

    /// All completables at once: complete when all are, failed when one is.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(_ sources: Collection) -> Completable
    where Collection.Element == Completable {
        Completable(raw: .merge(sources.map(\.source)))
    }

    /// All completables at once: complete when all are, failed when one is.
    public static func zip(_ sources: [Completable]) -> Completable {
        Completable(raw: .merge(sources.map(\.source)))
    }

    /// All completables at once: complete when all are, failed when one is.
    public static func zip(_ sources: Completable...) -> Completable {
        Completable(raw: .merge(sources.map(\.source)))
    }

    /// This completable and then `second`.
    public func andThen<E: Sendable>(_ second: Single<E>) -> Single<E> {
        Single(raw: andThen(second.source))
    }

    /// This completable and then `second`.
    public func andThen<E: Sendable>(_ second: Maybe<E>) -> Maybe<E> {
        Maybe(raw: andThen(second.source))
    }

    /// This completable and then `second`.
    public func andThen(_ second: Completable) -> Completable {
        concat(second)
    }

    /// This completable and then the elements of `second`.
    ///
    /// ```swift
    /// signIn().andThen(messages)
    /// ```
    public func andThen<E: Sendable>(_ second: Observable<E>) -> Observable<E> {
        let first = primitiveSequence.source
        return Observable(run: { sink in
            let chains = SerialChain(into: sink.chain)
            let firstChain = Chain { error in
                if let error { return sink.chain.fail(error) }
                let secondChain = Chain { sink.chain.finish($0) }
                chains.set(secondChain)
                second.subscribe(Sink(secondChain, next: sink.next))
            }
            chains.set(firstChain)
            first.run(Sink(firstChain) { _ in })
        })
    }

    /// The completable, as a sequence that could have had an element.
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: primitiveSequence.source)
    }
}
