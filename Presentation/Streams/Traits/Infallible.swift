/// A stream that cannot fail: subscribing takes no `onError`.
///
/// Unlike `Driver` and `Signal` it is not shared, and comes on whichever thread its source sends.
///
/// ```swift
/// let name: Infallible<String> = request.asInfallible(onErrorJustReturn: "unknown")
/// ```
@preconcurrency
public struct Infallible<Element: Sendable>: InfallibleType {
    @usableFromInline let source: Observable<Element>

    /// A stream of which it is known that it does not fail.
    @inlinable
    init(_ source: Observable<Element>) {
        self.source = source
    }

    /// It, as a stream without the promise.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

/// Something that can be looked at as a stream that cannot fail.
@preconcurrency
public protocol InfallibleType<Element>: ObservableConvertibleType {}

extension InfallibleType {
    /// It, as an ``Infallible``.
    @inlinable
    public func asInfallible() -> Infallible<Element> {
        Infallible(asObservable())
    }
}

/// What an ``Infallible`` says.
public enum InfallibleEvent<Element> {
    /// The next element.
    case next(Element)
    /// The stream ended.
    case completed
}

extension InfallibleEvent: Sendable where Element: Sendable {}

extension InfallibleEvent: EventConvertible {
    /// It, as the event of a stream that could fail.
    public var event: Event<Element> {
        switch self {
        case .next(let element): .next(element)
        case .completed: .completed
        }
    }
}

extension ObservableConvertibleType {
    /// The stream; should it fail, `element` and completion in place of the error.
    @inlinable
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(asObservable().catchAndReturn(element))
    }

    /// The stream; should it fail, `infallible` in its place.
    @inlinable
    public func asInfallible(onErrorFallbackTo infallible: Infallible<Element>) -> Infallible<Element> {
        Infallible(asObservable().catch { _ in infallible.source })
    }

    /// The stream; should it fail, what `onErrorRecover` makes of the error in its place.
    @inlinable
    @preconcurrency
    public func asInfallible(
        onErrorRecover: @escaping @Sendable (any Error) -> Infallible<Element>
    ) -> Infallible<Element> {
        Infallible(asObservable().catch { onErrorRecover($0).source })
    }
}

extension PublishRelay {
    /// What the relay accepts: a stream that cannot fail.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}

extension BehaviorRelay {
    /// The values: a stream that cannot fail.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}

extension ReplayRelay {
    /// What the relay accepts: a stream that cannot fail.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }
}
