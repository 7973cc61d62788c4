/// A ``BehaviorSubject`` that never ends: it always has a value, and accepts new ones.
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

    /// A relay whose value is `value`.
    public init(value: Element) {
        subject = BehaviorSubject(value: value)
    }

    /// The value accepted last.
    public var value: Element { subject.lastElement }

    /// Makes `event` the value and sends it to everyone who listens.
    @inlinable
    public func accept(_ event: Element) {
        subject.onNext(event)
    }

    /// Lets `observer` hear the value, and every later one.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        subject.subscribe(observer)
    }

    /// The values, as a stream.
    public func asObservable() -> Observable<Element> { subject }

    /// Whether anyone listens.
    public var hasObservers: Bool { subject.hasObservers }
}
