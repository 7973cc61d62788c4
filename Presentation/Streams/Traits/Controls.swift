/// A value of a control that the user can change: a stream of its values, and an observer that sets it.
///
/// ```swift
/// func clear(_ text: some ControlPropertyType<String>) {
///     text.onNext("")
/// }
/// clear(field.rx.text.orEmpty)    // empties the field; its stream does not emit that
/// ```
@preconcurrency
public protocol ControlPropertyType<Element>: ObservableType, ObserverType {
    func asControlProperty() -> ControlProperty<Element>
}

/// A value of a control that the user can change, such as the text of a field.
///
/// As a stream it does not fail, starts with the current value, emits changes by the user and not values that the
/// program sets, completes when the control is deallocated, and is subscribed on the main thread.
///
/// ```swift
/// field.rx.text.orEmpty.subscribe(onNext: search)    // searches now and after each edit by the user
/// field.rx.text.onNext("Lisbon")                     // sets the text, without a search
/// ```
@preconcurrency
public struct ControlProperty<PropertyType: Sendable>: ControlPropertyType {
    public typealias Element = PropertyType

    private let values: Observable<PropertyType>
    private let valueSink: AnyObserver<PropertyType>

    /// Creates a property that emits the elements of `values` and sets values through `valueSink`.
    public init<Values: ObservableType, Sink: ObserverType>(values: Values, valueSink: Sink)
    where Element == Values.Element, Element == Sink.Element {
        self.values = values.subscribe(on: ConcurrentMainScheduler.instance)
        self.valueSink = valueSink.asObserver()
    }

    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element { values.subscribe(observer) }

    /// The changes by the user, without the initial value.
    public var changed: ControlEvent<PropertyType> { ControlEvent(events: values.skip(1)) }

    public func asObservable() -> Observable<Element> { values }

    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }

    public func asControlProperty() -> ControlProperty<Element> { self }

    /// Sets the value, or forwards completion to the control. An error is a programming error and is passed to
    /// ``Hooks/defaultErrorHandler``.
    public func on(_ event: Event<Element>) {
        switch event {
        case .next: valueSink.on(event)
        case .error(let error): Hooks.handle(error, [])
        case .completed: valueSink.on(.completed)
        }
    }
}

extension ControlPropertyType where Element == String? {
    /// A property that emits `""` instead of `nil`.
    public var orEmpty: ControlProperty<String> {
        let original = asControlProperty()
        return ControlProperty(
            values: original.asObservable().map { $0 ?? "" },
            valueSink: original.mapObserver { (text: String) in text })
    }
}

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
    public typealias Element = PropertyType

    private let events: Observable<PropertyType>

    /// Creates a control event from a stream that satisfies its contract.
    public init<Ev: ObservableType>(events: Ev) where Ev.Element == Element {
        self.events = events.subscribe(on: ConcurrentMainScheduler.instance)
    }

    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == PropertyType { events.subscribe(observer) }

    public func asObservable() -> Observable<Element> { events }

    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }

    public func asControlEvent() -> ControlEvent<Element> { self }
}
