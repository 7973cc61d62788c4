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
