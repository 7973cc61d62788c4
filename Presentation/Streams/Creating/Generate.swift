extension ObservableType {
    /// Creates a stream of the states of a loop: `initialState`, and then the result of `iterate` for the previous
    /// state, while `condition` returns `true`. It fails with the error that either function throws.
    ///
    /// ```swift
    /// Observable.generate(initialState: 1, condition: { $0 < 100 }, iterate: { $0 * 3 })    // 1 3 9 27 81 |
    /// ```
    @inlinable @preconcurrency
    public static func generate(
        initialState: Element, condition: @escaping @Sendable (Element) throws -> Bool,
        scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance,
        iterate: @escaping @Sendable (Element) throws -> Element
    ) -> Observable<Element> {
        Observable(connect: { sink in
            let last = SubscriptionState<Element?>(nil)
            scheduler.repeat(on: sink.chain) { _ in
                do {
                    let element = try last.value.map(iterate) ?? initialState
                    last.value = element
                    if try condition(element) {
                        sink.next(element)
                        return true
                    }
                    sink.chain.complete()
                } catch { sink.chain.fail(error) }
                return false
            }
        })
    }
}
