/// Broadcasts each event to its current observers.
///
/// - Order: all observers receive all events in the same order. An event that is sent during a delivery, re-entrantly
///   or from another thread, is enqueued and delivered after it; the send returns.
/// - Threads: threads that send deliver events; a thread that only subscribes or disposes never does. If several
///   threads send, the one that finds no delivery in progress delivers for all of them: put
///   ``ObservableType/observe(on:)`` before an observer that requires a certain thread. After 1,024 events that others
///   sent, or 10 ms, and on the main queue after 8 events, the next thread that sends takes its place.
/// - Slow observers: a send that finds more than 1,024 enqueued events waits until a thread takes them, for at most 0.1
///   seconds, and for 30 ms if the delivering thread makes no progress, for example because it waits for a lock that the
///   sender holds. So threads that send faster than the observers receive are slowed down. The main thread and the
///   threads of tasks never wait, nor does a send inside a delivery of the same subject: the events that they enqueue
///   are not limited. ``LiveSubscriptions`` shows the number of pending events, and debug builds report through
///   ``Hooks/warningHandler`` when it reaches 10,000. To drop events instead, put
///   `throttle(_:latest:scheduler:)`, ``ObservableType/sample(_:defaultValue:)`` or
///   ``ObservableConvertibleType/values(buffering:)`` before the slow observer.
/// - Loops: subjects and relays that are bound to each other send an element back and forth forever. Put
///   `distinctUntilChanged()` into the loop; debug builds report 10,000 such elements through ``Hooks/warningHandler``.
/// - Observers that subscribe after termination receive only the terminal event.
/// - Releasing the subject is not an event. What it has sent still arrives, even if it waits for a scheduler, a due
///   time or an inner stream.
///
/// ```swift
/// let subject = PublishSubject<Int>()
/// subject.onNext(1)
/// let subscription = subject.subscribe(onNext: { print($0) })
/// subject.onNext(2)    // prints 2
/// ```
@preconcurrency
public final class PublishSubject<Element: Sendable>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    public typealias SubjectObserverType = PublishSubject<Element>

    @usableFromInline let multicast: Multicast

    /// Creates a subject without observers. Elements that are sent before one subscribes are dropped.
    @inlinable
    public init() {
        let multicast = Multicast(of: PublishSubject.self)
        self.multicast = multicast
        super.init(subject: { multicast.add(Node($0, of: multicast)) })
    }

    deinit {
        multicast.close()
    }

    public var hasObservers: Bool { multicast.hasObservers }

    /// Whether ``dispose()`` was called: from then on the subject ignores events, and subscribing fails.
    public var isDisposed: Bool { multicast.isDisposed }

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
        multicast.send(element)
    }

    public func asObserver() -> PublishSubject<Element> { self }

    /// Disposes all observers without an event. From now on the subject ignores events, and subscribing fails with
    /// ``RxError/disposed(object:)``.
    public func dispose() { multicast.dispose() }
}

/// A type that is both an observable and an observer.
///
/// ```swift
/// let subject = PublishSubject<Int>()
/// _ = subject.subscribe(onNext: { print($0) })
/// _ = Observable.of(1, 2).subscribe(subject.asObserver())    // prints 1 2
/// ```
@preconcurrency
public protocol SubjectType: ObservableType {
    associatedtype Observer: ObserverType

    /// Returns an observer that sends its events to this subject.
    func asObserver() -> Observer
}
