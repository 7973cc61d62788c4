/// A value that a control shows and a user changes: a stream of its values, and an observer that sets it.
@preconcurrency
public protocol ControlPropertyType<Element>: ObservableType, ObserverType {
    /// It, as a ``ControlProperty``.
    func asControlProperty() -> ControlProperty<Element>
}

/// A value that a control shows and a user changes, such as the text of a field.
///
/// As a stream it does not fail, begins with the value at the time, sends what the user makes of it and not what the
/// program sets, completes when the control goes, and is subscribed on the main thread.
@preconcurrency
public struct ControlProperty<PropertyType: Sendable>: ControlPropertyType {
    /// The type of the values.
    public typealias Element = PropertyType

    private let values: Observable<PropertyType>
    private let valueSink: AnyObserver<PropertyType>

    /// A property whose values are sent by `values` and set through `valueSink`.
    public init<Values: ObservableType, Sink: ObserverType>(values: Values, valueSink: Sink)
    where Element == Values.Element, Element == Sink.Element {
        self.values = values.subscribe(on: ConcurrentMainScheduler.instance)
        self.valueSink = valueSink.asObserver()
    }

    /// Lets `observer` hear the values.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        values.subscribe(observer)
    }

    /// What the user makes of the value, without the one at the beginning.
    public var changed: ControlEvent<PropertyType> {
        ControlEvent(events: values.skip(1))
    }

    /// The values, as a stream.
    public func asObservable() -> Observable<Element> { values }

    /// The values: a stream that cannot fail.
    public func asInfallible() -> Infallible<Element> { Infallible(asObservable()) }

    /// The property itself.
    public func asControlProperty() -> ControlProperty<Element> { self }

    /// Sets the value. An error is a mistake in the program and goes to ``Hooks/defaultErrorHandler``.
    public func on(_ event: Event<Element>) {
        switch event {
        case .next: valueSink.on(event)
        case .error(let error): Hooks.handle(error, [])
        case .completed: valueSink.on(.completed)
        }
    }
}

extension ControlPropertyType where Element == String? {
    /// The property with `""` in place of `nil`.
    public var orEmpty: ControlProperty<String> {
        let original = asControlProperty()
        return ControlProperty(
            values: original.asObservable().map { $0 ?? "" },
            valueSink: original.mapObserver { (text: String) in text })
    }
}
