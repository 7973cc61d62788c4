extension ObservableType {
    /// Emits `elements` on subscription, and then the events of this stream.
    ///
    /// ```swift
    /// Observable.of(3, 4).startWith(1, 2)    // 1 2 3 4 |
    /// ```
    @inlinable
    public func startWith(_ elements: Element...) -> Observable<Element> {
        TrivialObservable(.concat, StreamList([TrivialObservable(.elements, elements), asObservable()], by: .concat))
    }
}
