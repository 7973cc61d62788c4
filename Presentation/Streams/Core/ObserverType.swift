/// Something that listens to a stream.
@preconcurrency
public protocol ObserverType<Element>: Sendable {
    /// The type of the elements.
    associatedtype Element: Sendable

    /// Hears the next event. Never called concurrently by one stream.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    /// Hears an element.
    @inlinable
    public func onNext(_ element: Element) {
        on(.next(element))
    }

    /// Hears that the stream is complete.
    @inlinable
    public func onCompleted() {
        on(.completed)
    }

    /// Hears that the stream failed.
    @inlinable
    public func onError(_ error: any Error) {
        on(.error(error))
    }

    /// Hears the end: the error, or `nil` for completion.
    @inlinable
    func onEnd(_ error: (any Error)?) {
        if let error { on(.error(error)) } else { on(.completed) }
    }
}
