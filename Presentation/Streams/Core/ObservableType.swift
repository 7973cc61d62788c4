/// Something that can be looked at as a stream.
@preconcurrency
public protocol ObservableConvertibleType<Element>: Sendable {
    /// The type of the elements.
    associatedtype Element: Sendable

    /// It, as a stream.
    func asObservable() -> Observable<Element>
}

/// A stream: something that can be subscribed to.
///
/// Every operator is an extension of this protocol, so it works on ``Observable``, on subjects and on your own
/// conforming types alike.
@preconcurrency
public protocol ObservableType<Element>: ObservableConvertibleType {
    /// Lets `observer` hear the stream until it ends or the result is disposed.
    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Element
}

extension ObservableType {
    /// This stream as an ``Observable``.
    public func asObservable() -> Observable<Element> {
        Observable.create { observer in subscribe(observer) }
    }
}
