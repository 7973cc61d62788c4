/// A type that can be converted to an ``Observable``.
///
/// ```swift
/// func firstTwo(_ source: some ObservableConvertibleType<Int>) -> Observable<Int> {
///     source.asObservable().take(2)
/// }
/// firstTwo(Infallible.of(1, 2, 3))    // 1 2 |
/// firstTwo(Single.just(1))            // 1 |
/// ```
@preconcurrency
public protocol ObservableConvertibleType<Element>: Sendable {
    associatedtype Element: Sendable

    /// Returns an ``Observable`` that emits the elements of this value and terminates as it does.
    func asObservable() -> Observable<Element>
}

/// A stream whose elements arrive where it emits them: an ``ObservableType`` or an ``InfallibleType``.
///
/// A ``Driver`` or a ``Signal`` is bound by `drive` or `emit` instead.
@preconcurrency
public protocol BindableType<Element>: ObservableConvertibleType {}

/// A stream that observers can subscribe to.
///
/// Every operator is an extension of this protocol, so it is available on ``Observable``, on subjects and on custom
/// conforming types.
///
/// ```swift
/// struct Countdown: ObservableType {
///     typealias Element = Int
///     let start: Int
///
///     func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Int {
///         Observable.range(start: 0, count: start).map { start - $0 }.subscribe(observer)
///     }
/// }
/// Countdown(start: 3).filter { $0 != 2 }    // 3 1 |
/// ```
@preconcurrency
public protocol ObservableType<Element>: BindableType {
    /// Subscribes `observer` to the events of this stream until it terminates or the returned disposable is disposed.
    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Element
}

extension ObservableType {
    /// Returns this stream as an ``Observable``, which each observer subscribes to separately.
    public func asObservable() -> Observable<Element> {
        Observable.create { observer in subscribe(observer) }
    }
}

extension ObservableType {
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
    @inlinable @preconcurrency
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        let (chain, subscription) = Chain.ofSubscription(
            onError: onError, onCompleted: onCompleted, onDisposed: onDisposed, file, line)
        subscribe(onNext, chain)
        return subscription
    }

    /// Connects the final sink of a subscription.
    @inlinable
    @discardableResult
    func subscribe(_ onNext: (@Sendable (Element) -> Void)?, _ chain: Chain) -> Chain {
        if let onNext {
            asObservable().subscribe(Sink(chain) { if chain.isLive { onNext($0) } else { chain.drop() } })
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
    @inlinable @preconcurrency
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
            onNext: reference.calling(onNext), onError: reference.calling(onError),
            onCompleted: reference.calling(onCompleted), onDisposed: reference.calling(onDisposed), file: file,
            line: line)
    }
}

/// A weak reference. `@unchecked Sendable`: weak references are atomic, and this one is never reassigned.
@usableFromInline
final class WeakReference<Object: AnyObject & Sendable>: @unchecked Sendable {
    @usableFromInline weak let object: Object?

    @inlinable
    init(_ object: Object) { self.object = object }

    /// A function that calls `body` with the object, unless there is none any more.
    @inlinable
    func calling<Value>(_ body: (@Sendable (Object, Value) -> Void)?) -> @Sendable (Value) -> Void {
        { value in if let body, let object = self.object { body(object, value) } }
    }

    @inlinable
    func calling(_ body: (@Sendable (Object) -> Void)?) -> @Sendable () -> Void {
        { if let body, let object = self.object { body(object) } }
    }
}

extension BindableType {
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
    @inlinable @preconcurrency
    public func subscribe(
        file: StaticString = #fileID, line: UInt = #line, _ on: @escaping @Sendable (Event<Element>) -> Void
    ) -> any Disposable {
        let chain = Chain(file, line) { error in on(error.map { .error($0) } ?? .completed) }
        asObservable().subscribe(Sink(chain) { if chain.isLive { on(.next($0)) } else { chain.drop() } })
        return chain
    }

    /// Forwards every event to each of the observers.
    ///
    /// ```swift
    /// titles.bind(to: label.rx.text).disposed(by: bag)
    /// ```
    public func bind<Observer: ObserverType>(
        to observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Observer.Element == Element {
        subscribe(file: file, line: line) { event in for observer in observers { observer.on(event) } }
    }

    /// Forwards every event to each of the observers of optional elements.
    public func bind<Observer: ObserverType>(
        to observers: Observer..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Observer.Element == Element? {
        subscribe(file: file, line: line) { event in for observer in observers { observer.on(event.map { $0 }) } }
    }

    /// Sends each element to each of the relays. Completion is ignored; an error is a programming error and is passed
    /// to ``Hooks/defaultErrorHandler``.
    ///
    /// ```swift
    /// let latest = BehaviorRelay(value: 0)
    /// Observable.of(1, 2).bind(to: latest)
    /// print(latest.value)    // prints 2
    /// ```
    @inlinable
    public func bind<Relay: RelayType>(
        to relays: Relay..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Relay.Element == Element {
        bind(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Sends each element to each of the relays of optional elements.
    @inlinable
    public func bind<Relay: RelayType>(
        to relays: Relay..., file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable where Relay.Element == Element? {
        bind(onNext: { element in for relay in relays { relay.accept(element) } }, file: file, line: line)
    }

    /// Returns the result of `binder`, called with this stream.
    ///
    /// ```swift
    /// Observable.of(1, 2).bind(to: { stream in stream.map { $0 + 1 } })    // 2 3 |
    /// ```
    public func bind<Result>(to binder: (Self) -> Result) -> Result { binder(self) }

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
    @inlinable @preconcurrency
    public func bind(
        onNext: @escaping @Sendable (Element) -> Void, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable { asObservable().subscribe(onNext: onNext, file: file, line: line) }

    /// Calls `onNext` with `object` and each element, like ``bind(onNext:file:line:)``. The subscription does not retain
    /// the object.
    ///
    /// ```swift
    /// Observable.of(1, 2).bind(with: screen, onNext: { print($0.title, $1) })    // prints home 1 home 2
    /// ```
    @inlinable @preconcurrency
    public func bind<Object: AnyObject & Sendable>(
        with object: Object, onNext: @escaping @Sendable (Object, Element) -> Void, file: StaticString = #fileID,
        line: UInt = #line
    ) -> any Disposable { asObservable().subscribe(with: object, onNext: onNext, file: file, line: line) }
}
