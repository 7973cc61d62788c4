/// A ``BehaviorSubject`` that never terminates: it always has a value, and accepts new ones.
///
/// Order and threads are those of ``BehaviorSubject``.
///
/// ```swift
/// let count = BehaviorRelay(value: 0)
/// count.accept(count.value + 1)
/// print(count.value)               // prints 1
/// ```
@preconcurrency
public final class BehaviorRelay<Element: Sendable>: ObservableType {
    @usableFromInline let subject: BehaviorSubject<Element>

    /// Creates a relay with the initial value `value`.
    public init(value: Element) {
        subject = BehaviorSubject(value: value)
    }

    /// The value that was accepted last, even while an earlier one is being delivered. Can be read on any thread.
    public var value: Element { subject.lastElement }

    /// Sets the value to `event` and sends it to the current observers.
    ///
    /// ```swift
    /// let count = BehaviorRelay(value: 0)
    /// count.accept(1)
    /// print(count.value)    // prints 1
    /// ```
    @inlinable
    public func accept(_ event: Element) {
        subject.onNext(event)
    }

    /// Subscribes `observer` to the current value and every later one.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        subject.subscribe(observer)
    }

    /// Returns the values as an ``Observable`` that begins with the current one and never terminates.
    public func asObservable() -> Observable<Element> { subject }

    /// Whether an observer is subscribed. Can be read on any thread; others may change it at any time.
    public var hasObservers: Bool { subject.hasObservers }
}
