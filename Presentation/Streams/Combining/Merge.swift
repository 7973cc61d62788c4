extension ObservableType {
    /// The elements of all streams, as they come; complete when all are, failed when one is.
    ///
    /// ```swift
    /// Observable.merge(Observable.of(1, 2), Observable.of(3, 4))    // 1 3 2 4 |
    /// ```
    @inlinable
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
        merge(sources)
    }

    /// The elements of all streams, as they come; complete when all are, failed when one is.
    @inlinable
    public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
        Observable(run: { sink in
            let merging = Merging(into: sink)
            for source in sources { merging.enqueue(source) }
            merging.complete()
        })
    }

    /// The elements of all streams, as they come; complete when all are, failed when one is.
    @inlinable
    @preconcurrency
    public static func merge<Sources: Collection & Sendable>(_ sources: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        merge(Array(sources))
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// The elements of all inner streams, as they come; complete when the outer and all inner streams are.
    @inlinable
    public func merge() -> Observable<Element.Element> {
        flatMap { $0 }
    }

    /// As ``merge()``, with at most `maxConcurrent` inner streams subscribed at a time; the others wait, in order.
    @inlinable
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        flatMap(limit: maxConcurrent) { $0 }
    }

    /// The elements of the inner streams, one stream after the other.
    @inlinable
    public func concat() -> Observable<Element.Element> {
        flatMap(limit: 1) { $0 }
    }
}
