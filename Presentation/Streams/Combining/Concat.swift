extension ObservableType {
    /// This stream and, when it has completed, `second`. If this stream fails, so does the result.
    ///
    /// ```swift
    /// Observable.of(1, 2).concat(Observable.of(3, 4))    // 1 2 3 4 |
    /// ```
    ///
    /// Nestings may be of any depth: streams concatenated by `reduce` are subscribed and let go of in a loop.
    @inlinable
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Observable<Element>
    where Source.Element == Element {
        TrivialObservable(.concat, JoinedStreams([asObservable(), second.asObservable()]))
    }

    /// One stream after the other: each is subscribed when the one before has completed.
    ///
    /// The sequence is asked for its next stream only then, so it may be lazy, or never end.
    @inlinable
    @preconcurrency
    public static func concat<Sequence: Swift.Sequence & Sendable>(_ sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Observable<Element> {
        TrivialObservable(.concat, JoinedStreams(lazily: { AnyIterator(sequence.makeIterator()) }))
    }

    /// One stream after the other: each is subscribed when the one before has completed.
    ///
    /// The collection is asked for its next stream only then, so it may be lazy.
    ///
    /// ```swift
    /// Observable.concat([.of(1, 2), .just(3)])    // 1 2 3 |
    /// ```
    @inlinable
    @preconcurrency
    public static func concat<Collection: Swift.Collection & Sendable>(_ collection: Collection) -> Observable<Element>
    where Collection.Element == Observable<Element> {
        TrivialObservable(
            .concat,
            (collection as? [Observable<Element>]).map { JoinedStreams($0) }
                ?? JoinedStreams(lazily: { AnyIterator(collection.makeIterator()) }))
    }

    /// One stream after the other: each is subscribed when the one before has completed.
    ///
    /// ```swift
    /// Observable.concat(.of(1, 2), .just(3))    // 1 2 3 |
    /// ```
    @inlinable
    public static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
        TrivialObservable(.concat, JoinedStreams(sources))
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// The elements of the inner streams, one stream after the other.
    ///
    /// ```swift
    /// Observable.of(Observable.of(1, 2), .just(3)).concat()    // 1 2 3 |
    /// ```
    @inlinable
    public func concat() -> Observable<Element.Element> {
        flatMap(limit: 1) { $0 }
    }
}
