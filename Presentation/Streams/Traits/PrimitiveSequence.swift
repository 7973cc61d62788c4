/// A stream that promises how many elements it has: ``Single``, ``Maybe`` or ``Completable``, told apart by `Trait`.
@preconcurrency
public struct PrimitiveSequence<Trait: Sendable, Element: Sendable>: Sendable {
    @usableFromInline let source: Observable<Element>

    /// A stream of which it is known that it keeps the promise.
    @inlinable
    init(raw source: Observable<Element>) {
        self.source = source
    }
}

/// Something that is a ``PrimitiveSequence``; what operators of the traits extend.
@preconcurrency
public protocol PrimitiveSequenceType<Trait, Element>: Sendable {
    /// How many elements it promises.
    associatedtype Trait: Sendable
    /// The type of the elements.
    associatedtype Element: Sendable

    /// It, as a primitive sequence.
    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequence: PrimitiveSequenceType {
    /// The sequence itself.
    @inlinable
    public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }
}

extension PrimitiveSequence: ObservableConvertibleType {
    /// It, as a stream without a promise.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

extension PrimitiveSequence {
    /// A sequence that `factory` makes anew for each subscription; what that throws is its error.
    @inlinable
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: .deferred { try observableFactory().source })
    }

    /// A sequence that lives with a resource: `resourceFactory` makes one for each subscription, the sequence that
    /// `primitiveSequenceFactory` makes of it is sent, and the resource is disposed at its end.
    @inlinable
    @preconcurrency
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        primitiveSequenceFactory: @escaping @Sendable (Resource) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: .using(resourceFactory, observableFactory: { try primitiveSequenceFactory($0).source }))
    }

    /// This sequence and, should it fail, the one that `handler` returns for the error.
    @inlinable
    @preconcurrency
    public func `catch`(
        _ handler: @escaping @Sendable (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.catch { try handler($0).source })
    }

    /// This sequence, subscribed again whenever it fails: for ever, if need be.
    @inlinable
    public func retry() -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry())
    }

    /// This sequence, subscribed again whenever it fails: at most `maxAttemptCount` times in all.
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(maxAttemptCount))
    }

    /// This sequence, subscribed again after a failure when the stream that `notificationHandler` makes of the errors
    /// sends an element.
    @inlinable
    @preconcurrency
    public func retry<TriggerObservable: ObservableType, Failure: Error>(
        when notificationHandler: @escaping @Sendable (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }

    /// This sequence, subscribed again after a failure when the stream that `notificationHandler` makes of the errors
    /// sends an element.
    @inlinable
    @preconcurrency
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping @Sendable (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(raw: source.retry(when: notificationHandler))
    }

    /// This sequence, its events printed as they pass; see ``ObservableType/debug(_:trimOutput:file:line:function:)``.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(
            raw: source.debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}
