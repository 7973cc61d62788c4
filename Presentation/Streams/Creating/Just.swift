extension ObservableType {
    /// Creates a stream that emits one element on subscription.
    ///
    /// ```swift
    /// Observable.just(1)    // 1 |
    /// ```
    @inlinable
    public static func just(_ element: Element) -> Observable<Element> {
        TrivialObservable(.just, element)
    }

    /// Creates a stream that emits one element on `scheduler`, and completes in a second work item.
    ///
    /// ```swift
    /// Observable.just(1, scheduler: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        Observable(connect: { sink in
            scheduler.repeat(on: sink.chain) { index in
                if index == 0 { sink.next(element) } else { sink.chain.complete() }
                return true
            }
        })
    }
}
