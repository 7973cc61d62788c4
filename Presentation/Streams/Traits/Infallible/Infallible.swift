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
