extension PrimitiveSequenceType {
    /// Combines the elements of both sequences with `resultSelector`.
    ///
    /// Fails when one of them fails. If a ``Maybe`` among them completes without an element, the result completes when
    /// all sequences have completed.
    ///
    /// ```swift
    /// Single.zip(profile, posts) { Page(profile: $0, posts: $1) }
    /// ```
    @inlinable
    @preconcurrency
    public static func zip<E1: Sendable, E2: Sendable>(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        resultSelector: @escaping @Sendable (E1, E2) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(
                source1.asObservable(), source2.asObservable(),
                resultSelector: resultSelector))
    }

    /// Like ``zip(_:_:resultSelector:)``, for three streams.
    @inlinable
    @preconcurrency
    public static func zip<E1: Sendable, E2: Sendable, E3: Sendable>(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>,
        resultSelector: @escaping @Sendable (E1, E2, E3) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(),
                resultSelector: resultSelector))
    }

    /// Like ``zip(_:_:resultSelector:)``, for four streams.
    @inlinable
    @preconcurrency
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                resultSelector: resultSelector))
    }

    /// Like ``zip(_:_:resultSelector:)``, for five streams.
    @inlinable
    @preconcurrency
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable,
        E5: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>,
        _ source5: PrimitiveSequence<Trait, E5>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(),
                resultSelector: resultSelector))
    }

    /// Like ``zip(_:_:resultSelector:)``, for six streams.
    @inlinable
    @preconcurrency
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable,
        E5: Sendable, E6: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>,
        _ source5: PrimitiveSequence<Trait, E5>, _ source6: PrimitiveSequence<Trait, E6>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(),
                resultSelector: resultSelector))
    }

    /// Like ``zip(_:_:resultSelector:)``, for seven streams.
    @inlinable
    @preconcurrency
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable,
        E5: Sendable, E6: Sendable, E7: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>,
        _ source5: PrimitiveSequence<Trait, E5>, _ source6: PrimitiveSequence<Trait, E6>,
        _ source7: PrimitiveSequence<Trait, E7>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(),
                resultSelector: resultSelector))
    }

    /// Like ``zip(_:_:resultSelector:)``, for eight streams.
    @inlinable
    @preconcurrency
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable,
        E5: Sendable, E6: Sendable, E7: Sendable, E8: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>,
        _ source5: PrimitiveSequence<Trait, E5>, _ source6: PrimitiveSequence<Trait, E6>,
        _ source7: PrimitiveSequence<Trait, E7>, _ source8: PrimitiveSequence<Trait, E8>,
        resultSelector: @escaping @Sendable (E1, E2, E3, E4, E5, E6, E7, E8) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable(),
                resultSelector: resultSelector))
    }
}

extension PrimitiveSequenceType where Element == any Sendable {
    /// Emits the elements of both sequences. Fails when one of them fails.
    @inlinable
    public static func zip<E1: Sendable, E2: Sendable>(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>
    ) -> PrimitiveSequence<Trait, (E1, E2)> {
        PrimitiveSequence(
            raw: Observable.zip(
                source1.asObservable(), source2.asObservable()))
    }

    /// Like ``zip(_:_:)``, for three streams.
    @inlinable
    public static func zip<E1: Sendable, E2: Sendable, E3: Sendable>(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>
    ) -> PrimitiveSequence<Trait, (E1, E2, E3)> {
        PrimitiveSequence(
            raw: Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable()))
    }

    /// Like ``zip(_:_:)``, for four streams.
    @inlinable
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>
    ) -> PrimitiveSequence<Trait, (E1, E2, E3, E4)> {
        PrimitiveSequence(
            raw: Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable()))
    }

    /// Like ``zip(_:_:)``, for five streams.
    @inlinable
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable,
        E5: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>,
        _ source5: PrimitiveSequence<Trait, E5>
    ) -> PrimitiveSequence<Trait, (E1, E2, E3, E4, E5)> {
        PrimitiveSequence(
            raw: Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable()))
    }

    /// Like ``zip(_:_:)``, for six streams.
    @inlinable
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable,
        E5: Sendable, E6: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>,
        _ source5: PrimitiveSequence<Trait, E5>, _ source6: PrimitiveSequence<Trait, E6>
    ) -> PrimitiveSequence<Trait, (E1, E2, E3, E4, E5, E6)> {
        PrimitiveSequence(
            raw: Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable()))
    }

    /// Like ``zip(_:_:)``, for seven streams.
    @inlinable
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable,
        E5: Sendable, E6: Sendable, E7: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>,
        _ source5: PrimitiveSequence<Trait, E5>, _ source6: PrimitiveSequence<Trait, E6>,
        _ source7: PrimitiveSequence<Trait, E7>
    ) -> PrimitiveSequence<Trait, (E1, E2, E3, E4, E5, E6, E7)> {
        PrimitiveSequence(
            raw: Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable()))
    }

    /// Like ``zip(_:_:)``, for eight streams.
    @inlinable
    public static func zip<
        E1: Sendable, E2: Sendable, E3: Sendable, E4: Sendable,
        E5: Sendable, E6: Sendable, E7: Sendable, E8: Sendable
    >(
        _ source1: PrimitiveSequence<Trait, E1>, _ source2: PrimitiveSequence<Trait, E2>,
        _ source3: PrimitiveSequence<Trait, E3>, _ source4: PrimitiveSequence<Trait, E4>,
        _ source5: PrimitiveSequence<Trait, E5>, _ source6: PrimitiveSequence<Trait, E6>,
        _ source7: PrimitiveSequence<Trait, E7>, _ source8: PrimitiveSequence<Trait, E8>
    ) -> PrimitiveSequence<Trait, (E1, E2, E3, E4, E5, E6, E7, E8)> {
        PrimitiveSequence(
            raw: Observable.zip(
                source1.asObservable(), source2.asObservable(), source3.asObservable(), source4.asObservable(),
                source5.asObservable(), source6.asObservable(), source7.asObservable(), source8.asObservable()))
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Combines the elements of all singles of the collection, in its order, with `resultSelector`.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable, Result: Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> PrimitiveSequence<Trait, Result> where Collection.Element == PrimitiveSequence<Trait, Element> {
        if collection.isEmpty { return .deferred { .just(try resultSelector([])) } }
        return PrimitiveSequence(raw: .zip(collection.map(\.source), resultSelector: resultSelector))
    }

    /// Emits the elements of all singles of the collection, in its order.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> PrimitiveSequence<Trait, [Element]> where Collection.Element == PrimitiveSequence<Trait, Element> {
        zip(collection) { $0 }
    }
}
