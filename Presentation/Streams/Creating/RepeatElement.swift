extension ObservableType {
    /// Creates a stream that emits the same element repeatedly, without end.
    ///
    /// Each element is scheduled separately. Dispose the subscription or limit it with `take`; otherwise subscribing on
    /// the current thread never returns.
    ///
    /// ```swift
    /// Observable.repeatElement("a").take(3)    // a a a |
    /// ```
    @inlinable
    public static func repeatElement(
        _ element: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        Observable(connect: { sink in
            scheduler.repeat(on: sink.chain) { _ in
                sink.next(element)
                return true
            }
        })
    }
}
