extension ObservableType {
    /// The elements of the streams that `selector` makes of each element, as they come.
    ///
    /// Complete when this stream and all inner streams are; failed when one of them is, or when `selector` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2).flatMap { Observable.of($0, $0 * 10) }    // 1 10 2 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        flatMap(limit: .max, selector)
    }

    /// As ``flatMap(_:)``, one inner stream after the other: the next is subscribed when the one before has completed.
    ///
    /// ```swift
    /// Observable.of(1, 2).concatMap { Observable.of($0, $0 * 10) }    // 1 10 2 20 |
    /// ```
    @inlinable
    @preconcurrency
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        flatMap(limit: 1, selector)
    }

    /// As ``flatMap(_:)``, ignoring elements that come while an inner stream is under way.
    ///
    /// ```swift
    /// // ticks:  1 at 0 s, 2 at 1 s, 3 at 2 s, | at 5 s
    /// ticks.flatMapFirst { Observable.just($0).delay(.seconds(2), scheduler: scheduler) }    // 1 at 2 s, | at 5 s
    /// ```
    @inlinable
    @preconcurrency
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let coordinator = MergeCoordinator(into: sink.chain)
            let next = sink.next
            let outer = coordinator.makeOuterChain()
            source.run(
                Sink(outer) { element in
                    if coordinator.isBusy { return }
                    do { coordinator.add(try selector(element).asObservable(), next) } catch { outer.fail(error) }
                })
        })
    }

    @inlinable
    func flatMap<Source: ObservableConvertibleType>(
        limit: Int, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let coordinator = MergeCoordinator(into: sink.chain, limit: limit)
            let next = sink.next
            let outer = coordinator.makeOuterChain()
            source.run(
                Sink(outer) { element in
                    do { coordinator.add(try selector(element).asObservable(), next) } catch { outer.fail(error) }
                })
        })
    }
}
