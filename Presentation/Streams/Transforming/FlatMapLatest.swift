extension ObservableType {
    /// The elements of the stream that `selector` makes of the newest element; the streams of older elements are
    /// disposed.
    ///
    /// The one before is disposed before the new one is subscribed. Complete when this stream and the newest inner
    /// stream are; failed when one of them is, or when `selector` throws. Compare ``flatMap(_:)``, which listens to
    /// all of them, and ``flatMapFirst(_:)``, which lets the one under way finish.
    ///
    /// ```swift
    /// Observable.of(1, 2).flatMapLatest { Observable.of($0, $0 * 10) }    // 1 2 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let coordinator = SwitchCoordinator(into: sink.chain)
            let next = sink.next
            let outer = coordinator.makeOuterChain()
            source.run(
                Sink(outer) { element in
                    do { coordinator.switchTo(try selector(element).asObservable(), next) } catch { outer.fail(error) }
                })
        })
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// The elements of the newest inner stream: ``flatMapLatest(_:)`` of the elements themselves.
    ///
    /// ```swift
    /// Observable.of(Observable.of(1, 10), Observable.of(2, 20)).switchLatest()    // 1 2 20 |
    /// ```
    @inlinable
    public func switchLatest() -> Observable<Element.Element> {
        flatMapLatest { $0 }
    }
}
