/// A stream that cannot fail: subscribing takes no `onError`.
///
/// Unlike `Driver` and `Signal` it is not shared, and its elements arrive on the thread on which the source emits them.
///
/// ```swift
/// let name: Infallible<String> = request.asInfallible(onErrorJustReturn: "unknown")
/// ```
@preconcurrency
public struct Infallible<Element: Sendable>: InfallibleType {
    @usableFromInline let source: Observable<Element>

    /// Creates an infallible from a stream that does not fail.
    @inlinable
    init(_ source: Observable<Element>) {
        self.source = source
    }

    /// Returns the stream as an ``Observable``, which does not fail either.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

/// A type that can be converted to an ``Infallible``.
///
/// ```swift
/// func labels(_ numbers: some InfallibleType<Int>) -> Infallible<String> {
///     numbers.map { "no. \($0)" }
/// }
/// labels(Infallible.of(1, 2))    // no. 1 no. 2 |
/// ```
@preconcurrency
public protocol InfallibleType<Element>: ObservableConvertibleType {}

extension InfallibleType {
    /// Returns an ``Infallible`` that emits the elements of this value.
    @inlinable
    public func asInfallible() -> Infallible<Element> {
        Infallible(asObservable())
    }
}

/// The event of an ``Infallible``.
///
/// ```swift
/// Observable<InfallibleEvent<Int>>.of(.next(1), .completed).dematerialize()    // 1 |
/// ```
public enum InfallibleEvent<Element> {
    /// The next element.
    case next(Element)
    /// The stream completed.
    case completed
}

extension InfallibleEvent: Sendable where Element: Sendable {}

extension InfallibleEvent: EventConvertible {
    /// This event as an ``Event``.
    public var event: Event<Element> {
        switch self {
        case .next(let element): .next(element)
        case .completed: .completed
        }
    }
}

extension ObservableConvertibleType {
    /// Replaces an error by `element` and completion.
    ///
    /// ```swift
    /// Observable<Int>.error(RxError.timeout).asInfallible(onErrorJustReturn: 0)    // 0 |
    /// ```
    @inlinable
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(asObservable().catchAndReturn(element))
    }

    /// Replaces an error by the elements of `infallible`.
    ///
    /// ```swift
    /// Observable<Int>.error(RxError.timeout).asInfallible(onErrorFallbackTo: Infallible.of(1, 2))    // 1 2 |
    /// ```
    @inlinable
    public func asInfallible(onErrorFallbackTo infallible: Infallible<Element>) -> Infallible<Element> {
        Infallible(asObservable().catch { _ in infallible.source })
    }

    /// Replaces an error by the elements of the stream that `onErrorRecover` returns for it.
    ///
    /// ```swift
    /// Observable<Int>.error(RxError.timeout).asInfallible(onErrorRecover: { _ in Infallible.just(0) })    // 0 |
    /// ```
    @inlinable
    @preconcurrency
    public func asInfallible(
        onErrorRecover: @escaping @Sendable (any Error) -> Infallible<Element>
    ) -> Infallible<Element> {
        Infallible(asObservable().catch { onErrorRecover($0).source })
    }
}

extension PublishRelay {
    /// Returns the accepted elements as an ``Infallible``.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}

extension BehaviorRelay {
    /// Returns the values as an ``Infallible``, because a relay does not fail.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}

extension ReplayRelay {
    /// Returns the accepted elements as an ``Infallible``.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}

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

extension InfallibleType {
    /// The observer function of ``create(subscribe:)``, which receives the events of the stream.
    public typealias InfallibleObserver = @Sendable (InfallibleEvent<Element>) -> Void

    /// Creates a stream that calls `subscribe` for each subscription and emits the events that it sends to its
    /// observer.
    ///
    /// ```swift
    /// Infallible<Int>.create { observer in
    ///     observer(.next(1))
    ///     observer(.completed)
    ///     return Disposables.create()
    /// }                                  // 1 |
    /// ```
    @inlinable
    @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping InfallibleObserver) -> any Disposable
    ) -> Infallible<Element> {
        Infallible(.create { observer in subscribe { observer.on($0.event) } })
    }

    /// Creates a stream that emits one element on subscription.
    ///
    /// ```swift
    /// Infallible.just(1)    // 1 |
    /// ```
    @inlinable
    public static func just(_ element: Element) -> Infallible<Element> {
        Infallible(.just(element))
    }

    /// Creates a stream that emits one element on `scheduler`.
    ///
    /// ```swift
    /// Infallible.just(1, scheduler: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(.just(element, scheduler: scheduler))
    }

    /// Creates a stream of the given elements.
    ///
    /// ```swift
    /// Infallible.of(1, 2, 3)    // 1 2 3 |
    /// ```
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(elements, scheduler: scheduler))
    }

    /// Creates a stream of the elements of an array.
    ///
    /// ```swift
    /// Infallible.from([1, 2])    // 1 2 |
    /// ```
    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.from(array, scheduler: scheduler))
    }

    /// Creates a stream of the elements of a sequence.
    ///
    /// ```swift
    /// Infallible.from(1...3)    // 1 2 3 |
    /// ```
    @inlinable
    @preconcurrency
    public static func from<Sequence: Swift.Sequence & Sendable>(
        _ sequence: Sequence, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> where Sequence.Element == Element {
        Infallible(.from(sequence, scheduler: scheduler))
    }

    /// Creates a stream that emits the element if it is not `nil`, and completes.
    ///
    /// ```swift
    /// Infallible.from(optional: Int("x"))    // |
    /// ```
    @inlinable
    public static func from(optional: Element?) -> Infallible<Element> {
        Infallible(.from(optional: optional))
    }

    /// Creates a stream that emits the element on `scheduler` if it is not `nil`, and completes.
    ///
    /// ```swift
    /// Infallible.from(optional: 1, scheduler: scheduler)    // 1 at 0 s, | at 0 s
    /// ```
    @inlinable
    public static func from(
        optional: Element?, scheduler: any ImmediateSchedulerType
    ) -> Infallible<Element> {
        Infallible(.from(optional: optional, scheduler: scheduler))
    }

    /// Creates a stream that completes on subscription.
    ///
    /// ```swift
    /// Infallible<Int>.empty()    // |
    /// ```
    @inlinable
    public static func empty() -> Infallible<Element> {
        Infallible(.empty())
    }

    /// Creates a stream that never emits an event.
    @inlinable
    public static func never() -> Infallible<Element> {
        Infallible(.never())
    }

    /// Creates a stream that calls `observableFactory` for each subscription and emits the events of the returned
    /// stream.
    ///
    /// ```swift
    /// Infallible.deferred { Infallible.just(1) }    // 1 |
    /// ```
    @inlinable
    @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> Infallible<Element>
    ) -> Infallible<Element> {
        Infallible(.deferred { observableFactory().source })
    }
}

extension InfallibleType where Element: FixedWidthInteger {
    /// Creates a stream of `count` successive integers, starting at `start`.
    ///
    /// ```swift
    /// Infallible.range(start: 5, count: 3)    // 5 6 7 |
    /// ```
    @inlinable
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> {
        Infallible(.range(start: start, count: count, scheduler: scheduler))
    }
}
