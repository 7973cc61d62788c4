extension ObservableType {
    /// Emits the elements of all streams as they arrive. Completes when all streams have completed; fails when one
    /// fails.
    ///
    /// ```swift
    /// Observable.merge(Observable.of(1, 2), Observable.of(3, 4))    // 1 3 2 4 |
    /// ```
    ///
    /// Calls can be nested to any depth, for example by `reduce`: subscribing and releasing do not recurse.
    @inlinable
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
        merge(sources)
    }

    /// Emits the elements of all streams as they arrive. Completes when all streams have completed; fails when one
    /// fails.
    ///
    /// ```swift
    /// Observable.merge([.of(1, 2), .of(10, 20)])    // 1 10 2 20 |
    /// ```
    @inlinable
    public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
        CompoundStream(merging: StreamList(Observable.erasing(sources))) { $0.merge(into: $1) }
    }

    /// Emits the elements of all streams as they arrive. Completes when all streams have completed; fails when one
    /// fails.
    ///
    /// ```swift
    /// Observable.merge(CollectionOfOne(.of(1, 2)))    // 1 2 |
    /// ```
    @inlinable @preconcurrency
    public static func merge<Collection: Swift.Collection & Sendable>(_ sources: Collection) -> Observable<Element>
    where Collection.Element == Observable<Element> { merge(Array(sources)) }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Emits the elements of all inner streams as they arrive. Completes when the outer stream and all inner streams
    /// have completed; fails when one of them fails.
    ///
    /// ```swift
    /// Observable.of(Observable.of(1, 2), .of(10, 20)).merge()    // 1 2 10 20 |
    /// ```
    @inlinable
    public func merge() -> Observable<Element.Element> { flatMap { $0 } }

    /// Like ``merge()``, with at most `maxConcurrent` inner streams subscribed at a time; the others are enqueued in
    /// order. One of them is subscribed when a completed one has been released.
    ///
    /// ```swift
    /// Observable.of(Observable.of(1, 2), .of(10, 20)).merge(maxConcurrent: 1)    // 1 2 10 20 |
    /// ```
    ///
    /// - Parameter maxConcurrent: The number of inner streams; at least one.
    @inlinable
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        precondition(
            maxConcurrent > 0, "merge(maxConcurrent:) requires a number of at least 1, not \(maxConcurrent)")
        return flatMap(limit: maxConcurrent) { $0 }
    }
}
