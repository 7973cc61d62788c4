extension PrimitiveSequenceType {
    /// What `resultSelector` makes of the elements of all sequences.
    ///
    /// Fails when one of them fails. Of ``Maybe``s of which one is complete without an element: completion.
    ///
    /// ```swift
    /// Single.zip(profile, posts) { Page(profile: $0, posts: $1) }
    /// ```
    @preconcurrency
    public static func zip<each E: Sendable>(
        _ source: repeat PrimitiveSequence<Trait, each E>,
        resultSelector: @escaping @Sendable (repeat each E) throws -> Element
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .zip(each: repeat (each source).source, resultSelector: resultSelector))
    }
}

extension PrimitiveSequenceType where Element == any Sendable {
    /// The elements of all sequences. Fails when one of them fails.
    public static func zip<each E: Sendable>(
        _ source: repeat PrimitiveSequence<Trait, each E>
    ) -> PrimitiveSequence<Trait, (repeat each E)> {
        PrimitiveSequence<Trait, (repeat each E)>(
            raw: .zip(
                each: repeat (each source).source, resultSelector: { (element: repeat each E) in (repeat each element) }
            ))
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// What `resultSelector` makes of the elements of all singles of the collection, in its order.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable, Result: Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> PrimitiveSequence<Trait, Result> where Collection.Element == PrimitiveSequence<Trait, Element> {
        if collection.isEmpty { return .deferred { .just(try resultSelector([])) } }
        return PrimitiveSequence(raw: .zip(collection.map(\.source), resultSelector: resultSelector))
    }

    /// The elements of all singles of the collection, in its order.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> PrimitiveSequence<Trait, [Element]> where Collection.Element == PrimitiveSequence<Trait, Element> {
        zip(collection) { $0 }
    }
}
