/// A ``PublishSubject`` that never terminates: it accepts elements only. Order and threads are those of the subject.
///
/// ```swift
/// let taps = PublishRelay<Int>()
/// taps.accept(1)                                           // no observer: dropped
/// let subscription = taps.subscribe(onNext: { print($0) })
/// taps.accept(2)    // prints 2
/// ```
@preconcurrency
public final class PublishRelay<Element: Sendable>: ObservableType {
    @usableFromInline let subject = PublishSubject<Element>()

    /// Creates a relay without observers. Elements that it accepts before one subscribes are dropped.
    public init() {}

    /// Sends an element to the current observers.
    ///
    /// ```swift
    /// let taps = PublishRelay<Int>()
    /// taps.subscribe(onNext: { print($0) })
    /// taps.accept(1)    // prints 1
    /// ```
    @inlinable
    public func accept(_ event: Element) {
        subject.onNext(event)
    }

    /// Subscribes `observer` to the elements that the relay accepts from now on.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        subject.subscribe(observer)
    }

    /// Returns the accepted elements as an ``Observable``.
    public func asObservable() -> Observable<Element> { subject }

    /// Whether an observer is subscribed. Can be read on any thread; others may change it at any time.
    public var hasObservers: Bool { subject.hasObservers }
}
