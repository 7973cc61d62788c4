extension ObservableType {
    /// Combines `obj` and each element with `resultSelector`. The object is not retained: the stream completes at the
    /// first element that arrives after its deallocation.
    ///
    /// ```swift
    /// Observable.of(1, 2)
    ///     .withUnretained(screen) { screen, number in "\(screen.title) \(number)" }    // home 1 home 2 |
    /// ```
    @inlinable @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable, Out: Sendable>(
        _ obj: Object, resultSelector: @escaping @Sendable (Object, Element) -> Out
    ) -> Observable<Out> {
        let reference = WeakReference(obj)
        return .stage(below: asObservable()) { element, context in
            if let object = reference.object {
                var result = resultSelector(object, element)
                context.send(&result)
            } else {
                context.complete()
            }
        }
    }

    /// Emits `obj` together with each element. The object is not retained: the stream completes at the first element
    /// that arrives after its deallocation.
    ///
    /// ```swift
    /// Observable.of(1, 2).withUnretained(screen)
    ///     .map { screen, number in "\(screen.title) \(number)" }    // home 1 home 2 |
    /// ```
    @inlinable @preconcurrency
    public func withUnretained<Object: AnyObject & Sendable>(_ obj: Object) -> Observable<(Object, Element)> {
        withUnretained(obj) { ($0, $1) }
    }
}
