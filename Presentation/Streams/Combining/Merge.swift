extension ObservableType {
    /// The elements of all streams, as they come; complete when all are, failed when one is.
    ///
    /// ```swift
    /// Observable.merge(Observable.of(1, 2), Observable.of(3, 4))    // 1 3 2 4 |
    /// ```
    ///
    /// Nestings may be of any depth: streams merged by `reduce` are subscribed and let go of in a loop.
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
        merge(sources)
    }

    /// The elements of all streams, as they come; complete when all are, failed when one is.
    ///
    /// ```swift
    /// Observable.merge([.of(1, 2), .of(10, 20)])    // 1 10 2 20 |
    /// ```
    public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
        TrivialObservable(.merge, JoinedStreams(sources))
    }

    /// The elements of all streams, as they come; complete when all are, failed when one is.
    ///
    /// ```swift
    /// Observable.merge(CollectionOfOne(.of(1, 2)))    // 1 2 |
    /// ```
    @preconcurrency
    public static func merge<Collection: Swift.Collection & Sendable>(_ sources: Collection) -> Observable<Element>
    where Collection.Element == Observable<Element> {
        merge(Array(sources))
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// The elements of all inner streams, as they come; complete when the outer and all inner streams are.
    ///
    /// ```swift
    /// Observable.of(Observable.of(1, 2), .of(10, 20)).merge()    // 1 2 10 20 |
    /// ```
    @inlinable
    public func merge() -> Observable<Element.Element> {
        flatMap { $0 }
    }

    /// As ``merge()``, with at most `maxConcurrent` inner streams subscribed at a time; the others wait, in order.
    ///
    /// ```swift
    /// Observable.of(Observable.of(1, 2), .of(10, 20)).merge(maxConcurrent: 1)    // 1 2 10 20 |
    /// ```
    @inlinable
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        flatMap(limit: maxConcurrent) { $0 }
    }
}
