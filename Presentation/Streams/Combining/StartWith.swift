extension ObservableType {
    /// Emits `elements` on subscription, and then the events of this stream.
    ///
    /// ```swift
    /// Observable.of(3, 4).startWith(1, 2)    // 1 2 3 4 |
    /// ```
    @inlinable
    public func startWith(_ elements: Element...) -> Observable<Element> {
        let initial = InitialElements<Element> { sink in for element in elements { sink.send(element) } }
        return CompoundStream(initial, before: asObservable())
    }
}
