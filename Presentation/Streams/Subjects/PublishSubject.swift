/// Sends what it is told to those who listen at that time.
///
/// - Order: every observer hears every event in one and the same order. An event sent while another is being
///   delivered, from inside that delivery or from another thread, is delivered after it, by the thread that is
///   delivering; the send returns at once.
/// - Who subscribes after the end hears only the end.
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
