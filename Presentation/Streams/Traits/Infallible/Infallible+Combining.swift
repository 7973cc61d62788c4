extension InfallibleType {
    /// Emits the elements of this stream and, after its completion, those of `second`.
    ///
    /// ```swift
    /// Infallible.of(1, 2).concat(Infallible.of(3, 4))    // 1 2 3 4 |
    /// ```
    public func concat<Source: InfallibleType>(_ second: Source) -> Infallible<Element>
    where Source.Element == Element {
        Infallible(asObservable().concat(second.asObservable()))
    }

    /// Concatenates the streams: each one is subscribed when the previous one has completed.
    @preconcurrency
    public static func concat<Sequence: Swift.Sequence & Sendable>(_ sequence: Sequence) -> Infallible<Element>
    where Sequence.Element == Infallible<Element> {
        Infallible(.concat(sequence.lazy.map(\.source)))
    }

    /// Concatenates the streams: each one is subscribed when the previous one has completed.
    ///
    /// ```swift
    /// Infallible.concat([Infallible.of(1, 2), Infallible.just(3)])    // 1 2 3 |
    /// ```
    @preconcurrency
    public static func concat<Collection: Swift.Collection & Sendable>(_ collection: Collection) -> Infallible<Element>
    where Collection.Element == Infallible<Element> {
        Infallible(.concat(collection.map(\.source)))
    }

    /// Concatenates the streams: each one is subscribed when the previous one has completed.
    ///
    /// ```swift
    /// Infallible.concat(Infallible.of(1, 2), Infallible.just(3))    // 1 2 3 |
    /// ```
    public static func concat(_ sources: Infallible<Element>...) -> Infallible<Element> {
        Infallible(.concat(sources.map(\.source)))
    }

    /// Emits the elements of all streams as they arrive. Completes when all streams have completed.
    ///
    /// ```swift
    /// Infallible.merge([Infallible.just(1), Infallible.just(2)].prefix(1))    // 1 |
    /// ```
    @preconcurrency
    public static func merge<Collection: Swift.Collection & Sendable>(_ sources: Collection) -> Infallible<Element>
    where Collection.Element == Infallible<Element> {
        Infallible(.merge(sources.map(\.source)))
    }

    /// Emits the elements of all streams as they arrive. Completes when all streams have completed.
    ///
    /// ```swift
    /// Infallible.merge([Infallible.of(1, 2)])    // 1 2 |
    /// ```
    public static func merge(_ sources: [Infallible<Element>]) -> Infallible<Element> {
        Infallible(.merge(sources.map(\.source)))
    }

    /// Emits the elements of all streams as they arrive. Completes when all streams have completed.
    ///
    /// ```swift
    /// Infallible.merge(Infallible.of(1, 2), Infallible.of(3, 4))    // 1 3 2 4 |
    /// ```
    public static func merge(_ sources: Infallible<Element>...) -> Infallible<Element> {
        Infallible(.merge(sources.map(\.source)))
    }
}

extension InfallibleType where Element: ObservableConvertibleType {
    /// Emits the elements of the inner streams sequentially, one stream after the other.
    ///
    /// ```swift
    /// Infallible.of(Infallible.of(1, 2), Infallible.just(3)).concat()    // 1 2 3 |
    /// ```
    @inlinable
    public func concat() -> Infallible<Element.Element> where Element: InfallibleType {
        Infallible(asObservable().concat())
    }

    /// Emits the elements of all inner streams as they arrive.
    ///
    /// ```swift
    /// Infallible.of(Infallible.of(1, 2)).merge()    // 1 2 |
    /// ```
    @inlinable
    public func merge() -> Infallible<Element.Element> where Element: InfallibleType {
        Infallible(asObservable().merge())
    }

    /// Like ``merge()``, with at most `maxConcurrent` inner streams subscribed at a time; the others are enqueued in
    /// order.
    ///
    /// ```swift
    /// Infallible.of(Infallible.of(1, 2), Infallible.just(3)).merge(maxConcurrent: 1)    // 1 2 3 |
    /// ```
    @inlinable
    public func merge(maxConcurrent: Int) -> Infallible<Element.Element> where Element: InfallibleType {
        Infallible(asObservable().merge(maxConcurrent: maxConcurrent))
    }
}

extension InfallibleType {
    /// Combines each element with the latest element of `second`, using `resultSelector`. Elements that arrive before
    /// `second` has emitted one are dropped. An error that `resultSelector` throws terminates the stream, and is passed
    /// to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.of(1, 2).withLatestFrom(Infallible.just("x")) { "\($0)\($1)" }    // 1x 2x |
    /// ```
    @inlinable
    @preconcurrency
    public func withLatestFrom<Source: InfallibleType, ResultType: Sendable>(
        _ second: Source, resultSelector: @escaping @Sendable (Element, Source.Element) throws -> ResultType
    ) -> Infallible<ResultType> {
        Infallible(asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// Emits the latest element of `second` for each element of this stream, once `second` has emitted one.
    ///
    /// ```swift
    /// Infallible.of(1, 2).withLatestFrom(Infallible.just("x"))    // x x |
    /// ```
    @inlinable
    public func withLatestFrom<Source: InfallibleType>(_ second: Source) -> Infallible<Source.Element> {
        withLatestFrom(second) { $1 }
    }

    /// Combines `obj` and each element with `resultSelector`. The object is not retained: the stream completes at the
    /// first element that arrives after its deallocation.
    ///
    /// ```swift
    /// Infallible.of(1, 2).withUnretained(screen) { "\($0.title) \($1)" }    // home 1 home 2 |
    /// ```
    @inlinable
    @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable, Out: Sendable>(
        _ obj: Object, resultSelector: @escaping @Sendable (Object, Element) -> Out
    ) -> Infallible<Out> {
        Infallible(asObservable().withUnretained(obj, resultSelector: resultSelector))
    }

    /// Emits `obj` together with each element. The object is not retained: the stream completes at the first element
    /// that arrives after its deallocation.
    ///
    /// ```swift
    /// Infallible.of(1, 2).withUnretained(screen).map { "\($0.title) \($1)" }    // home 1 home 2 |
    /// ```
    @inlinable
    @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable>(_ obj: Object) -> Infallible<(Object, Element)> {
        withUnretained(obj) { ($0, $1) }
    }
}

extension InfallibleType {
    /// Combines the latest elements of the streams of the collection, in its order, with `resultSelector`. An error
    /// that `resultSelector` throws terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.combineLatest([Infallible.of(1, 2), Infallible.just(3)]) { $0.reduce(0, +) }    // 4 5 |
    /// ```
    @preconcurrency
    public static func combineLatest<Collection: Swift.Collection & Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Collection.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Collection.Element: InfallibleType {
        Infallible(.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Emits the latest elements of the streams of the collection, in its order.
    ///
    /// ```swift
    /// Infallible.combineLatest([Infallible.of(1, 2), Infallible.just(3)])    // [1, 3] [2, 3] |
    /// ```
    @preconcurrency
    public static func combineLatest<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Infallible<[Element]> where Collection.Element: InfallibleType, Collection.Element.Element == Element {
        Infallible(Observable<Element>.combineLatest(collection.map { $0.asObservable() }))
    }

    /// Combines the first elements of the streams of the collection with `resultSelector`, then the second ones, and so
    /// on. An error that `resultSelector` throws terminates the stream, and is passed to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Infallible.zip([Infallible.of(1, 2), Infallible.of(3, 4)]) { $0.reduce(0, +) }    // 4 6 |
    /// ```
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Collection.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Collection.Element: InfallibleType {
        Infallible(.zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// Emits the first elements of the streams of the collection, in its order, then the second ones, and so on.
    ///
    /// ```swift
    /// Infallible.zip([Infallible.of(1, 2), Infallible.of(3, 4)])    // [1, 3] [2, 4] |
    /// ```
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Infallible<[Element]> where Collection.Element: InfallibleType, Collection.Element.Element == Element {
        Infallible(Observable<Element>.zip(collection.map { $0.asObservable() }))
    }
}
