extension ObservableType {
    /// Combines the latest elements of the streams of the collection, in its order, with `resultSelector`, whenever one
    /// of them emits an element and all have emitted one. Fails with the error that `resultSelector` throws.
    ///
    /// For an empty collection, emits the result of `resultSelector` for an empty array, and completes. See
    /// ``combineLatest(_:_:resultSelector:)`` for termination.
    ///
    /// ```swift
    /// Observable.combineLatest([Observable.of(1, 2), .just(3)]) { $0.reduce(0, +) }    // 4 5 |
    /// ```
    @inlinable @preconcurrency
    public static func combineLatest<Collection: Swift.Collection & Sendable>(
        _ collection: Collection,
        resultSelector: @escaping @Sendable ([Collection.Element.Element]) throws -> Element
    ) -> Observable<Element> where Collection.Element: ObservableType {
        Observable(connect: { sink in
            let all = CombineCoordinator(of: collection.count, into: sink.chain)
            let slots = collection.map { _ in CombineLatestSource<Collection.Element.Element>(all) }
            let next = sink.next
            let send = { next(try resultSelector(slots.map(\.latest))) }
            if slots.isEmpty {
                do { try send() } catch { sink.chain.fail(error) }
                sink.chain.complete()
            }
            for (source, slot) in Swift.zip(collection, slots) { slot.connect(source.asObservable(), send) }
        })
    }

    /// Emits the latest elements of the streams of the collection, in its order, whenever one of them emits an element
    /// and all have emitted one.
    ///
    /// ```swift
    /// Observable.combineLatest([Observable.of(1, 2), Observable.of(10, 20)])    // [1, 10] [2, 10] [2, 20] |
    /// ```
    @inlinable @preconcurrency
    public static func combineLatest<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Observable<[Element]> where Collection.Element: ObservableType, Collection.Element.Element == Element {
        Observable<[Element]>.combineLatest(collection) { $0 }
    }
}
