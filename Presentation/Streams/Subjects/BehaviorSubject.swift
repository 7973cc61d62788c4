/// Broadcasts each event to its current observers; a new observer first receives the current element.
///
/// Order and threads are those of ``PublishSubject``. When `subscribe` returns, the observer has received the element
/// that was sent last, even while another thread is delivering; it then receives each later element once. The
/// subscribing thread delivers that first element and the elements that others send while the observer processes it.
/// Observers receive an element in the order of their subscriptions. This holds for an observer that another one
/// subscribes while it processes its first element, too: both receive what is sent meanwhile when that one has finished.
/// ``value()`` returns the element that was sent last, even while an earlier one is being delivered.
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

    public typealias SubjectObserverType = BehaviorSubject<Element>

    @usableFromInline let multicast: BehaviorMulticast<Element>

    /// Creates a subject whose current element is `value`.
    @inlinable
    public init(value: Element) {
        let multicast = BehaviorMulticast(value, of: BehaviorSubject.self)
        self.multicast = multicast
        super.init(subject: { multicast.addReplaying(Node($0, of: multicast)) })
    }

    deinit {
        multicast.close()
    }

    public var hasObservers: Bool { multicast.hasObservers }

    public var isDisposed: Bool { multicast.isDisposed }

    /// Returns the element that was sent last.
    ///
    /// ```swift
    /// let subject = BehaviorSubject(value: 1)
    /// subject.onNext(2)
    /// print(try subject.value())    // prints 2
    /// ```
    ///
    /// - Throws: The error that terminated the subject, or ``RxError/disposed(object:)``.
    public func value() throws -> Element {
        let (lifecycle, element) = multicast.guarded.withLock { ($0.lifecycle, multicast.element) }
        switch lifecycle {
        case .open, .ended(nil): return element
        case .ended(let error?): throw error
        case .disposed: throw RxError.disposed(object: self)
        }
    }

    @inlinable
    public func on(_ event: Event<Element>) {
        if case .next(let element) = event { return onNext(element) }
        #if DEBUG
        SubscriptionLog.countSend()
        #endif
        multicast.finish(event.error)
    }

    @inlinable
    public func onNext(_ element: Element) {
        #if DEBUG
        SubscriptionLog.countSend()
        #endif
        multicast.send(element, storingIn: multicast)
    }

    /// The element that was sent last, regardless of a terminal event after it.
    var lastElement: Element { multicast.guarded.withLock { _ in multicast.element } }

    public func asObserver() -> BehaviorSubject<Element> { self }

    public func dispose() { multicast.dispose() }
}
