/// A type that can be converted to an ``Observable``.
@preconcurrency
public protocol ObservableConvertibleType<Element>: Sendable {
    /// The type of the elements.
    associatedtype Element: Sendable

    /// Returns this value as an ``Observable``.
    func asObservable() -> Observable<Element>
}

/// A stream that observers can subscribe to.
///
/// Every operator is an extension of this protocol, so it is available on ``Observable``, on subjects and on custom
/// conforming types.
@preconcurrency
public protocol ObservableType<Element>: ObservableConvertibleType {
    /// Subscribes `observer` to the events of this stream until it terminates or the returned disposable is disposed.
    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Element
}

extension ObservableType {
    /// Returns this stream as an ``Observable``.
    public func asObservable() -> Observable<Element> {
        Observable.create { observer in subscribe(observer) }
    }
}
