extension ObservableType {
    /// A connectable stream: one subscription to the source for all who listen.
    @inlinable
    public func publish() -> ConnectableObservable<Element> {
        multicast { PublishSubject<Element>() }
    }

    /// A connectable stream that replays its last `bufferSize` elements to those who come later.
    @inlinable
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        multicast { ReplaySubject<Element>.create(bufferSize: bufferSize) }
    }

    /// A connectable stream that replays all its elements to those who come later.
    @inlinable
    public func replayAll() -> ConnectableObservable<Element> {
        multicast { ReplaySubject<Element>.createUnbounded() }
    }
}
