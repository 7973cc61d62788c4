/// A type that receives the events of a stream.
///
/// ```swift
/// let log = AnyObserver<Int> { print($0) }
/// Observable.of(1, 2).subscribe(log)    // prints next(1) next(2) completed
/// ```
@preconcurrency
public protocol ObserverType<Element>: Sendable {
    /// The type of the elements.
    associatedtype Element: Sendable

    /// Receives an event. A stream never calls this concurrently.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    /// Receives an element: the short form of `on(.next(element))`.
    @inlinable
    public func onNext(_ element: Element) {
        on(.next(element))
    }

    /// Receives completion: the short form of `on(.completed)`.
    @inlinable
    public func onCompleted() {
        on(.completed)
    }

    /// Receives an error: the short form of `on(.error(error))`.
    @inlinable
    public func onError(_ error: any Error) {
        on(.error(error))
    }

    /// Receives the terminal event: the error, or `nil` for completion.
    @inlinable
    func onEnd(_ error: (any Error)?) {
        if let error { on(.error(error)) } else { on(.completed) }
    }
}
