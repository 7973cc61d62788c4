/// A stream of the events of a control, such as taps.
///
/// ```swift
/// func count(_ taps: some ControlEventType<Void>) -> Observable<Int> {
///     taps.asObservable().scan(0) { count, _ in count + 1 }
/// }
/// count(button.rx.tap)    // 1 after the first tap, 2 after the second
/// ```
@preconcurrency
public protocol ControlEventType<Element>: ObservableType {
    /// Returns this value as a ``ControlEvent``, which cannot fail.
    func asControlEvent() -> ControlEvent<Element>
}

/// The events of a control, such as taps.
///
/// It does not fail, emits nothing on subscription, completes when the control is deallocated, and is subscribed on the
/// main thread.
///
/// ```swift
/// extension Reactive where Base: Button {
///     var tap: ControlEvent<Void> { ControlEvent(events: base.taps) }
/// }
/// button.rx.tap.subscribe(onNext: { save() })    // saves on each tap
/// ```
@preconcurrency
public struct ControlEvent<PropertyType: Sendable>: ControlEventType {
    /// The type of the elements.
    public typealias Element = PropertyType

    private let events: Observable<PropertyType>

    /// Creates a control event from a stream that satisfies its contract.
    public init<Ev: ObservableType>(events: Ev) where Ev.Element == Element {
        self.events = events.subscribe(on: ConcurrentMainScheduler.instance)
    }

    /// Subscribes `observer` to the events, until it disposes of the result.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == PropertyType {
        events.subscribe(observer)
    }

    /// Returns the events as an ``Observable``, which does not fail.
    public func asObservable() -> Observable<Element> { events }

    /// Returns the events as an ``Infallible``, because a control does not fail.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }

    /// Returns this control event, which needs no conversion.
    public func asControlEvent() -> ControlEvent<Element> { self }
}
