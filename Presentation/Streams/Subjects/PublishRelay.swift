/// A ``PublishSubject`` that never ends: it accepts elements only. Order and threads are those of the subject.
@preconcurrency
public final class PublishRelay<Element: Sendable>: ObservableType {
    @usableFromInline let subject = PublishSubject<Element>()

    /// A relay without observers.
    public init() {}

    /// Sends an element to everyone who listens.
    @inlinable
    public func accept(_ event: Element) {
        subject.onNext(event)
    }

    /// Lets `observer` hear what the relay accepts from now on.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        subject.subscribe(observer)
    }

    /// What the relay accepts, as a stream.
    public func asObservable() -> Observable<Element> { subject }

    /// Whether anyone listens.
    public var hasObservers: Bool { subject.hasObservers }
}
