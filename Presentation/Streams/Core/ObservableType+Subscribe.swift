extension ObservableType {
    /// Calls `on` with every event, until the stream ends or the result is disposed.
    ///
    /// - Parameters:
    ///   - file: Where the code is that subscribes, for ``LiveSubscriptions``.
    ///   - line: Where the code is that subscribes.
    ///   - on: Hears each event.
    @inlinable
    @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line, _ on: @escaping @Sendable (Event<Element>) -> Void
    ) -> any Disposable {
        let chain = Chain { error in on(error.map { .error($0) } ?? .completed) }
        #if DEBUG
            SubscriptionRegistry.note(chain, file, line)
        #endif
        asObservable().subscribe(Sink(chain) { if chain.isLive { on(.next($0)) } })
        return chain
    }

    /// Calls a function for each thing the stream can say, until it ends or the result is disposed.
    ///
    /// - Parameters:
    ///   - onNext: Hears each element.
    ///   - onError: Hears the error the stream ends with. Without it, ``Hooks/defaultErrorHandler`` does.
    ///   - onCompleted: Hears that the stream is complete.
    ///   - onDisposed: Called once, after the end or after disposal.
    ///   - file: Where the code is that subscribes, for ``LiveSubscriptions``.
    ///   - line: Where the code is that subscribes.
    @inlinable
    @preconcurrency
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        let callStack = onError == nil && Hooks.recordCallStackOnError ? Hooks.captureCallStack() : []
        guard let onDisposed else {
            // The common case captures nothing.
            if onError == nil, onCompleted == nil, callStack.isEmpty {
                return subscribe(onNext, file, line) { if let error = $0 { Hooks.handle(error, []) } }
            }
            return subscribe(onNext, file, line) { error in
                if let error {
                    if let onError { onError(error) } else { Hooks.handle(error, callStack) }
                } else {
                    onCompleted?()
                }
            }
        }
        let disposed = AnonymousDisposable(onDisposed)
        let chain = subscribe(onNext, file, line) { error in
            if let error {
                if let onError { onError(error) } else { Hooks.handle(error, callStack) }
            } else {
                onCompleted?()
            }
            disposed.dispose()
        }
        return CompositeDisposable(chain, disposed)
    }

    /// Connects the bottom of a subscription.
    @inlinable
    func subscribe(
        _ onNext: (@Sendable (Element) -> Void)?, _ file: StaticString = #fileID, _ line: UInt = #line,
        onEnd: @escaping ((any Error)?) -> Void
    ) -> Chain {
        let chain = Chain(end: onEnd)
        #if DEBUG
            SubscriptionRegistry.note(chain, file, line)
        #endif
        if let onNext {
            asObservable().subscribe(Sink(chain) { if chain.isLive { onNext($0) } })
        } else {
            asObservable().subscribe(Sink(chain) { _ in })
        }
        return chain
    }

    /// As ``subscribe(onNext:onError:onCompleted:onDisposed:)``, with `object` as first argument of each function.
    /// The object is not kept alive by the subscription; once it is gone, the functions are no longer called.
    @inlinable
    @preconcurrency
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onNext: (@Sendable (Object, Element) -> Void)? = nil,
        onError: (@Sendable (Object, any Error) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        let reference = WeakReference(object)
        return subscribe(
            onNext: { element in
                if let onNext, let object = reference.object { onNext(object, element) }
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

/// An object that is not kept alive. `@unchecked Sendable`: weak references are atomic and never assigned again.
@usableFromInline
final class WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    @usableFromInline weak let object: Object?

    @inlinable
    init(_ object: Object) {
        self.object = object
    }
}
