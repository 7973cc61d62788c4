extension ObservableType {
    /// The same element again and again, without end.
    ///
    /// Each is scheduled anew; dispose it, or take only so many, or subscribing on this thread never returns.
    ///
    /// ```swift
    /// Observable.repeatElement("a").take(3)    // a a a |
    /// ```
    @inlinable
    public static func repeatElement(
        _ element: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        Observable(run: { sink in
            scheduler.repeat(on: sink.chain) {
                sink.next(element)
                return true
            }
        })
    }
}
