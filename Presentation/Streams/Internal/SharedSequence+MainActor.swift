extension SharedSequenceConvertibleType {
    /// Subscribes functions that are isolated to the main actor.
    ///
    /// Elements arrive on the strategy's scheduler, which is the main one; `assumeIsolated` checks it. In a test that
    /// mocks the scheduler, run the test on the main actor.
    func subscribeOnMainActor(
        _ onNext: (@MainActor @Sendable (Element) -> Void)?,
        _ onCompleted: (@MainActor @Sendable () -> Void)?,
        _ onDisposed: (@Sendable () -> Void)?,
        _ file: StaticString, _ line: UInt
    ) -> any Disposable {
        asObservable().subscribe(
            onNext: onNext.map(onMainActor), onCompleted: onCompleted.map(onMainActor), onDisposed: onDisposed,
            file: file, line: line)
    }

    /// The same with a function that hears elements alone.
    func subscribeOnMainActor(
        _ onNext: (@MainActor @Sendable (Element) -> Void)?, _ file: StaticString, _ line: UInt
    ) -> any Disposable {
        subscribeOnMainActor(onNext, nil, nil, file, line)
    }

    /// The same with an object that is not kept alive.
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
    func subscribeOnMainActor<Observer: ObserverType>(
        _ observers: [Observer], _ file: StaticString, _ line: UInt
    ) -> any Disposable where Observer.Element == Element {
        asObservable().subscribe(file: file, line: line) { event in observers.forEach { $0.on(event) } }
    }
}

/// A function that calls `body` on the main actor, which is where it is called itself; that is checked.
func onMainActor<Element: Sendable>(
    _ body: @escaping @MainActor @Sendable (Element) -> Void
) -> @Sendable (Element) -> Void {
    { element in MainActor.assumeIsolated { body(element) } }
}

/// The same, for a function without an element.
func onMainActor(_ body: @escaping @MainActor @Sendable () -> Void) -> @Sendable () -> Void {
    { MainActor.assumeIsolated(body) }
}
