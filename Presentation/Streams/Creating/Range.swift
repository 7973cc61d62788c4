extension ObservableType where Element: RxAbstractInteger {
    /// Creates a stream of `count` successive integers, starting at `start`.
    ///
    /// Each integer is scheduled separately, so that several such streams interleave.
    ///
    /// ```swift
    /// Observable.range(start: 5, count: 3)    // 5 6 7 |
    /// ```
    ///
    /// - Precondition: `count` is not negative, and the last integer does not exceed the largest value of its type.
    @inlinable
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        precondition(count >= 0, "range(start:count:) requires a count that is not negative")
        precondition(
            count == 0 || !start.addingReportingOverflow(count - 1).overflow,
            "range(start:count:) exceeds the largest value of its integer type")
        return Observable(connect: { sink in
            scheduler.repeat(on: sink.chain) { index in
                guard index < count else {
                    sink.chain.complete()
                    return false
                }
                sink.next(start + Element(index))
                return true
            }
        })
    }
}
