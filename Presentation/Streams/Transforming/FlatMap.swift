extension ObservableType {
    /// Emits the elements of the streams that `selector` returns for the elements, as they arrive.
    ///
    /// Completes when this stream and all inner streams have completed. Fails when one of them fails or `selector`
    /// throws.
    ///
    /// ```swift
    /// Observable.of(1, 2).flatMap { Observable.of($0, $0 * 10) }    // 1 10 2 20 |
    /// ```
    @inlinable @preconcurrency
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> { flatMap(limit: .max, selector) }

    /// Like ``flatMap(_:)``, with one inner stream at a time: the next one is subscribed when the previous one has
    /// completed and been released. Completes when the last one has been released.
    ///
    /// So inner streams that use an exclusive resource, such as a file or a connection, never hold it twice. A stream
    /// holds what it uses until it is disposed: what `create` returns, `using` creates and `do(onDispose:)` observes.
    ///
    /// ```swift
    /// Observable.of(1, 2).concatMap { Observable.of($0, $0 * 10) }    // 1 10 2 20 |
    /// ```
    @inlinable @preconcurrency
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> { flatMap(limit: 1, selector) }

    /// Like ``flatMap(_:)``, but ignores elements that arrive while an inner stream is active. Fails with the error
    /// that `selector` throws.
    ///
    /// ```swift
    /// // ticks:  1 at 0 s, 2 at 1 s, 3 at 2 s, | at 5 s
    /// ticks.flatMapFirst { Observable.just($0).delay(.seconds(2), scheduler: scheduler) }    // 1 at 2 s, | at 5 s
    /// ```
    @inlinable @preconcurrency
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let coordinator = MergeCoordinator(into: sink.chain)
            let next = sink.next
            source.connect(
                Sink(coordinator) { element in
                    if coordinator.isBusy { return }
                    do { coordinator.add(try selector(element).asObservable(), next) } catch { coordinator.fail(error) }
                })
        })
    }

    @inlinable
    func flatMap<Source: ObservableConvertibleType>(
        limit: Int, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        .flattening(asObservable(), limit: limit) { coordinator, next in
            { element in
                do { coordinator.add(try selector(element).asObservable(), next) } catch { coordinator.fail(error) }
            }
        }
    }
}

extension Observable {
    /// Creates the stream of `flatMap`.
    ///
    /// - Parameter receive: Returns the function for the elements of one subscription, created where their type is known.
    @usableFromInline
    static func flattening<Outer: Sendable>(
        _ source: Observable<Outer>, limit: Int,
        _ receive: @escaping @Sendable (MergeCoordinator, _ next: @escaping (Element) -> Void) -> (Outer) -> Void
    ) -> Observable {
        Observable(
            connect: { sink in
                let coordinator = MergeCoordinator(into: sink.chain, limit: limit)
                source.connect(Sink(coordinator, next: receive(coordinator, sink.next)))
            }, name: "flatMap(limit:_:)")
    }
}
