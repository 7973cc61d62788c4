/// A ``ReplaySubject`` that never ends: it accepts elements only. Order and threads are those of the subject.
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

    /// A relay that replays the last `bufferSize` elements.
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        ReplayRelay(subject: .create(bufferSize: bufferSize))
    }

    /// A relay that replays all its elements. It keeps every one of them: mind the memory.
    public static func createUnbound() -> ReplayRelay<Element> {
        ReplayRelay(subject: .createUnbounded())
    }

    /// Sends an element to everyone who listens, and keeps it for those who come later.
    @inlinable
    public func accept(_ event: Element) {
        subject.onNext(event)
    }

    /// Lets `observer` hear the last elements, and every later one.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        subject.subscribe(observer)
    }

    /// What the relay accepts, as a stream.
    public func asObservable() -> Observable<Element> { subject }

    /// Whether anyone listens.
    public var hasObservers: Bool { subject.hasObservers }
}
