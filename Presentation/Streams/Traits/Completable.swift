/// A stream without elements: it completes or fails. What a command answers with.
///
/// ```swift
/// save(draft).andThen(reload())    // reload is subscribed when save has completed
/// ```
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

/// The promise of a ``Completable``: no elements.
public enum CompletableTrait: Sendable {}

/// What a ``Completable`` says.
public enum CompletableEvent: Sendable {
    /// It failed.
    case error(any Error)
    /// It is done.
    case completed
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// The function that hears what a ``Completable`` says.
    public typealias CompletableObserver = @Sendable (CompletableEvent) -> Void

    /// A completable that runs `subscribe` for each subscription and says what that tells its observer. Only the first
    /// word counts, from whichever thread it comes.
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

    /// A completable that fails on subscription.
    public static func error(_ error: any Error) -> Completable {
        Completable(raw: .error(error))
    }

    /// A completable that says nothing, ever.
    public static func never() -> Completable {
        Completable(raw: .never())
    }

    /// A completable that is complete on subscription.
    public static func empty() -> Completable {
        Completable(raw: .empty())
    }
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Calls `observer` with what the completable says, unless the result is disposed before.
    @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line,
        _ observer: @escaping @Sendable (CompletableEvent) -> Void
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            nil, file, line, onEnd: { error in observer(error.map { .error($0) } ?? .completed) })
    }

    /// Calls a function for what the completable says, unless the result is disposed before.
    ///
    /// - Parameters:
    ///   - onCompleted: Hears that it is done.
    ///   - onError: Hears the error. Without it, ``Hooks/defaultErrorHandler`` does.
    ///   - onDisposed: Called once, after termination or disposal.
    @preconcurrency
    public func subscribe(
        onCompleted: (@Sendable () -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            onError: onError, onCompleted: onCompleted, onDisposed: onDisposed, file: file, line: line)
    }

    /// As ``subscribe(onCompleted:onError:onDisposed:)``, with `object` as first argument of each function.
    /// The object is not kept alive by the subscription; once it is gone, the functions are no longer called.
    @preconcurrency
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onError: (@Sendable (Object, any Error) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        primitiveSequence.source.subscribe(
            with: object, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed, file: file, line: line)
    }
}
