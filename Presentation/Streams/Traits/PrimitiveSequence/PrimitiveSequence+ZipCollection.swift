extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Combines the elements of all singles of the collection, in its order, with `resultSelector`. For an empty
    /// collection, emits the result for an empty array. Fails when a single fails or `resultSelector` throws.
    ///
    /// ```swift
    /// Single.zip([Single.just(1), Single.just(2)]) { $0.reduce(0, +) }    // 3 |
    /// ```
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable, Result: Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> PrimitiveSequence<Trait, Result> where Collection.Element == PrimitiveSequence<Trait, Element> {
        if collection.isEmpty { return .deferred { .just(try resultSelector([])) } }
        return PrimitiveSequence(raw: .zip(collection.map(\.source), resultSelector: resultSelector))
    }

    /// Emits the elements of all singles of the collection, in its order. Fails when a single fails.
    ///
    /// ```swift
    /// Single.zip([Single.just(1), Single.just(2)])    // [1, 2] |
    /// ```
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> PrimitiveSequence<Trait, [Element]> where Collection.Element == PrimitiveSequence<Trait, Element> {
        zip(collection) { $0 }
    }
}
