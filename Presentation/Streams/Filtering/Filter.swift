extension ObservableType {
    /// Emits the elements for which `predicate` returns `true`. Fails with the error that `predicate` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3, 4).filter { $0 % 2 == 0 }    // 2 4 |
    /// ```
    @inlinable @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        .stage(below: asObservable()) { element, context in
            do { if try predicate(element) { context.send(&element) } } catch { context.fail(error) }
        }
    }
}
