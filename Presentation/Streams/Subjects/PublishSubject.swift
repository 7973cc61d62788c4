/// Broadcasts each event to its current observers.
///
/// - Order: all observers receive all events in one and the same order. An event that is sent while another is being
///   delivered, from inside that delivery or from another thread, is queued and delivered after it; the send returns at
///   once.
/// - Threads: events are delivered by threads that send, never by a thread that only subscribes or disposes. If one
///   thread sends, it delivers. If several do, the one that found no delivery under way delivers for all of them, for as
///   long as others send: put ``ObservableType/observe(on:)`` before an observer that needs a certain thread.
/// - Slow observers: nothing limits the queue, since limiting it would mean to wait for an observer. A thread that finds
///   a delivery under way never waits, so when several threads send faster than the observers receive, the queue grows,
///   and the thread that delivers may do so for long. ``LiveSubscriptions`` shows the number of events that wait, and
///   debug builds warn when it reaches 10,000, by ``Hooks/warningHandler``. To drop events instead, put
///   ``ObservableType/throttle(_:latest:scheduler:)``, ``ObservableType/sample(_:defaultValue:)`` or
///   ``ObservableConvertibleType/values(buffering:)`` before the slow observer.
/// - Observers that subscribe after the end receive only the end.
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

    /// The type of the observer side.
    public typealias SubjectObserverType = PublishSubject<Element>

    @usableFromInline let multicast: Multicast

    /// A subject without observers.
    @inlinable
    public init() {
        let multicast = Multicast(of: PublishSubject.self)
        self.multicast = multicast
        super.init(subject: { multicast.add(Node($0, in: multicast)) })
    }

    deinit {
        multicast.close()
    }

    /// Whether anyone listens.
    public var hasObservers: Bool { multicast.hasObservers }

    /// Whether it was disposed.
    public var isDisposed: Bool { multicast.isDisposed }

    /// Sends an event to everyone who listens.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): multicast.send(element)
        case .error(let error): multicast.finish(error)
        case .completed: multicast.finish(nil)
        }
    }

    /// Sends an element to everyone who listens.
    @inlinable
    public func onNext(_ element: Element) {
        multicast.send(element)
    }

    /// The observer side alone.
    public func asObserver() -> PublishSubject<Element> { self }

    /// Lets all observers go without a word. From now on what is sent is ignored, and subscribing is an error.
    public func dispose() {
        multicast.dispose()
    }
}
