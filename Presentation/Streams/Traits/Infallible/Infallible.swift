/// A stream that cannot fail: subscribing takes no `onError`.
///
/// Unlike `Driver` and `Signal` it is not shared, and its elements arrive on the thread on which the source emits them.
///
/// Its operators are those of ``Observable`` that keep this contract, and work as there. An error that the function of
/// an operator throws, such as the result selector of `zip`, terminates the stream and is passed to
/// ``Hooks/defaultErrorHandler``.
///
/// ```swift
/// let name: Infallible<String> = request.asInfallible(onErrorJustReturn: "unknown")
/// ```
@preconcurrency
public struct Infallible<Element: Sendable>: InfallibleType {
    @usableFromInline let source: Observable<Element>

    /// Creates an infallible from a stream that does not fail.
    @inlinable
    init(_ source: Observable<Element>) { self.source = source }

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
public protocol InfallibleType<Element>: BindableType {}

extension InfallibleType {
    @inlinable
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}

/// The event of an ``Infallible``.
///
/// ```swift
/// Observable<InfallibleEvent<Int>>.of(.next(1), .completed).dematerialize()    // 1 |
/// ```
public enum InfallibleEvent<Element> {
    case next(Element)
    case completed
}

extension InfallibleEvent: Sendable where Element: Sendable {}

extension InfallibleEvent: EventConvertible {
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

    @inlinable @preconcurrency
    public func asInfallible(
        onErrorRecover: @escaping @Sendable (any Error) -> Infallible<Element>
    ) -> Infallible<Element> { Infallible(asObservable().catch { onErrorRecover($0).source }) }
}

extension InfallibleType {
    /// Calls the functions for the events, like
    /// ``ObservableType/subscribe(onNext:onError:onCompleted:onDisposed:file:line:)``.
    @inlinable @preconcurrency
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil, onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        asObservable().subscribe(
            onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed, file: file, line: line)
    }

    /// Calls the functions with `object`, which is not retained, as first argument.
    @inlinable @preconcurrency
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object, onNext: (@Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil, onDisposed: (@Sendable (Object) -> Void)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> any Disposable {
        asObservable().subscribe(
            with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed, file: file, line: line)
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
    @inlinable @preconcurrency
    public static func create(
        subscribe: @escaping @Sendable (@escaping InfallibleObserver) -> any Disposable
    ) -> Infallible<Element> { Infallible(.create { observer in subscribe { observer.on($0.event) } }) }

    @inlinable
    public static func just(_ element: Element) -> Infallible<Element> { Infallible(.just(element)) }

    @inlinable
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(.just(element, scheduler: scheduler))
    }

    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> { Infallible(.from(elements, scheduler: scheduler)) }

    @inlinable
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> { Infallible(.from(array, scheduler: scheduler)) }

    @inlinable @preconcurrency
    public static func from<Sequence: Swift.Sequence & Sendable>(
        _ sequence: Sequence, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> where Sequence.Element == Element { Infallible(.from(sequence, scheduler: scheduler)) }

    @inlinable
    public static func from(optional: Element?) -> Infallible<Element> { Infallible(.from(optional: optional)) }

    @inlinable
    public static func from(optional: Element?, scheduler: any ImmediateSchedulerType) -> Infallible<Element> {
        Infallible(.from(optional: optional, scheduler: scheduler))
    }

    @inlinable
    public static func empty() -> Infallible<Element> { Infallible(.empty()) }

    @inlinable
    public static func never() -> Infallible<Element> { Infallible(.never()) }

    @inlinable @preconcurrency
    public static func deferred(
        _ observableFactory: @escaping @Sendable () -> Infallible<Element>
    ) -> Infallible<Element> { Infallible(.deferred { observableFactory().source }) }
}

extension InfallibleType where Element: FixedWidthInteger {
    @inlinable
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Infallible<Element> { Infallible(.range(start: start, count: count, scheduler: scheduler)) }
}
