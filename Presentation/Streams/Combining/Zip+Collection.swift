extension ObservableType {
    /// Combines the first elements of the streams of the collection, in its order, with `resultSelector`, then the
    /// second ones, and so on. Fails with the error that `resultSelector` throws.
    ///
    /// Completes when all streams have completed or, unlike ``zip(_:_:resultSelector:)``, when the last active stream
    /// emits an element without a counterpart. For an empty collection, completes immediately.
    ///
    /// ```swift
    /// Observable.zip([Observable.of(1, 2), .of(3, 4)]) { $0.reduce(0, +) }    // 4 6 |
    /// ```
    @inlinable @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection,
        resultSelector: @escaping @Sendable ([Collection.Element.Element]) throws -> Element
    ) -> Observable<Element> where Collection.Element: ObservableType {
        Observable(connect: { sink in
            let all = CombineCoordinator(of: collection.count, into: sink.chain)
            let waiting = collection.map { _ in ZipSource<Collection.Element.Element>(all) }
            if waiting.isEmpty { return sink.chain.complete() }
            let next = sink.next
            let send = { next(try resultSelector(waiting.map { $0.take() })) }
            for (source, waiting) in Swift.zip(collection, waiting) { waiting.connect(source.asObservable(), send) }
        })
    }

    /// Emits the first elements of the streams of the collection, in its order, then the second ones, and so on.
    ///
    /// ```swift
    /// Observable.zip([Observable.of(1, 2), Observable.of(10, 20)])    // [1, 10] [2, 20] |
    /// ```
    @inlinable @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Observable<[Element]> where Collection.Element: ObservableType, Collection.Element.Element == Element {
        Observable<[Element]>.zip(collection) { $0 }
    }
}
