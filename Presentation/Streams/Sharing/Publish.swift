extension ObservableType {
    /// Returns a connectable stream: all observers share one subscription to the source.
    ///
    /// ```swift
    /// let numbers = Observable.of(1, 2).publish()
    /// let subscription = numbers.subscribe(onNext: { print($0) })
    /// let connection = numbers.connect()    // prints 1 2
    /// ```
    @inlinable
    public func publish() -> ConnectableObservable<Element> {
        multicast { PublishSubject<Element>() }
    }

    /// Returns a connectable stream that replays its last `bufferSize` elements to later observers.
    ///
    /// ```swift
    /// // ticks:  1 at 1 s, 2 at 2 s, 3 at 3 s
    /// let replayed = ticks.replay(1)
    /// let connection = replayed.connect()
    /// replayed.delaySubscription(.milliseconds(2500), scheduler: scheduler)    // 2 at 2.5 s, 3 at 3 s
    /// ```
    @inlinable
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        multicast { ReplaySubject<Element>.create(bufferSize: bufferSize) }
    }

    /// Returns a connectable stream that replays all its elements to later observers.
    ///
    /// ```swift
    /// // ticks:  1 at 1 s, 2 at 2 s, 3 at 3 s
    /// let replayed = ticks.replayAll()
    /// let connection = replayed.connect()
    /// replayed.delaySubscription(.milliseconds(2500), scheduler: scheduler)    // 1 at 2.5 s, 2 at 2.5 s, 3 at 3 s
    /// ```
    @inlinable
    public func replayAll() -> ConnectableObservable<Element> {
        multicast { ReplaySubject<Element>.createUnbounded() }
    }
}
