/// A stream without elements that completes or fails, such as the result of a command.
///
/// ```swift
/// save(draft).andThen(reload())    // reload is subscribed when save has completed
/// ```
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

/// The trait of a ``Completable``: no elements.
///
/// ```swift
/// PrimitiveSequence<CompletableTrait, Never>.empty()    // |
/// ```
public enum CompletableTrait: Sendable {}

/// The event of a ``Completable``.
///
/// ```swift
/// let subscription = Completable.empty().subscribe { event in
///     switch event {
///     case .completed: print("saved")
///     case .error(let error): print(error)
///     }
/// }    // prints saved
/// ```
public enum CompletableEvent: Sendable {
    case error(any Error)
    case completed
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    public typealias CompletableObserver = @Sendable (CompletableEvent) -> Void

    /// Creates a completable that calls `subscribe` for each subscription and emits the event that it sends to its
    /// observer. Only the first event counts, regardless of its thread.
    ///
    /// ```swift
    /// Completable.create { done in
    ///     done(.completed)
    ///     return Disposables.create()
    /// }                               // |
    /// ```
    @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping CompletableObserver) -> any Disposable
    ) -> Completable {
        Completable(
            raw: .create { observer in
                let isOver = Flag()
                return subscribe { event in
                    guard isOver.raise() else { return }
                    switch event {
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
            })
    }

    public static func error(_ error: any Error) -> Completable { Completable(raw: .error(error)) }

    public static func never() -> Completable { Completable(raw: .never()) }

    public static func empty() -> Completable { Completable(raw: .empty()) }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Calls `observer` with the event, unless the returned disposable is disposed before.
    ///
    /// ```swift
    /// Completable.empty().subscribe { print($0) }    // prints completed
    /// ```
    @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line, _ observer: @escaping @Sendable (CompletableEvent) -> Void
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            nil, Chain(file, line) { error in observer(error.map { .error($0) } ?? .completed) })
    }

    /// Calls the function for the event, unless the returned disposable is disposed before.
    ///
    /// ```swift
    /// Completable.empty().subscribe(onCompleted: { print("done") })    // prints done
    /// ```
    ///
    /// - Parameters:
    ///   - onCompleted: Called on completion.
    ///   - onError: Called with the error. If `nil`, ``Hooks/defaultErrorHandler`` is called.
    ///   - onDisposed: Called once, after termination or disposal.
    ///   - file: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    @preconcurrency
    public func subscribe(
        onCompleted: (@Sendable () -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            onError: onError, onCompleted: onCompleted, onDisposed: onDisposed, file: file, line: line)
    }

    /// Calls the functions with `object`, which is not retained, as first argument.
    @preconcurrency
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object, onCompleted: (@Sendable (Object) -> Void)? = nil,
        onError: (@Sendable (Object, any Error) -> Void)? = nil, onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            with: object, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed, file: file, line: line)
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    @preconcurrency
    public func `do`(
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil, onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil, onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil, onDispose: (@Sendable () -> Void)? = nil
    ) -> Completable {
        Completable(
            raw: primitiveSequence.source.do(
                onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    public func concat(_ second: Completable) -> Completable { Completable.concat(primitiveSequence, second) }

    @preconcurrency
    public static func concat<Sequence: Swift.Sequence & Sendable>(
        _ sequence: Sequence
    ) -> Completable where Sequence.Element == Completable { Completable(raw: .concat(sequence.lazy.map(\.source))) }

    @preconcurrency
    public static func concat<Collection: Swift.Collection & Sendable>(
        _ collection: Collection
    ) -> Completable where Collection.Element == Completable { Completable(raw: .concat(collection.map(\.source))) }

    public static func concat(_ sources: Completable...) -> Completable {
        Completable(raw: .concat(sources.map(\.source)))
    }

    /// Subscribes to all completables concurrently. Completes when all have completed; fails when one fails.
    @preconcurrency
    public static func zip<Collection: Swift.Collection & Sendable>(
        _ sources: Collection
    ) -> Completable where Collection.Element == Completable { Completable(raw: .merge(sources.map(\.source))) }

    public static func zip(_ sources: [Completable]) -> Completable { Completable(raw: .merge(sources.map(\.source))) }

    public static func zip(_ sources: Completable...) -> Completable { Completable(raw: .merge(sources.map(\.source))) }

    public func andThen<E: Sendable>(_ second: Single<E>) -> Single<E> { Single(raw: andThen(second.source)) }

    public func andThen<E: Sendable>(_ second: Maybe<E>) -> Maybe<E> { Maybe(raw: andThen(second.source)) }

    public func andThen(_ second: Completable) -> Completable { concat(second) }

    /// Emits the events of `second` after this completable has completed. `second` is subscribed when this completable
    /// has been released.
    ///
    /// ```swift
    /// signIn().andThen(messages)
    /// ```
    public func andThen<E: Sendable>(_ second: Observable<E>) -> Observable<E> {
        let first = primitiveSequence.source
        return Observable(connect: { sink in first.connect(Sink(sink.chain) { _ in }) }).concat(second)
    }

    public func asMaybe() -> Maybe<Element> { Maybe(raw: primitiveSequence.source) }
}
