/// A stream that sends one element and completes, or completes without any, or fails.
///
/// ```swift
/// cache.image(for: url).ifEmpty(switchTo: download(url))    // a maybe and a single: a single
/// ```
public typealias Maybe<Element: Sendable> = PrimitiveSequence<MaybeTrait, Element>

/// The promise of a ``Maybe``: at most one element.
public enum MaybeTrait: Sendable {}

/// What a ``Maybe`` says.
public enum MaybeEvent<Element> {
    /// Its element; nothing comes after it.
    case success(Element)
    /// It failed.
    case error(any Error)
    /// It completed without an element.
    case completed
}

extension MaybeEvent: Sendable where Element: Sendable {}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The function that hears what a ``Maybe`` says.
    public typealias MaybeObserver = @Sendable (MaybeEvent<Element>) -> Void

    /// A maybe that runs `subscribe` for each subscription and says what that tells its observer. Only the first word
    /// counts, from whichever thread it comes.
    @inlinable
    @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping MaybeObserver) -> any Disposable
    ) -> Maybe<Element> {
        Maybe(
            raw: .create { observer in
                let isOver = Flag()
                return subscribe { event in
                    guard isOver.raise() else { return }
                    switch event {
                    case .success(let element):
                        observer.onNext(element)
                        observer.onCompleted()
                    case .error(let error): observer.onError(error)
                    case .completed: observer.onCompleted()
                    }
                }
            })
    }

    /// A maybe of this element.
    @inlinable
    public static func just(_ element: Element) -> Maybe<Element> {
        Maybe(raw: .just(element))
    }

    /// A maybe of this element, sent on `scheduler`.
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Maybe<Element> {
        Maybe(raw: .just(element, scheduler: scheduler))
    }

    /// A maybe that fails on subscription.
    @inlinable
    public static func error(_ error: any Error) -> Maybe<Element> {
        Maybe(raw: .error(error))
    }

    /// A maybe that says nothing, ever.
    @inlinable
    public static func never() -> Maybe<Element> {
        Maybe(raw: .never())
    }

    /// A maybe that is complete on subscription.
    @inlinable
    public static func empty() -> Maybe<Element> {
        Maybe(raw: .empty())
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Calls `observer` with what the maybe says, unless the result is disposed before.
    @inlinable
    @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line,
        _ observer: @escaping @Sendable (MaybeEvent<Element>) -> Void
    ) -> any Disposable {
        let isEmpty = SubscriptionState(true)
        let chain = Chain { error in
            if let error { observer(.error(error)) } else if isEmpty.value { observer(.completed) }
        }
        #if DEBUG
            SubscriptionRegistry.note(chain, file, line)
        #endif
        primitiveSequence.source.subscribe(
            Sink(chain) { element in
                guard chain.isLive else { return }
                isEmpty.value = false
                observer(.success(element))
            })
        return chain
    }

    /// Calls a function for what the maybe says, unless the result is disposed before.
    ///
    /// - Parameters:
    ///   - onSuccess: Hears the element; `onCompleted` is then not called.
    ///   - onError: Hears the error. Without it, ``Hooks/defaultErrorHandler`` does.
    ///   - onCompleted: Hears that there is no element.
    ///   - onDisposed: Called once, after termination or disposal.
    @inlinable
    @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        let callStack = onError == nil && Hooks.recordCallStackOnError ? Hooks.captureCallStack() : []
        let disposed = AnonymousDisposable { onDisposed?() }
        let events = subscribe(file: file, line: line) { event in
            switch event {
            case .success(let element): onSuccess?(element)
            case .error(let error): if let onError { onError(error) } else { Hooks.handle(error, callStack) }
            case .completed: onCompleted?()
            }
            disposed.dispose()
        }
        return CompositeDisposable(events, disposed)
    }

    /// As ``subscribe(onSuccess:onError:onCompleted:onDisposed:)``, with `object` as first argument of each function.
    /// The object is not kept alive by the subscription; once it is gone, the functions are no longer called.
    @inlinable
    @preconcurrency
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onSuccess: (@Sendable (Object, Element) -> Void)? = nil,
        onError: (@Sendable (Object, any Error) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        let reference = WeakReference(object)
        return subscribe(
            onSuccess: { element in
                if let onSuccess, let object = reference.object { onSuccess(object, element) }
            },
            onError: { error in
                if let onError, let object = reference.object { onError(object, error) }
            },
            onCompleted: {
                if let onCompleted, let object = reference.object { onCompleted(object) }
            },
            onDisposed: {
                if let onDisposed, let object = reference.object { onDisposed(object) }
            },
            file: file, line: line)
    }
}
