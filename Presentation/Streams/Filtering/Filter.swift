extension ObservableType {
    /// The elements for which `predicate` holds. What it throws ends the stream as its error.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3, 4).filter { $0 % 2 == 0 }    // 2 4 |
    /// ```
    @inlinable
    @preconcurrency
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        .stage(below: asObservable()) { element, context in
            do { if try predicate(element) { context.send(&element) } } catch { context.fail(error) }
        }
    }
}
