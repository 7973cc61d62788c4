extension ObservableType {
    /// Calls `on` with each event until the stream terminates or the returned disposable is disposed.
    ///
    /// ```swift
    /// Observable.of(1, 2).subscribe { print($0) }    // prints next(1) next(2) completed
    /// ```
    ///
    /// - Parameters:
    ///   - file: The file of the subscribing code, for ``LiveSubscriptions``.
    ///   - line: The line of the subscribing code.
    ///   - on: Called with each event.
    @inlinable
    @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line, _ on: @escaping @Sendable (Event<Element>) -> Void
    ) -> any Disposable {
        let chain = Chain { error in on(error.map { .error($0) } ?? .completed) }
        #if DEBUG
            SubscriptionRegistry.record(chain, file, line)
        #endif
        asObservable().subscribe(Sink(chain) { if chain.isLive { on(.next($0)) } })
        return chain
    }

    /// Calls the function for each kind of event until the stream terminates or the returned disposable is disposed.
    ///
    /// ```swift
    /// Observable.of(1, 2).subscribe(onNext: { print($0) }, onCompleted: { print("done") })    // prints 1 2 done
    /// ```
    ///
    /// - Parameters:
    ///   - onNext: Called with each element.
    ///   - onError: Called with the error that terminates the stream. If `nil`, ``Hooks/defaultErrorHandler`` is
    ///     called.
    ///   - onCompleted: Called when the stream completes.
    ///   - onDisposed: Called once, after termination or disposal.
    ///   - file: The file of the subscribing code, for ``LiveSubscriptions``.
    ///   - line: The line of the subscribing code.
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
            // The common case captures no handlers.
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

    /// Connects the final sink of a subscription.
    @inlinable
    func subscribe(
        _ onNext: (@Sendable (Element) -> Void)?, _ file: StaticString = #fileID, _ line: UInt = #line,
        onEnd: @escaping ((any Error)?) -> Void
    ) -> Chain {
        let chain = Chain(end: onEnd)
        #if DEBUG
            SubscriptionRegistry.record(chain, file, line)
        #endif
        if let onNext {
            asObservable().subscribe(Sink(chain) { if chain.isLive { onNext($0) } })
        } else {
            asObservable().subscribe(Sink(chain) { _ in })
        }
        return chain
    }

    /// Calls the functions with `object` as first argument, like
    /// ``subscribe(onNext:onError:onCompleted:onDisposed:file:line:)``. The subscription does not retain the object;
    /// after its deallocation the functions are no longer called.
    ///
    /// ```swift
    /// Observable.of(1, 2).subscribe(with: screen, onNext: { print($0.title, $1) })    // prints home 1 home 2
    /// ```
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

/// A weak reference. `@unchecked Sendable`: weak references are atomic, and this one is never reassigned.
@usableFromInline
final class WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    @usableFromInline weak let object: Object?

    @inlinable
    init(_ object: Object) {
        self.object = object
    }
}
