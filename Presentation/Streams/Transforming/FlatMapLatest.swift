extension ObservableType {
    /// Emits the elements of the stream that `selector` returns for the latest element; the stream of the previous
    /// element is disposed.
    ///
    /// The previous inner stream is disposed before the new one is subscribed. Completes when this stream and the
    /// latest inner stream have completed. Fails when one of them fails or `selector` throws. Compare ``flatMap(_:)``,
    /// which stays subscribed to all inner streams, and ``flatMapFirst(_:)``, which lets the active one finish.
    ///
    /// ```swift
    /// Observable.of(1, 2).flatMapLatest { Observable.of($0, $0 * 10) }    // 1 2 20 |
    /// ```
    @inlinable @preconcurrency
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        .switching(asObservable()) { coordinator, next in
            { element in
                do {
                    coordinator.switchTo(try selector(element).asObservable(), next)
                } catch { coordinator.fail(error) }
            }
        }
    }
}

extension Observable {
    /// Creates the stream of `flatMapLatest`.
    ///
    /// - Parameter receive: Returns the function for the elements of one subscription, created where their type is known.
    @usableFromInline
    static func switching<Outer: Sendable>(
        _ source: Observable<Outer>,
        _ receive: @escaping @Sendable (SwitchCoordinator, _ next: @escaping (Element) -> Void) -> (Outer) -> Void
    ) -> Observable {
        Observable(
            connect: { sink in
                let coordinator = SwitchCoordinator(into: sink.chain)
                source.connect(Sink(coordinator, next: receive(coordinator, sink.next)))
            }, name: "flatMapLatest(_:)")
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Emits the elements of the latest inner stream: ``flatMapLatest(_:)`` with the elements themselves as inner
    /// streams.
    ///
    /// ```swift
    /// Observable.of(Observable.of(1, 10), Observable.of(2, 20)).switchLatest()    // 1 2 20 |
    /// ```
    @inlinable
    public func switchLatest() -> Observable<Element.Element> { flatMapLatest { $0 } }
}
