extension InfallibleType {
    public func concat<Source: InfallibleType>(
        _ second: Source
    ) -> Infallible<Element> where Source.Element == Element {
        Infallible(asObservable().concat(second.asObservable()))
    }

    @preconcurrency
    public static func concat<Sequence: Swift.Sequence & Sendable>(
        _ sequence: Sequence
    ) -> Infallible<Element> where Sequence.Element == Infallible<Element> {
        Infallible(.concat(sequence.lazy.map(\.source)))
    }

    @preconcurrency
    public static func concat<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Infallible<Element> where Collection.Element == Infallible<Element> {
        Infallible(.concat(collection.map(\.source)))
    }

    public static func concat(_ sources: Infallible<Element>...) -> Infallible<Element> {
        Infallible(.concat(sources.map(\.source)))
    }

    @preconcurrency
    public static func merge<Collection: Swift.Collection & Sendable>(
        _ sources: Collection
    ) -> Infallible<Element> where Collection.Element == Infallible<Element> {
        Infallible(.merge(sources.map(\.source)))
    }

    public static func merge(_ sources: [Infallible<Element>]) -> Infallible<Element> {
        Infallible(.merge(sources.map(\.source)))
    }

    public static func merge(_ sources: Infallible<Element>...) -> Infallible<Element> {
        Infallible(.merge(sources.map(\.source)))
    }
}

extension InfallibleType where Element: ObservableConvertibleType {
    @inlinable
    public func concat() -> Infallible<Element.Element> where Element: InfallibleType {
        Infallible(asObservable().concat())
    }

    @inlinable
    public func merge() -> Infallible<Element.Element> where Element: InfallibleType {
        Infallible(asObservable().merge())
    }

    @inlinable
    public func merge(maxConcurrent: Int) -> Infallible<Element.Element> where Element: InfallibleType {
        Infallible(asObservable().merge(maxConcurrent: maxConcurrent))
    }
}

extension InfallibleType {
    @inlinable @preconcurrency
    public func withLatestFrom<Source: InfallibleType, ResultType: Sendable>(
        _ second: Source, resultSelector: @escaping @Sendable (Element, Source.Element) throws -> ResultType
    ) -> Infallible<ResultType> {
        Infallible(asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    @inlinable
    public func withLatestFrom<Source: InfallibleType>(_ second: Source) -> Infallible<Source.Element> {
        withLatestFrom(second) { $1 }
    }

    @inlinable @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable, Out: Sendable>(
        _ obj: Object, resultSelector: @escaping @Sendable (Object, Element) -> Out
    ) -> Infallible<Out> { Infallible(asObservable().withUnretained(obj, resultSelector: resultSelector)) }

    @inlinable @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable>(_ obj: Object) -> Infallible<(Object, Element)> {
        withUnretained(obj) { ($0, $1) }
    }
}

extension InfallibleType {
    @preconcurrency
    public static func combineLatest<Collection: Swift.Collection & Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Collection.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Collection.Element: InfallibleType {
        Infallible(.combineLatest(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    @preconcurrency
    public static func combineLatest<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Infallible<[Element]> where Collection.Element: InfallibleType, Collection.Element.Element == Element {
        Infallible(Observable<Element>.combineLatest(collection.map { $0.asObservable() }))
    }

    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Collection.Element.Element]) throws -> Element
    ) -> Infallible<Element> where Collection.Element: InfallibleType {
        Infallible(.zip(collection.map { $0.asObservable() }, resultSelector: resultSelector))
    }

    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Infallible<[Element]> where Collection.Element: InfallibleType, Collection.Element.Element == Element {
        Infallible(Observable<Element>.zip(collection.map { $0.asObservable() }))
    }
}
