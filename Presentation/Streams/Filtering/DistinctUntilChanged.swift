extension ObservableType where Element: Equatable {
    /// Emits the elements that differ from the previous element.
    ///
    /// ```swift
    /// Observable.of(1, 1, 2, 2, 1).distinctUntilChanged()    // 1 2 1 |
    /// ```
    @inlinable
    public func distinctUntilChanged() -> Observable<Element> {
        .stage(below: asObservable(), state: { SubscriptionState<Element?>(nil) }) { element, context in
            context.withState { (last: SubscriptionState<Element?>) in
                if last.value == element { return }
                last.value = element
                context.send(&element)
            }
        }
    }
}

extension ObservableType {
    /// Emits the elements whose key differs from that of the previous element. Fails with the error that `keySelector`
    /// throws.
    ///
    /// ```swift
    /// Observable.of("a", "b", "cc").distinctUntilChanged { $0.count }    // a cc |
    /// ```
    @inlinable @preconcurrency
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        _ keySelector: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> { distinctUntilChanged(keySelector, comparer: { $0 == $1 }) }

    /// Emits the elements that `comparer` considers different from the last emitted element. Fails with the error that
    /// `comparer` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2, 9, 10).distinctUntilChanged { abs($0 - $1) < 5 }    // 1 9 |
    /// ```
    @inlinable @preconcurrency
    public func distinctUntilChanged(
        _ comparer: @escaping @Sendable (_ lhs: Element, _ rhs: Element) throws -> Bool
    ) -> Observable<Element> { distinctUntilChanged({ $0 }, comparer: comparer) }

    /// Emits the elements whose value at `keyPath` differs from that of the previous element.
    ///
    /// ```swift
    /// Observable.of("a", "b", "cc").distinctUntilChanged(at: \.count)    // a cc |
    /// ```
    @inlinable @preconcurrency
    public func distinctUntilChanged<Property: Equatable & Sendable>(
        at keyPath: any KeyPath<Element, Property> & Sendable
    ) -> Observable<Element> {
        distinctUntilChanged({ $0[keyPath: keyPath] }, comparer: { $0 == $1 })
    }

    /// Emits the elements whose key `comparer` considers different from the key of the last emitted element.
    ///
    /// Fails with the error that either function throws.
    ///
    /// ```swift
    /// Observable.of("a", "A", "b").distinctUntilChanged({ $0.lowercased() }, comparer: { $0 == $1 })    // a b |
    /// ```
    @inlinable @preconcurrency
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
