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
    /// The type of the elements.
    associatedtype Element: Sendable

    /// Returns an ``Observable`` that emits the elements of this value and terminates as it does.
    func asObservable() -> Observable<Element>
}

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
public protocol ObservableType<Element>: ObservableConvertibleType {
    /// Subscribes `observer` to the events of this stream until it terminates or the returned disposable is disposed.
    func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Element
}

extension ObservableType {
    /// Returns this stream as an ``Observable``, which each observer subscribes to separately.
    public func asObservable() -> Observable<Element> {
        Observable.create { observer in subscribe(observer) }
    }
}
