/// A ``ReplaySubject`` that never terminates: it accepts elements only. Order and threads are those of the subject.
///
/// ```swift
/// let relay = ReplayRelay<Int>.create(bufferSize: 2)
/// for number in 1...3 { relay.accept(number) }
/// let subscription = relay.subscribe(onNext: { print($0) })    // prints 2 3
/// ```
@preconcurrency
public final class ReplayRelay<Element: Sendable>: ObservableType {
    @usableFromInline let subject: ReplaySubject<Element>

    private init(subject: ReplaySubject<Element>) {
        self.subject = subject
    }

    /// Creates a relay that replays the last `bufferSize` elements.
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        ReplayRelay(subject: .create(bufferSize: bufferSize))
    }

    /// Creates a relay that replays all its elements. It stores all of them, so its memory grows without limit.
    public static func createUnbound() -> ReplayRelay<Element> {
        ReplayRelay(subject: .createUnbounded())
    }

    /// Sends an element to the current observers, and stores it for later ones.
    @inlinable
    public func accept(_ event: Element) {
        subject.onNext(event)
    }

    /// Subscribes `observer` to the stored elements and every later one.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        subject.subscribe(observer)
    }

    /// Returns the accepted elements as an ``Observable``.
    public func asObservable() -> Observable<Element> { subject }

    /// Whether an observer is subscribed. Can be read on any thread; others may change it at any time.
    public var hasObservers: Bool { subject.hasObservers }
}
