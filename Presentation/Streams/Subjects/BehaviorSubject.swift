/// Broadcasts each event to its current observers; a new observer receives the last element at once.
///
/// Order and threads are those of ``PublishSubject``. An observer has the element that was sent last when `subscribe`
/// returns, even while another thread is delivering, and then receives each later element once. That first element, and
/// what others send while the observer processes it, is delivered by the thread that subscribes. ``value()`` is the
/// element that was sent last, even while an element before it is being delivered.
///
/// ```swift
/// let subject = BehaviorSubject(value: 1)
/// let subscription = subject.subscribe(onNext: { print($0) })    // prints 1
/// subject.onNext(2)                                              // prints 2
/// ```
@preconcurrency
public final class BehaviorSubject<Element: Sendable>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// The type of the observer side.
    public typealias SubjectObserverType = BehaviorSubject<Element>

    @usableFromInline let multicast: Multicast
    @usableFromInline let latest: CurrentElement<Element>

    /// A subject whose first element is `value`.
    @inlinable
    public init(value: Element) {
        let multicast = Multicast(of: BehaviorSubject.self)
        let latest = CurrentElement(value)
        self.multicast = multicast
        self.latest = latest
        super.init(subject: { sink in
            multicast.add(Node(sink, in: multicast), replaying: latest)
        })
    }

    deinit {
        multicast.close()
    }

    /// Whether anyone listens.
    public var hasObservers: Bool { multicast.hasObservers }

    /// Whether it was disposed.
    public var isDisposed: Bool { multicast.isDisposed }

    /// The element sent last.
    ///
    /// - Throws: The error it ended with, or ``RxError/disposed(object:)``.
    public func value() throws -> Element {
        let (lifecycle, element) = multicast.guarded.withLock { ($0.lifecycle, latest.element) }
        switch lifecycle {
        case .open, .ended(nil): return element
        case .ended(let error?): throw error
        case .disposed: throw RxError.disposed(object: self)
        }
    }

    /// Sends an event to everyone who listens.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): multicast.finish(error)
        case .completed: multicast.finish(nil)
        }
    }

    /// Sends an element to everyone who listens.
    @inlinable
    public func onNext(_ element: Element) {
        multicast.send(element, storingIn: latest)
    }

    /// The element sent last, whatever came after it.
    var lastElement: Element { multicast.guarded.withLock { _ in latest.element } }

    /// The observer side alone.
    public func asObserver() -> BehaviorSubject<Element> { self }

    /// Lets all observers go without a word. From now on what is sent is ignored, and subscribing is an error.
    public func dispose() {
        multicast.dispose()
    }
}
