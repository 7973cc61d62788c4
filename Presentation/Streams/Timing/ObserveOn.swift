extension ObservableType {
    /// Delivers the events on `scheduler`.
    ///
    /// The order is preserved, and an error does not overtake elements. On a dispatch or operation queue one work item
    /// delivers all events that have arrived by then, and on the main queue at most 64; on other schedulers each event is a
    /// separate work item. When the source terminates it is disposed, even if its last events are not delivered yet.
    ///
    /// A sender returns before its event is delivered. If more than 1,024 events wait for a dispatch or operation queue, it
    /// waits until the queue takes them, for at most 0.1 seconds, unless it runs on that queue, on the main thread or in a
    /// task. ``LiveSubscriptions`` shows the number of events that wait.
    ///
    /// Compare ``subscribe(on:)``, which determines where the source is subscribed.
    ///
    /// ```swift
    /// Observable.of(1, 2).observe(on: scheduler)    // 1 at 0 s, 2 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        observe(on: scheduler, recover: nil)
    }

    /// Combines ``observe(on:)``, for the scheduler of a sharing strategy, with a downstream ``catch(_:)``: an error is
    /// replaced by the stream that `recover` returns for it.
    @inlinable
    func observe<Strategy: SharingStrategyProtocol>(
        for _: Strategy.Type, recover: (@Sendable (any Error) -> Observable<Element>)? = nil
    ) -> Observable<Element> {
        observe(on: SharingScheduler.isMain(for: Strategy.self) ? nil : Strategy.scheduler, recover: recover)
    }

    /// - Parameter scheduler: If `nil`, a main scheduler like those of drivers and signals.
    @inlinable
    func observe(
        on scheduler: (any ImmediateSchedulerType)?, recover: (@Sendable (any Error) -> Observable<Element>)?
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable(
            connect: { sink in
                let queue = ObserveOnQueue(to: sink, on: scheduler, recover: recover)
                queue.attach(to: sink.chain)
                source.connect(Sink(queue) { queue.send($0) })
            }, name: "observe(on:)")
    }
}
