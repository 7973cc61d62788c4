extension ObservableType {
    /// Emits the only element of the stream. Fails with ``RxError/moreThanOneElement`` on a second element, and with
    /// ``RxError/noElements`` if the stream completes without any.
    ///
    /// The element is emitted on arrival, before it is known whether it is the only one.
    ///
    /// ```swift
    /// Observable.just(1).single()    // 1 |
    /// ```
    @inlinable
    public func single() -> Observable<Element> { single { _ in true } }

    /// Emits the only element for which `predicate` returns `true`, under the rules of ``single()``. Fails with the
    /// error that `predicate` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).single { $0 > 2 }    // 3 |
    /// ```
    @inlinable @preconcurrency
    public func single(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let hasElement = SubscriptionState(false)
            let chain = Chain(above: sink.chain) { error in
                sink.chain.finish(error ?? (hasElement.value ? nil : RxError.noElements))
            }
            source.connect(
                Sink(chain) { element in
                    do {
                        if try !predicate(element) { return }
                        if hasElement.value { throw RxError.moreThanOneElement }
                        hasElement.value = true
                        sink.next(element)
                    } catch { chain.fail(error) }
                })
        })
    }
}
