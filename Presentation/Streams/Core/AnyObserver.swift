/// An observer of any kind, by the type of its elements alone.
@preconcurrency
public struct AnyObserver<Element: Sendable>: ObserverType {
    /// The type of the function that hears events.
    public typealias EventHandler = @Sendable (Event<Element>) -> Void

    @usableFromInline
    enum Target: Sendable {
        /// The bottom of a subscription: it stops hearing at its end.
        case sink(Sink<Element>)
        /// Code of a user: it hears what it is told.
        case handler(EventHandler)
    }

    @usableFromInline let target: Target

    /// Hears events by calling `eventHandler`.
    @preconcurrency
    public init(eventHandler: @escaping EventHandler) {
        target = .handler(eventHandler)
    }

    /// Hears events in place of `observer`.
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        if let observer = observer as? AnyObserver<Element> {
            self = observer
        } else {
            target = .handler { observer.on($0) }
        }
    }

    @inlinable
    init(_ sink: Sink<Element>) {
        target = .sink(sink)
    }

    /// Hears an event.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch target {
        case .handler(let handler): handler(event)
        case .sink(let sink):
            switch event {
            case .next(let element): sink.send(element)
            case .error(let error): sink.chain.fail(error)
            case .completed: sink.chain.complete()
            }
        }
    }

    /// Hears an element.
    @inlinable
    public func onNext(_ element: Element) {
        switch target {
        case .handler(let handler): handler(.next(element))
        case .sink(let sink): sink.send(element)
        }
    }

    /// The observer itself.
    public func asObserver() -> AnyObserver<Element> { self }
}

extension ObserverType {
    /// This observer, by the type of its elements alone.
    public func asObserver() -> AnyObserver<Element> { AnyObserver(self) }

    /// An observer of another type of element, each turned into one of this by `transform`; what `transform` throws
    /// is heard as an error.
    @preconcurrency
    public func mapObserver<Result: Sendable>(
        _ transform: @escaping @Sendable (Result) throws -> Element
    ) -> AnyObserver<Result> {
        AnyObserver { event in on(event.map(transform)) }
    }
}
