extension InfallibleType {
    /// Calls `on` with each event until the stream completes or the returned disposable is disposed.
    ///
    /// ```swift
    /// Infallible.of(1, 2).subscribe { print($0) }    // prints next(1) next(2) completed
    /// ```
    @inlinable
    @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line, _ on: @escaping @Sendable (Event<Element>) -> Void
    ) -> any Disposable {
        asObservable().subscribe(file: file, line: line, on)
    }

    /// Calls the function for each kind of event until the stream completes or the returned disposable is disposed.
    ///
    /// ```swift
    /// Infallible.of(1, 2).subscribe(onNext: { print($0) }, onCompleted: { print("done") })    // prints 1 2 done
    /// ```
    ///
    /// - Parameters:
    ///   - onNext: Called with each element.
    ///   - onCompleted: Called when the stream completes.
    ///   - onDisposed: Called once, after termination or disposal.
    ///   - file: The file of the call, for diagnostics.
    ///   - line: The line of the call, for diagnostics.
    @inlinable
    @preconcurrency
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        asObservable().subscribe(
            onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed, file: file, line: line)
    }

    /// Calls the functions with `object` as first argument, like
    /// ``subscribe(onNext:onCompleted:onDisposed:file:line:)``. The subscription does not retain the object; after its
    /// deallocation the functions are no longer called.
    ///
    /// ```swift
    /// Infallible.of(1, 2).subscribe(with: screen, onNext: { print($0.title, $1) })    // prints home 1 home 2
    /// ```
    @inlinable
    @preconcurrency
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onNext: (@Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        asObservable().subscribe(
            with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed, file: file, line: line)
    }
}

extension InfallibleType {
    /// Forwards every event to each of the observers.
    ///
    /// ```swift
    /// Infallible.just(1).bind(to: AnyObserver<Int> { print($0) })    // prints next(1) completed
    /// ```
    public func bind<Observer: ObserverType>(
        to observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable
    where Observer.Element == Element {
        subscribe(file: file, line: line) { event in for observer in observers { observer.on(event) } }
    }

    /// Forwards every event to each of the observers.
    public func bind<Observer: ObserverType>(
        to observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable
    where Observer.Element == Element? {
        subscribe(file: file, line: line) { event in for observer in observers { observer.on(event.map { $0 }) } }
    }

    /// Returns the result of `binder`, called with this stream.
    ///
    /// ```swift
    /// Infallible.of(1, 2).bind(to: { stream in stream.map { $0 + 1 } })    // 2 3 |
    /// ```
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Returns the result of `binder`, called with this stream and then with `curriedArgument`.
    public func bind<R1, R2>(to binder: (Self) -> (R1) -> R2, curriedArgument: R1) -> R2 {
        binder(self)(curriedArgument)
    }

    /// Calls `onNext` with each element, on the thread that emits it.
    ///
    /// ```swift
    /// Infallible.of(1, 2).bind(onNext: { print($0) })    // prints 1 2
    /// ```
    @inlinable
    @preconcurrency
    public func bind(
        onNext: @escaping @Sendable (Element) -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(onNext: onNext, file: file, line: line)
    }

    /// Calls `onNext` with `object` and each element. The object is not retained.
    ///
    /// ```swift
    /// Infallible.just(1).bind(with: screen, onNext: { print($0.title, $1) })    // prints home 1
    /// ```
    @inlinable
    @preconcurrency
    public func bind<Object: AnyObject & Sendable>(
        with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(with: object, onNext: onNext, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    public func bind(
        to relays: PublishRelay<Element>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    public func bind(
        to relays: PublishRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    ///
    /// ```swift
    /// let latest = BehaviorRelay(value: 0)
    /// Infallible.of(1, 2).bind(to: latest)
    /// print(latest.value)    // prints 2
    /// ```
    public func bind(
        to relays: BehaviorRelay<Element>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    public func bind(
        to relays: BehaviorRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    public func bind(
        to relays: ReplayRelay<Element>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    public func bind(
        to relays: ReplayRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }
}
