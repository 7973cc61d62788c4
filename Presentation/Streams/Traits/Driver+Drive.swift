extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Calls functions on the main actor for what the driver says, beginning with its latest element.
    ///
    /// - Parameters:
    ///   - onNext: Called with each element.
    ///   - onCompleted: Hears that the driver is complete.
    ///   - onDisposed: Called once, after completion or disposal; on the thread that disposes.
    ///   - file: The file of the subscribing code, for ``LiveSubscriptions``.
    ///   - line: The line of the subscribing code.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribeOnMainActor(onNext, onCompleted, onDisposed, file, line)
    }

    /// Subscribes for the sake of what happens on the way.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive(file: StaticString = #fileID, line: UInt = #line) -> any Disposable {
        subscribeOnMainActor(nil, file, line)
    }

    /// As ``drive(onNext:onCompleted:onDisposed:)``, with `object` as first argument of each function. The object is
    /// not kept alive; once it is gone, the functions are no longer called.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive<Object: AnyObject & Sendable>(
        with object: Object,
        onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribeOnMainActor(with: object, onNext, onCompleted, onDisposed, file, line)
    }

    /// Lets observers hear the driver.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive<Observer: ObserverType>(
        _ observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable
    where Observer.Element == Element {
        subscribeOnMainActor(observers, file, line)
    }

    /// Lets observers of an optional type hear the driver.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive<Observer: ObserverType>(
        _ observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable
    where Observer.Element == Element? {
        map { Element?.some($0) }.subscribeOnMainActor(observers, file, line)
    }

    /// Lets relays accept what the driver says.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive(
        _ relays: BehaviorRelay<Element>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribeOnMainActor({ element in relays.forEach { $0.accept(element) } }, file, line)
    }

    /// Lets relays of an optional type accept what the driver says.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive(
        _ relays: BehaviorRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribeOnMainActor({ element in relays.forEach { $0.accept(element) } }, file, line)
    }

    /// Lets relays accept what the driver says.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive(
        _ relays: ReplayRelay<Element>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribeOnMainActor({ element in relays.forEach { $0.accept(element) } }, file, line)
    }

    /// Lets relays of an optional type accept what the driver says.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive(
        _ relays: ReplayRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribeOnMainActor({ element in relays.forEach { $0.accept(element) } }, file, line)
    }

    /// Hands the elements to a function that subscribes to them in its own way.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive<Result>(_ transformation: (Observable<Element>) -> Result) -> Result {
        transformation(asObservable())
    }

    /// Hands the elements, and a further argument, to a function that subscribes to them in its own way.
    @inlinable
    @preconcurrency
    @MainActor
    public func drive<Argument, Result>(
        _ with: (Observable<Element>) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        with(asObservable())(curriedArgument)
    }
}
