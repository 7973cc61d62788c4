extension SharedSequenceConvertibleType {
    /// Subscribes functions that are isolated to the main actor.
    ///
    /// Elements arrive on the strategy's scheduler, which is the main one; `assumeIsolated` checks it. In a test that
    /// mocks the scheduler, run the test on the main actor.
    @inlinable
    func subscribeOnMainActor(
        _ onNext: (@MainActor @Sendable (Element) -> Void)?,
        _ onCompleted: (@MainActor @Sendable () -> Void)?,
        _ onDisposed: (@Sendable () -> Void)?,
        _ file: StaticString, _ line: UInt
    ) -> any Disposable {
        if onCompleted == nil, onDisposed == nil { return subscribeOnMainActor(onNext, file, line) }
        // Not `map`: the compiler would wrap the functions in others to make them arguments of a generic one.
        let next: (@Sendable (Element) -> Void)? = if let onNext { onMainActor(onNext) } else { nil }
        let completed: (@Sendable () -> Void)? = if let onCompleted { onMainActor(onCompleted) } else { nil }
        return asObservable().subscribe(
            onNext: next, onCompleted: completed, onDisposed: onDisposed, file: file, line: line)
    }

    /// The same with a function that hears elements alone.
    @inlinable
    func subscribeOnMainActor(
        _ onNext: (@MainActor @Sendable (Element) -> Void)?, _ file: StaticString, _ line: UInt
    ) -> any Disposable {
        let chain = Chain { if let error = $0 { Hooks.handle(error, []) } }
        #if DEBUG
            SubscriptionRegistry.note(chain, file, line)
        #endif
        guard let onNext else {
            asObservable().subscribe(Sink(chain) { _ in })
            return chain
        }
        let next = withoutIsolation(onNext)
        asObservable().subscribe(
            Sink(chain) { element in
                if chain.isLive {
                    MainActor.preconditionIsolated()
                    next(element)
                }
            })
        return chain
    }

    /// The same with an object that is not kept alive.
    @inlinable
    func subscribeOnMainActor<Object: AnyObject & Sendable>(
        with object: Object,
        _ onNext: (@MainActor @Sendable (Object, Element) -> Void)?,
        _ onCompleted: (@MainActor @Sendable (Object) -> Void)?,
        _ onDisposed: (@Sendable (Object) -> Void)?,
        _ file: StaticString, _ line: UInt
    ) -> any Disposable {
        let reference = WeakReference(object)
        return subscribeOnMainActor(
            { element in
                if let onNext, let object = reference.object { onNext(object, element) }
            },
            {
                if let onCompleted, let object = reference.object { onCompleted(object) }
            },
            {
                if let onDisposed, let object = reference.object { onDisposed(object) }
            },
            file, line)
    }

    /// Subscribes observers of one type.
    @inlinable
    func subscribeOnMainActor<Observer: ObserverType>(
        _ observers: [Observer], _ file: StaticString, _ line: UInt
    ) -> any Disposable where Observer.Element == Element {
        asObservable().subscribe(file: file, line: line) { event in observers.forEach { $0.on(event) } }
    }
}

/// A function that calls `body` on the main actor, which is where it is called itself; that is checked.
@inlinable
func onMainActor<Element: Sendable>(
    _ body: @escaping @MainActor @Sendable (Element) -> Void
) -> @Sendable (Element) -> Void {
    let body = withoutIsolation(body)
    return { element in
        MainActor.preconditionIsolated()
        body(element)
    }
}

/// The same function, for callers that have checked that they are on the main actor.
///
/// What `MainActor.assumeIsolated` does as well, but once, and not with an allocation for each call: the isolation of a
/// synchronous function is part of its type only, not of how it is called.
@inlinable
func withoutIsolation<Element>(
    _ body: @escaping @MainActor @Sendable (Element) -> Void
) -> @Sendable (Element) -> Void {
    unsafeBitCast(IsolatedFunction(call: body), to: PlainFunction<Element>.self).call
}

// Structs, because a function that is itself the argument of a generic one is wrapped in another.
@usableFromInline
struct IsolatedFunction<Element> {
    @usableFromInline let call: @MainActor @Sendable (Element) -> Void

    @inlinable
    init(call: @escaping @MainActor @Sendable (Element) -> Void) {
        self.call = call
    }
}

@usableFromInline
struct PlainFunction<Element> {
    @usableFromInline let call: @Sendable (Element) -> Void
}

/// The same, for a function without an element.
@inlinable
func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) -> @Sendable () -> Void {
    { MainActor.assumeIsolated(body) }
}
