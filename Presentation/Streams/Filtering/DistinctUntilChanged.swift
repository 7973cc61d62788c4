extension ObservableType where Element: Equatable {
    /// The elements that differ from the one before.
    ///
    /// ```swift
    /// Observable.of(1, 1, 2, 2, 1).distinctUntilChanged()    // 1 2 1 |
    /// ```
    @inlinable
    public func distinctUntilChanged() -> Observable<Element> {
        distinctUntilChanged({ $0 }, comparer: { $0 == $1 })
    }
}

extension ObservableType {
    /// The elements whose key differs from that of the one before. What `keySelector` throws ends the stream as its
    /// error.
    ///
    /// ```swift
    /// Observable.of("a", "b", "cc").distinctUntilChanged { $0.count }    // a cc |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> {
        distinctUntilChanged(keySelector, comparer: { $0 == $1 })
    }

    /// The elements that are not, in the eyes of `comparer`, the same as the last one that passed. What it throws ends
    /// the stream as its error.
    ///
    /// ```swift
    /// Observable.of(1, 2, 9, 10).distinctUntilChanged { abs($0 - $1) < 5 }    // 1 9 |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (_ lhs: Element, _ rhs: Element) throws -> Bool
    ) -> Observable<Element> {
        distinctUntilChanged({ $0 }, comparer: comparer)
    }

    /// The elements whose value at `keyPath` differs from that of the one before.
    ///
    /// ```swift
    /// Observable.of("a", "b", "cc").distinctUntilChanged(at: \.count)    // a cc |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Property: Equatable & Sendable>(
        at keyPath: any KeyPath<Element, Property> & Sendable
    ) -> Observable<Element> {
        distinctUntilChanged({ $0[keyPath: keyPath] }, comparer: { $0 == $1 })
    }

    /// The elements whose key is not, in the eyes of `comparer`, the same as that of the last one that passed.
    ///
    /// What either function throws ends the stream as its error.
    ///
    /// ```swift
    /// Observable.of("a", "A", "b").distinctUntilChanged({ $0.lowercased() }, comparer: { $0 == $1 })    // a b |
    /// ```
    @inlinable
    @preconcurrency
    public func distinctUntilChanged<Key: Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key,
        comparer: @escaping @Sendable (_ lhs: Key, _ rhs: Key) throws -> Bool
    ) -> Observable<Element> {
        .stage(below: asObservable(), state: { SubscriptionState<Key?>(nil) }) { element, context in
            context.withState { (last: SubscriptionState<Key?>) in
                do {
                    let key = try keySelector(element)
                    if let last = last.value, try comparer(last, key) { return }
                    last.value = key
                    context.send(&element)
                } catch { context.fail(error) }
            }
        }
    }
}
