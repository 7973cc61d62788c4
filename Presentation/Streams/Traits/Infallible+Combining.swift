extension InfallibleType {
    /// This stream and, when it has completed, `second`.
    public func concat<Source: InfallibleType>(_ second: Source) -> Infallible<Element>
    where Source.Element == Element {
        Infallible(asObservable().concat(second.asObservable()))
    }

    /// One stream after the other: each is subscribed when the one before has completed.
    @preconcurrency
    public static func concat<Sequence: Swift.Sequence & Sendable>(_ sequence: Sequence) -> Infallible<Element>
    where Sequence.Element == Infallible<Element> {
        Infallible(.concat(sequence.lazy.map(\.source)))
    }

    /// One stream after the other: each is subscribed when the one before has completed.
    @preconcurrency
    public static func concat<Collection: Swift.Collection & Sendable>(_ collection: Collection) -> Infallible<Element>
    where Collection.Element == Infallible<Element> {
        Infallible(.concat(collection.map(\.source)))
    }

    /// One stream after the other: each is subscribed when the one before has completed.
    public static func concat(_ sources: Infallible<Element>...) -> Infallible<Element> {
        Infallible(.concat(sources.map(\.source)))
    }

    /// The elements of all streams, as they come; complete when all are.
    @preconcurrency
    public static func merge<Collection: Swift.Collection & Sendable>(_ sources: Collection) -> Infallible<Element>
    where Collection.Element == Infallible<Element> {
        Infallible(.merge(sources.map(\.source)))
    }

    /// The elements of all streams, as they come; complete when all are.
    public static func merge(_ sources: [Infallible<Element>]) -> Infallible<Element> {
        Infallible(.merge(sources.map(\.source)))
    }

    /// The elements of all streams, as they come; complete when all are.
    public static func merge(_ sources: Infallible<Element>...) -> Infallible<Element> {
        Infallible(.merge(sources.map(\.source)))
    }
}

extension InfallibleType where Element: ObservableConvertibleType {
    /// The elements of the inner streams, one stream after the other.
    @inlinable
    public func concat() -> Infallible<Element.Element> where Element: InfallibleType {
        Infallible(asObservable().concat())
    }

    /// The elements of all inner streams, as they come.
    @inlinable
    public func merge() -> Infallible<Element.Element> where Element: InfallibleType {
        Infallible(asObservable().merge())
    }

    /// As ``merge()``, with at most `maxConcurrent` inner streams subscribed at a time; the others wait, in order.
    @inlinable
    public func merge(maxConcurrent: Int) -> Infallible<Element.Element> where Element: InfallibleType {
        Infallible(asObservable().merge(maxConcurrent: maxConcurrent))
    }
}

extension InfallibleType {
    /// What `resultSelector` makes of each element and the last element of `second`; elements that come before
    /// `second` has sent one are dropped.
    @inlinable
    @preconcurrency
    public func withLatestFrom<Source: InfallibleType, ResultType: Sendable>(
        _ second: Source, resultSelector: @escaping @Sendable (Element, Source.Element) throws -> ResultType
    ) -> Infallible<ResultType> {
        Infallible(asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// The last element of `second` for each element of this stream; nothing before `second` has sent one.
    @inlinable
    public func withLatestFrom<Source: InfallibleType>(_ second: Source) -> Infallible<Source.Element> {
        withLatestFrom(second) { $1 }
    }

    /// What `resultSelector` makes of `obj` and each element. The object is not kept alive: the stream completes at the
    /// first element that comes when it is gone.
    @inlinable
    @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable, Out: Sendable>(
        _ obj: Object, resultSelector: @escaping @Sendable (Object, Element) -> Out
    ) -> Infallible<Out> {
        Infallible(asObservable().withUnretained(obj, resultSelector: resultSelector))
    }

    /// `obj` and each element. The object is not kept alive: the stream completes at the first element that comes when
    /// it is gone.
    @inlinable
    @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable>(_ obj: Object) -> Infallible<(Object, Element)> {
        withUnretained(obj) { ($0, $1) }
    }
}

extension InfallibleType {
    /// What `resultSelector` makes of the last element of each stream of the collection, in its order.
    @preconcurrency
    public static func combineLatest<Collection: Swift.Collection & Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Collection.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Collection.Element: InfallibleType {
        Infallible(.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// The last elements of the streams of the collection, in its order.
    @preconcurrency
    public static func combineLatest<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Infallible<[Element]> where Collection.Element: InfallibleType, Collection.Element.Element == Element {
        Infallible(Observable<Element>.combineLatest(collection.map { $0.asObservable() }))
    }

    /// What `resultSelector` makes of the first elements of the streams of the collection, then of the second ones.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Collection.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Collection.Element: InfallibleType {
        Infallible(.zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    /// The first elements of the streams of the collection, in its order, then the second ones, and so on.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Infallible<[Element]> where Collection.Element: InfallibleType, Collection.Element.Element == Element {
        Infallible(Observable<Element>.zip(collection.map { $0.asObservable() }))
    }
}
