extension ObservableType {
    /// A stream of one element, sent on subscription.
    ///
    /// ```swift
    /// Observable.just(1)    // 1 |
    /// ```
    @inlinable
    public static func just(_ element: Element) -> Observable<Element> {
        Observable(.just(element))
    }

    /// A stream of one element, sent on `scheduler`.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        Observable(run: { sink in
            let work = scheduler.schedule(element) { element in
                sink.send(element)
                sink.chain.complete()
                return Disposables.create()
            }
            sink.chain.attach(any: work)
        })
    }
}
