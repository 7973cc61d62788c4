extension ObservableType {
    /// Each element with its number, from 0.
    ///
    /// ```swift
    /// Observable.of("a", "b").enumerated()    // (index: 0, element: "a") (index: 1, element: "b") |
    /// ```
    @inlinable
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        let source = asObservable()
        return Observable(run: { sink in
            let next = sink.next
            let count = Box(0)
            source.run(
                Sink(sink.chain) { element in
                    let index = count.value
                    count.value += 1
                    next((index, element))
                })
        })
    }
}
