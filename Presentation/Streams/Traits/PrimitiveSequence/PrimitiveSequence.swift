/// A stream with a guaranteed number of elements, determined by `Trait`: ``Single``, ``Maybe`` or ``Completable``.
///
/// ```swift
/// Single.just(1).map { $0 + 1 }    // 2 |
/// ```
@preconcurrency
public struct PrimitiveSequence<Trait: Sendable, Element: Sendable>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// Creates a primitive sequence from a stream that satisfies the trait.
    @inlinable
    init(raw source: Observable<Element>) {
        self.source = source
    }
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
    /// The trait, which determines the number of elements.
    associatedtype Trait: Sendable
    /// The type of the elements.
    associatedtype Element: Sendable

    /// This value as a primitive sequence.
    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequence: PrimitiveSequenceType {
    /// Returns this sequence.
    @inlinable
    public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }
}

extension PrimitiveSequence: ObservableConvertibleType {
    /// Returns this sequence as an ``Observable``, with the same events.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

extension PrimitiveSequence {
    /// Creates a sequence that calls `factory` for each subscription and emits the events of the returned sequence. It
    /// fails with the error that the factory throws.
    ///
    /// ```swift
    /// Single.deferred { Single.just(1) }    // 1 |
    /// ```
    @inlinable
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .deferred { try observableFactory().source })
    }

    /// Creates a sequence that owns a resource for each subscription: `resourceFactory` creates the resource,
    /// `primitiveSequenceFactory` creates the sequence from it, and the resource is disposed when the sequence
    /// terminates or the subscription is disposed. Fails with the error that either factory throws.
    ///
    /// ```swift
    /// Single.using({ BooleanDisposable() }, primitiveSequenceFactory: { Single.just($0.isDisposed) })    // false |
    /// ```
    @inlinable
    @preconcurrency
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        primitiveSequenceFactory: @escaping @Sendable (Resource) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .using(resourceFactory, observableFactory: { try primitiveSequenceFactory($0).source }))
    }

    /// Replaces an error by the sequence that `handler` returns for it. Fails with the error that `handler` throws.
    ///
    /// ```swift
    /// Single<Int>.error(RxError.timeout).catch { _ in Single.just(0) }    // 0 |
    /// ```
    @inlinable
    @preconcurrency
    public func `catch`(
        _ handler: @escaping @Sendable (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.catch { try handler($0).source })
    }

    /// Subscribes to this sequence again whenever it fails, without a limit.
    @inlinable
    public func retry() -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry())
    }

    /// Subscribes to this sequence again whenever it fails, with at most `maxAttemptCount` subscriptions in total.
    ///
    /// ```swift
    /// Single<Int>.error(RxError.timeout).retry(2)    // RxError.timeout
    /// ```
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(maxAttemptCount))
    }

    /// Subscribes to this sequence again after an error, when the stream that `notificationHandler` creates from the
    /// errors emits an element.
    @inlinable
    @preconcurrency
    public func retry<TriggerObservable: ObservableType, Failure: Error>(
        when notificationHandler: @escaping @Sendable (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }

    /// Subscribes to this sequence again after an error, when the stream that `notificationHandler` creates from the
    /// errors emits an element.
    @inlinable
    @preconcurrency
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }

    /// Prints the events of this sequence and forwards them unchanged; see
    /// ``ObservableType/debug(_:trimOutput:file:line:function:)``.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}

extension PrimitiveSequence {
    /// Delays the element and completion by `dueTime`. An error is not delayed.
    ///
    /// ```swift
    /// Single.just(1).delay(.seconds(1), scheduler: scheduler)    // 1 at 1 s, | at 1 s
    /// ```
    @inlinable
    public func delay(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delay(dueTime, scheduler: scheduler))
    }

    /// Subscribes to this sequence when `dueTime` has passed on `scheduler`.
    ///
    /// ```swift
    /// Single.just(1).delaySubscription(.seconds(1), scheduler: scheduler)    // 1 at 1 s, | at 1 s
    /// ```
    @inlinable
    public func delaySubscription(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Delivers the events on `scheduler`, one at a time and in order.
    ///
    /// ```swift
    /// Single.just(1).observe(on: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func observe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.observe(on: scheduler))
    }

    /// Subscribes to this sequence, and disposes the subscription, on `scheduler`.
    ///
    /// ```swift
    /// Single.just(1).subscribe(on: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.subscribe(on: scheduler))
    }

    /// Fails with ``RxError/timeout`` if `dueTime` passes without an event.
    ///
    /// ```swift
    /// Single<Int>.never().timeout(.seconds(3), scheduler: scheduler)    // RxError.timeout at 3 s
    /// ```
    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Replaces this sequence by `other` if `dueTime` passes without an event.
    ///
    /// ```swift
    /// Single<Int>.never().timeout(.seconds(3), other: .just(0), scheduler: scheduler)    // 0 at 3 s, | at 3 s
    /// ```
    @inlinable
    public func timeout(
        _ dueTime: RxTimeInterval, other: PrimitiveSequence<Trait, Element>, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.timeout(dueTime, other: other.source, scheduler: scheduler))
    }
}

extension PrimitiveSequenceType where Element: FixedWidthInteger {
    /// Creates a sequence that emits 0 after `dueTime`.
    ///
    /// ```swift
    /// Single<Int>.timer(.seconds(3), scheduler: scheduler)    // 0 at 3 s, | at 3 s
    /// ```
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, scheduler: any SchedulerType
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .timer(dueTime, scheduler: scheduler))
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Combines the elements of all singles of the collection, in its order, with `resultSelector`. For an empty
    /// collection, emits the result for an empty array. Fails when a single fails or `resultSelector` throws.
    ///
    /// ```swift
    /// Single.zip([Single.just(1), Single.just(2)]) { $0.reduce(0, +) }    // 3 |
    /// ```
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable, Result: Sendable>(
        _ collection: Collection, resultSelector: @escaping @Sendable ([Element]) throws -> Result
    ) -> PrimitiveSequence<Trait, Result> where Collection.Element == PrimitiveSequence<Trait, Element> {
        if collection.isEmpty { return .deferred { .just(try resultSelector([])) } }
        return PrimitiveSequence(raw: .zip(collection.map(\.source), resultSelector: resultSelector))
    }

    /// Emits the elements of all singles of the collection, in its order. Fails when a single fails.
    ///
    /// ```swift
    /// Single.zip([Single.just(1), Single.just(2)])    // [1, 2] |
    /// ```
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
    public func asSingle() -> Single<Element> {
        Single(raw: only(orFailingWith: RxError.noElements))
    }

    /// Returns a maybe of the only element of this stream, if there is one, emitted when the stream completes.
    ///
    /// Fails with ``RxError/moreThanOneElement`` on a second element.
    ///
    /// ```swift
    /// Observable<Int>.empty().asMaybe()    // |
    /// ```
    @inlinable
    public func asMaybe() -> Maybe<Element> {
        Maybe(raw: only(orFailingWith: nil))
    }

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
            raw: Observable(run: { sink in
                let chain = Chain(above: sink.chain) { error in
                    if error == nil { sink.send(nil) }
                    sink.chain.finish(error)
                }
                let isSent = SubscriptionState(false)
                source.run(
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
        let source = asObservable()
        return Single(
            raw: Observable(run: { sink in
                let elements = SubscriptionState<[Element]>([])
                let chain = Chain(above: sink.chain) { error in
                    if error == nil { sink.send(elements.value) }
                    sink.chain.finish(error)
                }
                source.run(Sink(chain) { elements.value.append($0) })
            }))
    }

    @inlinable
    func only(orFailingWith noElements: RxError?) -> Observable<Element> {
        let source = asObservable()
        return Observable(run: { sink in
            let found = SubscriptionState<Element?>(nil)
            let chain = Chain(above: sink.chain) { error in
                if error == nil, let element = found.value { sink.send(element) }
                sink.chain.finish(error ?? (found.value == nil ? noElements : nil))
            }
            source.run(
                Sink(chain) { element in
                    if found.value == nil { found.value = element } else { chain.fail(RxError.moreThanOneElement) }
                })
        })
    }
}

extension ObservableType where Element == Never {
    /// Returns this stream, which has no elements, as a ``Completable``.
    ///
    /// ```swift
    /// Observable.of(1, 2).ignoreElements().asCompletable()    // |
    /// ```
    public func asCompletable() -> Completable {
        Completable(raw: asObservable())
    }
}
