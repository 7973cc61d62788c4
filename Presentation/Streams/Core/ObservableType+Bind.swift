extension ObservableType {
    /// Forwards every event to each of the observers.
    ///
    /// ```swift
    /// titles.bind(to: label.rx.text).disposed(by: bag)
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
    /// Observable.of(1, 2).bind(to: { stream in stream.map { $0 + 1 } })    // 2 3 |
    /// ```
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Returns the result of `binder`, called with this stream and then with `curriedArgument`.
    public func bind<R1, R2>(to binder: (Self) -> (R1) -> R2, curriedArgument: R1) -> R2 {
        binder(self)(curriedArgument)
    }

    /// Calls `onNext` with each element. An error is a programming error, because no observer handles it: it is passed
    /// to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// Observable.of(1, 2).bind(onNext: { print($0) })    // prints 1 2
    /// ```
    @inlinable
    @preconcurrency
    public func bind(onNext: @escaping @Sendable (Element) -> Void, file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: onNext, file: file, line: line)
    }

    /// Calls `onNext` with `object` and each element, like ``bind(onNext:)``. The subscription does not retain the
    /// object.
    ///
    /// ```swift
    /// Observable.of(1, 2).bind(with: screen, onNext: { print($0.title, $1) })    // prints home 1 home 2
    /// ```
    @inlinable
    @preconcurrency
    public func bind<Object: AnyObject & Sendable>(
        with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable {
        subscribe(with: object, onNext: onNext, file: file, line: line)
    }
}

extension ObservableType {
    /// Sends each element to each of the relays. Completion is ignored; an error is a programming error and is passed
    /// to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// let taps = PublishRelay<Int>()
    /// taps.subscribe(onNext: { print($0) })
    /// Observable.of(1, 2).bind(to: taps)    // prints 1 2
    /// ```
    public func bind(to relays: PublishRelay<Element>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    public func bind(to relays: PublishRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    ///
    /// ```swift
    /// let latest = BehaviorRelay(value: 0)
    /// Observable.of(1, 2).bind(to: latest)
    /// print(latest.value)    // prints 2
    /// ```
    public func bind(to relays: BehaviorRelay<Element>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    public func bind(to relays: BehaviorRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    public func bind(to relays: ReplayRelay<Element>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays.
    public func bind(to relays: ReplayRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }
}
