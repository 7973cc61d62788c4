/// Broadcasts each event to its current observers; a new observer receives the last elements at once.
///
/// Order and threads are those of ``PublishSubject``; new observers are served as by ``BehaviorSubject``. An observer that
/// subscribes after the end receives the last elements too, and then the end.
///
/// ```swift
/// let subject = ReplaySubject<Int>.create(bufferSize: 2)
/// for number in 1...3 { subject.onNext(number) }
/// let subscription = subject.subscribe(onNext: { print($0) })    // prints 2 3
/// ```
@preconcurrency
public final class ReplaySubject<Element: Sendable>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// The type of the observer side.
    public typealias SubjectObserverType = ReplaySubject<Element>

    @usableFromInline let multicast: Multicast
    @usableFromInline let buffer: ReplayBuffer<Element>

    @inlinable
    init(capacity: Int) {
        let multicast = Multicast(of: ReplaySubject.self)
        let buffer = ReplayBuffer<Element>(capacity: capacity)
        self.multicast = multicast
        self.buffer = buffer
        super.init(subject: { sink in
            multicast.add(Node(sink, in: multicast), replaying: buffer)
        })
    }

    deinit {
        multicast.close()
    }

    /// A subject that replays the last `bufferSize` elements.
    ///
    /// - Parameter bufferSize: The number of elements to keep; not negative.
    @inlinable
    public static func create(bufferSize: Int) -> ReplaySubject<Element> {
        precondition(bufferSize >= 0, "a replay subject cannot keep \(bufferSize) elements")
        return ReplaySubject(capacity: bufferSize)
    }

    /// A subject that replays all its elements. It keeps every one of them: mind the memory.
    @inlinable
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(capacity: .max)
    }

    /// Whether anyone listens.
    public var hasObservers: Bool { multicast.hasObservers }

    /// Whether it was disposed.
    public var isDisposed: Bool { multicast.isDisposed }

    /// Sends an event to everyone who listens.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): multicast.finish(error)
        case .completed: multicast.finish(nil)
        }
    }

    /// Sends an element to everyone who listens, and keeps it for those who come later.
    @inlinable
    public func onNext(_ element: Element) {
        multicast.send(element, storingIn: buffer)
    }

    /// The observer side alone.
    public func asObserver() -> ReplaySubject<Element> { self }

    /// Lets all observers and elements go without a word. From now on what is sent is ignored, and subscribing is an
    /// error.
    public func dispose() {
        multicast.dispose()
        let elements = multicast.guarded.withLock { _ in buffer.removeAll() }
        withExtendedLifetime(elements) {}  // released after the lock
    }
}
