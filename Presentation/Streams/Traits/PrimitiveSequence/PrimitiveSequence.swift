/// A stream with a guaranteed number of elements, determined by `Trait`: ``Single``, ``Maybe`` or ``Completable``.
///
/// Its operators are those of ``Observable`` that keep this contract, and work as there.
///
/// ```swift
/// Single.just(1).map { $0 + 1 }    // 2 |
/// ```
@preconcurrency
public struct PrimitiveSequence<Trait: Sendable, Element: Sendable>: Sendable {
    @usableFromInline let source: Observable<Element>

    @inlinable
    package init(raw source: Observable<Element>) { self.source = source }
}

/// A type that can be converted to a ``PrimitiveSequence``. The operators of the traits are extensions of this
/// protocol.
///
/// ```swift
/// func patient<Trait: Sendable, Element: Sendable>(
///     _ work: some PrimitiveSequenceType<Trait, Element>
/// ) -> PrimitiveSequence<Trait, Element> {
///     work.primitiveSequence.retry(3)
/// }
/// patient(Single.just(1))    // 1 |
/// ```
@preconcurrency
public protocol PrimitiveSequenceType<Trait, Element>: Sendable {
    associatedtype Trait: Sendable
    associatedtype Element: Sendable

    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequence: PrimitiveSequenceType {
    @inlinable
    public var primitiveSequence: PrimitiveSequence { self }
}

extension PrimitiveSequence: ObservableConvertibleType {
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

extension PrimitiveSequence {
    @inlinable @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () throws -> PrimitiveSequence
    ) -> PrimitiveSequence { PrimitiveSequence(raw: .deferred { try observableFactory().source }) }

    @inlinable @preconcurrency
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        primitiveSequenceFactory: @escaping @Sendable (Resource) throws -> PrimitiveSequence
    ) -> PrimitiveSequence {
        PrimitiveSequence(
            raw: .using(resourceFactory, observableFactory: { try primitiveSequenceFactory($0).source }))
    }

    @inlinable @preconcurrency
    public func `catch`(
        _ handler: @escaping @Sendable (any Error) throws -> PrimitiveSequence
    ) -> PrimitiveSequence { PrimitiveSequence(raw: source.catch { try handler($0).source }) }

    @inlinable
    public func retry() -> PrimitiveSequence { PrimitiveSequence(raw: source.retry()) }

    @inlinable
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence {
        PrimitiveSequence(raw: source.retry(maxAttemptCount))
    }

    @inlinable @preconcurrency
    public func retry<TriggerObservable: ObservableType, Failure: Error>(
        when notificationHandler: @escaping @Sendable (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence { PrimitiveSequence(raw: source.retry(when: notificationHandler)) }

    @inlinable @preconcurrency
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence { PrimitiveSequence(raw: source.retry(when: notificationHandler)) }

    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> PrimitiveSequence {
        PrimitiveSequence(
            raw: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}

extension PrimitiveSequence {
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence {
        PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
    }

    @inlinable
    public func delaySubscription(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence {
        PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence {
        PrimitiveSequence(raw: source.observe(on: scheduler))
    }

    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence {
        PrimitiveSequence(raw: source.subscribe(on: scheduler))
    }

    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence {
        PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
    }

    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: PrimitiveSequence, scheduler: any SchedulerType
    ) -> PrimitiveSequence {
        PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }
}

extension PrimitiveSequenceType where Element: FixedWidthInteger {
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> { PrimitiveSequence(raw: .timer(dueTime, scheduler: scheduler)) }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Combines the elements of all singles of the collection, in its order, with `resultSelector`. For an empty
    /// collection, emits the result for an empty array. Fails when a single fails or `resultSelector` throws.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable, Result: Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> PrimitiveSequence<Trait, Result> where Collection.Element == PrimitiveSequence<Trait, Element> {
        if collection.isEmpty { return .deferred { .just(try resultSelector([])) } }
        return PrimitiveSequence(raw: .zip(collection.map(\.source), resultSelector: resultSelector))
    }

    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> PrimitiveSequence<Trait, [Element]> where Collection.Element == PrimitiveSequence<Trait, Element> {
        zip(collection) { $0 }
    }
}

extension ObservableType {
    /// Returns a single of the only element of this stream, emitted when the stream completes.
    ///
    /// Fails with ``RxError/moreThanOneElement`` on a second element, and with ``RxError/noElements`` if the stream
    /// completes without one. Compare ``first()``.
    ///
    /// ```swift
    /// Observable.of(1, 2).asSingle()    // RxError.moreThanOneElement
    /// ```
    @inlinable
    public func asSingle() -> Single<Element> { Single(raw: only(orFailingWith: RxError.noElements)) }

    /// Returns a maybe of the only element of this stream, if there is one, emitted when the stream completes.
    ///
    /// Fails with ``RxError/moreThanOneElement`` on a second element.
    ///
    /// ```swift
    /// Observable<Int>.empty().asMaybe()    // |
    /// ```
    @inlinable
    public func asMaybe() -> Maybe<Element> { Maybe(raw: only(orFailingWith: nil)) }

    /// Returns a single of the first element of this stream, emitted on arrival, or of `nil` if the stream completes
    /// without one.
    ///
    /// ```swift
    /// Observable.of(1, 2).first()    // Optional(1) |
    /// ```
    @inlinable
    public func first() -> Single<Element?> {
        let source = asObservable()
        return Single(
            raw: Observable(connect: { sink in
                let chain = Chain(above: sink.chain) { error in
                    if error == nil { sink.send(nil) }
                    sink.chain.finish(error)
                }
                let isSent = SubscriptionState(false)
                source.connect(
                    Sink(chain) { element in
                        // Already `true` for an element that is sent re-entrantly during the delivery of the first one.
                        if isSent.value { return }
                        isSent.value = true
                        sink.next(element)
                        sink.chain.complete()
                    })
            }))
    }

    /// Returns a single of all elements of this stream, emitted when the stream completes.
    ///
    /// ```swift
    /// Observable.of(1, 2, 3).toArray()    // [1, 2, 3] |
    /// ```
    @inlinable
    public func toArray() -> Single<[Element]> {
        Single(
            raw: .collecting(asObservable(), in: { SubscriptionState<[Element]>([]) }) { elements, _ in
                { elements.value.append($0) }
            } result: { elements in
                elements.value
            })
    }

    @inlinable
    func only(orFailingWith noElements: RxError?) -> Observable<Element> {
        let source = asObservable()
        return Observable(connect: { sink in
            let found = SubscriptionState<Element?>(nil)
            let chain = Chain(above: sink.chain) { error in
                if error == nil, let element = found.value { sink.send(element) }
                sink.chain.finish(error ?? (found.value == nil ? noElements : nil))
            }
            source.connect(
                Sink(chain) { element in
                    if found.value == nil { found.value = element } else { chain.fail(RxError.moreThanOneElement) }
                })
        })
    }
}

extension ObservableType where Element == Never {
    public func asCompletable() -> Completable { Completable(raw: asObservable()) }
}
