extension InfallibleType {
    /// Transforms each element with `transform`, which cannot throw.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).map { $0 * 2 }    // 2 4 6 |
    /// ```
    @inlinable
    @preconcurrency
    public func map<Result: Sendable>(_ transform: @escaping @Sendable (Element) -> Result) -> Infallible<Result> {
        Infallible(asObservable().map(transform))
    }

    /// Transforms each element, and drops `nil` results.
    ///
    /// ```swift
    /// Infallible.of("1", "two", "3").compactMap { Int($0) }    // 1 3 |
    /// ```
    @inlinable
    @preconcurrency
    public func compactMap<Result: Sendable>(_ transform: @escaping @Sendable (Element) -> Result?) -> Infallible<
        Result
    > {
        Infallible(asObservable().compactMap(transform))
    }

    /// Emits the elements for which `predicate` returns `true`.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3, 4).filter { $0 % 2 == 0 }    // 2 4 |
    /// ```
    @inlinable
    @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) -> Bool) -> Infallible<Element> {
        Infallible(asObservable().filter(predicate))
    }

    /// Combines the elements one after the other, starting with `seed`, and emits every intermediate result.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).scan(0) { $0 + $1 }    // 1 3 6 |
    /// ```
    @inlinable
    @preconcurrency
    public func scan<A: Sendable>(_ seed: A, accumulator: @escaping @Sendable (A, Element) -> A) -> Infallible<A> {
        Infallible(asObservable().scan(seed, accumulator: accumulator))
    }

    /// Like ``scan(_:accumulator:)``, with an accumulator that modifies the result in place.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3).scan(into: 0) { $0 += $1 }    // 1 3 6 |
    /// ```
    @inlinable
    @preconcurrency
    public func scan<A: Sendable>(into seed: A, accumulator: @escaping @Sendable (inout A, Element) -> Void)
        -> Infallible<A>
    {
        Infallible(asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// Emits `element` on subscription, and then the events of this stream.
    ///
    /// ```swift
    /// Infallible.of(2, 3).startWith(1)    // 1 2 3 |
    /// ```
    @inlinable
    public func startWith(_ element: Element) -> Infallible<Element> {
        Infallible(asObservable().startWith(element))
    }

    /// Emits the elements of the streams that `selector` returns for the elements, as they arrive.
    ///
    /// ```swift
    /// Infallible.of(1, 2).flatMap { Infallible.just($0 * 10) }    // 10 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMap<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source) -> Infallible<
        Source.Element
    > {
        Infallible(asObservable().flatMap(selector))
    }

    /// Emits the elements of the stream that `selector` returns for the latest element; the stream of the previous
    /// element is disposed.
    ///
    /// ```swift
    /// Infallible.of(1, 2).flatMapLatest { Infallible.just($0 * 10) }    // 10 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapLatest<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source)
        -> Infallible<Source.Element>
    {
        Infallible(asObservable().flatMapLatest(selector))
    }

    /// Like ``flatMap(_:)``, but ignores elements that arrive while an inner stream is active.
    ///
    /// ```swift
    /// Infallible.of(1, 2).flatMapFirst { Infallible.just($0 * 10) }    // 10 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapFirst<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source) -> Infallible<
        Source.Element
    > {
        Infallible(asObservable().flatMapFirst(selector))
    }

    /// Like ``flatMap(_:)``, with one inner stream at a time.
    ///
    /// ```swift
    /// Infallible.of(1, 2).concatMap { Infallible.just($0 * 10) }    // 10 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func concatMap<Source: InfallibleType>(_ selector: @escaping @Sendable (Element) -> Source) -> Infallible<
        Source.Element
    > {
        Infallible(asObservable().concatMap(selector))
    }

    /// Emits the elements whose key differs from that of the previous element. An error that `keySelector` throws
    /// terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of("a", "b", "cc").distinctUntilChanged { $0.count }    // a cc |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    )
        -> Infallible<Element>
    {
        Infallible(asObservable().distinctUntilChanged(keySelector))
    }

    /// Emits the elements that `comparer` considers different from the last emitted element. An error that `comparer`
    /// throws terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 9, 10).distinctUntilChanged { abs($0 - $1) < 5 }    // 1 9 |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged(_ comparer: @escaping @Sendable (Element, Element) throws -> Bool) -> Infallible<
        Element
    > {
        Infallible(asObservable().distinctUntilChanged(comparer))
    }

    /// Emits the elements whose key `comparer` considers different from the key of the last emitted element. An error
    /// that either function throws terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of("a", "A", "b").distinctUntilChanged({ $0.lowercased() }, comparer: { $0 == $1 })    // a b |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<K: Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> K, comparer: @escaping @Sendable (K, K) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Emits the elements whose value at `keyPath` differs from that of the previous element.
    ///
    /// ```swift
    /// Infallible.of("a", "b", "cc").distinctUntilChanged(at: \.count)    // a cc |
    /// ```
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
    /// Emits the elements that differ from the previous element.
    ///
    /// ```swift
    /// Infallible.of(1, 1, 2, 2, 1).distinctUntilChanged()    // 1 2 1 |
    /// ```
    @inlinable
    public func distinctUntilChanged() -> Infallible<Element> {
        Infallible(asObservable().distinctUntilChanged())
    }

}
