extension ObservableType {
    /// Emits the events of this stream and, after its completion, those of `second`. Fails if this stream fails.
    ///
    /// `second` is subscribed when this stream has been released. So two streams that use an exclusive resource, such as
    /// a file, never hold it both. The result completes when `second` has been released.
    ///
    /// ```swift
    /// Observable.of(1, 2).concat(Observable.of(3, 4))    // 1 2 3 4 |
    /// ```
    ///
    /// Calls can be nested to any depth, for example by `reduce`: subscribing and releasing do not recurse. Nor does a last
    /// part that `deferred` creates, such as the stream of the following pages at the end of that of a page. Recursion
    /// through another operator, such as `flatMap` or `catch`, does: if its streams emit synchronously, a thread with a
    /// stack of 8 MB ends the process after a few thousand levels.
    @inlinable
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Observable<Element>
    where Source.Element == Element {
        CompoundStream(concatenating: StreamList([asObservable().erasedStream, second.asObservable().erasedStream]))
    }

    /// Concatenates the streams: each one is subscribed when the previous one has completed.
    ///
    /// The next stream is requested only then, so the sequence can be lazy or infinite.
    @inlinable @preconcurrency
    public static func concat<Sequence: Swift.Sequence & Sendable>(_ sequence: Sequence) -> Observable<Element>
    where Sequence.Element == Observable<Element> {
        CompoundStream(concatenating: StreamList(lazily: sequence))
    }

    /// Concatenates the streams: each one is subscribed when the previous one has completed.
    ///
    /// The next stream is requested only then, so the collection can be lazy.
    ///
    /// ```swift
    /// Observable.concat([.of(1, 2), .just(3)])    // 1 2 3 |
    /// ```
    @inlinable @preconcurrency
    public static func concat<Collection: Swift.Collection & Sendable>(_ collection: Collection) -> Observable<Element>
    where Collection.Element == Observable<Element> {
        CompoundStream(
            concatenating: (collection as? [Observable<Element>]).map { StreamList(Observable.erasing($0)) }
                ?? StreamList(lazily: collection))
    }

    /// Concatenates the streams: each one is subscribed when the previous one has completed.
    ///
    /// ```swift
    /// Observable.concat(.of(1, 2), .just(3))    // 1 2 3 |
    /// ```
    @inlinable
    public static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
        CompoundStream(concatenating: StreamList(Observable.erasing(sources)))
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Emits the elements of the inner streams sequentially: each one is subscribed when the previous one has completed
    /// and been released, and enqueued until then. Completes when the outer stream and all inner streams have completed
    /// and been released; fails when one of them fails.
    ///
    /// ```swift
    /// Observable.of(Observable.of(1, 2), .just(3)).concat()    // 1 2 3 |
    /// ```
    @inlinable
    public func concat() -> Observable<Element.Element> { flatMap(limit: 1) { $0 } }
}
