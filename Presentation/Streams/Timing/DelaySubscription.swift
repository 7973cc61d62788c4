extension ObservableType {
    /// Subscribes to this stream after `dueTime`, on `scheduler`. The events are not delayed; see
    /// `delay(_:scheduler:)` for that.
    ///
    /// ```swift
    /// Observable.of(1, 2).delaySubscription(.seconds(1), scheduler: scheduler)    // 1 at 1 s, 2 at 1 s, | at 1 s
    /// ```
    @inlinable
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let chain = Chain { sink.chain.finish($0) }
            let start = scheduler.scheduleRelative((), dueTime: dueTime) { _ in
                source.subscribe(Sink(chain, next: sink.next))
                return Disposables.create()
            }
            sink.chain.attach(CompositeDisposable(chain, start))
        })
    }
}
