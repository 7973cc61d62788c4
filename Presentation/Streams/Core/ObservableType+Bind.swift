extension ObservableType {
    /// Sends every event to each of the observers.
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

    /// Sends every event to each of the observers.
    public func bind<Observer: ObserverType>(
        to observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable
    where Observer.Element == Element? {
        subscribe(file: file, line: line) { event in for observer in observers { observer.on(event.map { $0 }) } }
    }

    /// What `binder` makes of this stream.
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// What `binder` makes of this stream and `curriedArgument`.
    public func bind<R1, R2>(to binder: (Self) -> (R1) -> R2, curriedArgument: R1) -> R2 {
        binder(self)(curriedArgument)
    }

    /// Calls `onNext` with every element. An error is a mistake in the program, for no one hears it: it goes to
    /// ``Hooks/defaultErrorHandler``.
    @inlinable
    @preconcurrency
    public func bind(onNext: @escaping @Sendable (Element) -> Void, file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: onNext, file: file, line: line)
    }

    /// As ``bind(onNext:)``, with `object` as first argument; it is not kept alive.
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
    /// Lets each of the relays accept every element. Completion is of no meaning to a relay; an error is a mistake in
    /// the program and goes to ``Hooks/defaultErrorHandler``.
    public func bind(to relays: PublishRelay<Element>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Lets each of the relays accept every element.
    public func bind(to relays: PublishRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Lets each of the relays accept every element.
    public func bind(to relays: BehaviorRelay<Element>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Lets each of the relays accept every element.
    public func bind(to relays: BehaviorRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Lets each of the relays accept every element.
    public func bind(to relays: ReplayRelay<Element>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Lets each of the relays accept every element.
    public func bind(to relays: ReplayRelay<Element?>..., file: StaticString = #fileID, line: UInt = #line)
        -> any Disposable
    {
        subscribe(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }
}
