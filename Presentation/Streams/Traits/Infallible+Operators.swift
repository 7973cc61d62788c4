extension InfallibleType {
    /// Each element transformed.
    @inlinable
    @preconcurrency
    public func map<Result: Sendable>(_ transform: @escaping @Sendable (Element) -> Result) -> Infallible<Result> {
        Infallible(asObservable().map(transform))
    }

    /// Each element transformed, without those that become `nil`.
    @inlinable
    @preconcurrency
    public func compactMap<Result: Sendable>(_ transform: @escaping @Sendable (Element) -> Result?) -> Infallible<
        Result
    > {
        Infallible(asObservable().compactMap(transform))
    }

    /// The elements for which `predicate` holds.
    @inlinable
    @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) -> Bool) -> Infallible<Element> {
        Infallible(asObservable().filter(predicate))
    }

    /// Every intermediate result of combining the elements one after the other, beginning with `seed`.
    @inlinable
    @preconcurrency
    public func scan<A: Sendable>(_ seed: A, accumulator: @escaping @Sendable (A, Element) -> A) -> Infallible<A> {
        Infallible(asObservable().scan(seed, accumulator: accumulator))
    }

    /// As ``scan(_:accumulator:)``, with an accumulator that changes the result in place.
    @inlinable
    @preconcurrency
    public func scan<A: Sendable>(into seed: A, accumulator: @escaping @Sendable (inout A, Element) -> Void)
        -> Infallible<A>
    {
        Infallible(asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// `element`, sent on subscription, and then the stream.
    @inlinable
    public func startWith(_ element: Element) -> Infallible<Element> {
        Infallible(asObservable().startWith(element))
    }

    /// The elements of the streams that `selector` makes of each element, as they come.
    @inlinable
    @preconcurrency
    public func flatMap<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source) -> Infallible<
        Source.Element
    > {
        Infallible(asObservable().flatMap(selector))
    }

    /// The elements of the stream that `selector` made of the last element.
    @inlinable
    @preconcurrency
    public func flatMapLatest<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(asObservable().flatMapLatest(selector))
    }

    /// As ``flatMap(_:)``, ignoring elements that come while an inner stream is under way.
    @inlinable
    @preconcurrency
    public func flatMapFirst<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source) -> Infallible<
        Source.Element
    > {
        Infallible(asObservable().flatMapFirst(selector))
    }

    /// As ``flatMap(_:)``, one inner stream after the other.
    @inlinable
    @preconcurrency
    public func concatMap<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source) -> Infallible<
        Source.Element
    > {
        Infallible(asObservable().concatMap(selector))
    }

    /// The elements that differ from the one before by their key.
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    )
        -> Infallible<Element>
    {
        Infallible(asObservable().distinctUntilChanged(keySelector))
    }

    /// The elements that `comparer` does not find equal to the one before.
    @inlinable
    @preconcurrency
    public func distinctUntilChanged(_ comparer: @escaping @Sendable (Element, Element) throws -> Bool) -> Infallible<
        Element
    > {
        Infallible(asObservable().distinctUntilChanged(comparer))
    }

    /// The elements whose keys `comparer` does not find equal to that of the one before.
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<K: Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> K, comparer: @escaping @Sendable (K, K) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// The elements that differ from the one before in a property.
    @inlinable
    public func distinctUntilChanged<Property: Equatable & Sendable>(
        at keyPath: any KeyPath<Element, Property> & Sendable
    )
        -> Infallible<Element>
    {
        Infallible(asObservable().distinctUntilChanged(at: keyPath))
    }

}

extension InfallibleType where Element: Equatable {
    /// The elements that differ from the one before.
    @inlinable
    public func distinctUntilChanged() -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged())
    }

}
