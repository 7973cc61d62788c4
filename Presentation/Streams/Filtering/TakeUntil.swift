/// How `take(until:)` and `take(while:)` treat the element that completes them.
///
/// ```swift
/// Observable.of(1, 2, 3).take(while: { $0 < 2 }, behavior: .inclusive)     // 1 2 |
/// Observable.of(1, 2, 3).take(while: { $0 < 2 }, behavior: .exclusive)     // 1 |
/// ```
public enum TakeBehavior: Sendable {
    /// The element is emitted as the last one.
    case inclusive
    /// The element that ends the stream is dropped.
    case exclusive
}

extension ObservableType {
    /// Emits the elements until `other` emits one, and then completes.
    ///
    /// `other` is subscribed first. Its completion is ignored; its error fails the result.
    ///
    /// ```swift
    /// // elements:  1 at 1 s, 2 at 3 s, | at 4 s
    /// // stop:      () at 2 s
    /// elements.take(until: stop)    // 1 at 1 s, | at 2 s
    /// ```
    @inlinable
    public func take<Source: ObservableType>(until other: Source) -> Observable<Element> {
        Observable(taking: asObservable(), until: other.asObservable())
    }

    /// Emits the elements until `predicate` returns `true` for one, and then completes. Fails with the error that
    /// `predicate` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).take(until: { $0 == 2 })                           // 1 |
    /// Observable.of(1, 2, 3).take(until: { $0 == 2 }, behavior: .inclusive)     // 1 2 |
    /// ```
    @inlinable @preconcurrency
    public func take(
        until predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> {
        .stage(below: asObservable(), counter: 1) { element, context in
            do {
                // Already 0 for elements that are sent re-entrantly during the delivery of the last one.
                if context.counter == 0 { return }
                context.counter = try predicate(element) ? 0 : 1
                if context.counter != 0 { return context.send(&element) }
                if case .inclusive = behavior { context.send(&element) }
                context.complete()
            } catch { context.fail(error) }
        }
    }

    /// Emits the elements while `predicate` returns `true`, and completes at the first one for which it returns
    /// `false`. Fails with the error that `predicate` throws.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3, 1).take(while: { $0 < 3 })                           // 1 2 |
    /// Observable.of(1, 2, 3, 1).take(while: { $0 < 3 }, behavior: .inclusive)     // 1 2 3 |
    /// ```
    @inlinable @preconcurrency
    public func take(
        while predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> { take(until: { try !predicate($0) }, behavior: behavior) }
}

extension Observable {
    @usableFromInline
    convenience init<Other: Sendable>(taking source: Observable, until other: Observable<Other>) {
        self.init(
            connect: { sink in
                let next = sink.next
                let output = SerializedSink(sink.chain)
                let otherChain = Chain { error in
                    if let error { output.finish(error) }
                }
                let chain = Chain { output.finish($0) }
                sink.chain.attach(DisposablePair(chain, otherChain))
                other.connect(Sink(otherChain) { _ in output.finish(nil) })
                source.connect(Sink(chain) { output.send($0, next) })
            }, name: "take(until:)")
    }
}
