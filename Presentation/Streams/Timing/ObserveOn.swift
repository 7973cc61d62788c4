extension ObservableType {
    /// The same events, delivered on `scheduler`.
    ///
    /// Order is kept, an error does not overtake elements, and whoever sends is never made to wait. On a dispatch or
    /// operation queue one piece of work delivers everything that has come by then; on any other scheduler each event
    /// is a piece of work of its own. When the source ends it is disposed, even if its last events are still to be
    /// delivered.
    ///
    /// Nothing limits the number of events that wait for the scheduler; ``LiveSubscriptions`` shows it.
    ///
    /// Compare ``subscribe(on:)``, which says where the source is subscribed.
    ///
    /// ```swift
    /// Observable.of(1, 2).observe(on: scheduler)    // 1 at 0 s, 2 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        observe(on: scheduler, recover: nil)
    }

    /// As ``observe(on:)`` with a ``catch(_:)`` below it, in one: an error is replaced by the stream that `recover` makes
    /// of it.
    @inlinable
    func observe(
        on scheduler: any ImmediateSchedulerType, recover: (@Sendable (any Error) -> Observable<Element>)?,
        name: StaticString = "observe(on:)"
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable(
            run: { sink in
                let queue = ObserveOnQueue(to: sink, on: scheduler, recover: recover)
                source.run(Sink(queue.connect(sink.chain)) { queue.send($0) })
            }, name: name)
    }
}
