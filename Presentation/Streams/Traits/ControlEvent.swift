/// A stream of what a user does to a control, such as taps.
@preconcurrency
public protocol ControlEventType<Element>: ObservableType {
    /// It, as a ``ControlEvent``.
    func asControlEvent() -> ControlEvent<Element>
}

/// What a user does to a control, such as taps.
///
/// It does not fail, sends nothing on subscription, completes when the control goes, and is subscribed on the main
/// thread.
@preconcurrency
public struct ControlEvent<PropertyType: Sendable>: ControlEventType {
    /// The type of the elements.
    public typealias Element = PropertyType

    private let events: Observable<PropertyType>

    /// The events of a control, of which it is known that they keep the promise.
    public init<Ev: ObservableType>(events: Ev) where Ev.Element == Element {
        self.events = events.subscribe(on: ConcurrentMainScheduler.instance)
    }

    /// Lets `observer` hear the events.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == PropertyType {
        events.subscribe(observer)
    }

    /// The events, as a stream.
    public func asObservable() -> Observable<Element> { events }

    /// The events: a stream that cannot fail.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }

    /// The events themselves.
    public func asControlEvent() -> ControlEvent<Element> { self }
}
