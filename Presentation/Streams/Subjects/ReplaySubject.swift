/// Broadcasts each event to its current observers; a new observer first receives the stored elements.
///
/// Order and threads are those of ``PublishSubject``; replay follows the rules of ``BehaviorSubject``. An observer that
/// subscribes after termination receives the stored elements too, and then the terminal event.
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
            multicast.add(Node(sink, of: multicast), replaying: buffer)
        })
    }

    deinit {
        multicast.close()
    }

    /// Creates a subject that replays the last `bufferSize` elements.
    ///
    /// - Parameter bufferSize: The number of elements to store; not negative.
    @inlinable
    public static func create(bufferSize: Int) -> ReplaySubject<Element> {
        precondition(bufferSize >= 0, "bufferSize must not be negative: \(bufferSize)")
        return ReplaySubject(capacity: bufferSize)
    }

    /// Creates a subject that replays all its elements. It stores all of them, so its memory grows without limit.
    @inlinable
    public static func createUnbounded() -> ReplaySubject<Element> { ReplaySubject(capacity: .max) }

    public var hasObservers: Bool { multicast.hasObservers }

    public var isDisposed: Bool { multicast.isDisposed }

    @inlinable
    public func on(_ event: Event<Element>) {
        if case .next(let element) = event { return onNext(element) }
        #if DEBUG
        SubscriptionLog.countSend()
        #endif
        multicast.finish(event.error)
    }

    /// Sends an element to the current observers, and stores it for later ones.
    @inlinable
    public func onNext(_ element: Element) {
        #if DEBUG
        SubscriptionLog.countSend()
        #endif
        multicast.send(element, storingIn: buffer)
    }

    public func asObserver() -> ReplaySubject<Element> { self }

    public func dispose() {
        multicast.dispose()
        let elements = multicast.guarded.withLock { _ in buffer.removeAll() }
        withExtendedLifetime(elements) {}  // released after the lock
    }
}
