/// An observer of any kind, by the type of its elements alone.
///
/// `@unchecked Sendable`: `next` is either a user's `@Sendable` function or that of a sink, which is told serially.
@preconcurrency
public struct AnyObserver<Element: Sendable>: ObserverType, @unchecked Sendable {
    /// The type of the function that hears events.
    public typealias EventHandler = @Sendable (Event<Element>) -> Void

    // An observer is either the bottom of a subscription, which stops hearing at its end, or code of a user, which
    // hears what it is told. Both send elements through `next` while `chain` is live; that of user code always is.
    // Fields and not an enum with payloads, which would be copied, and with it retained, for each element.
    @usableFromInline let next: (Element) -> Void
    @usableFromInline let chain: Chain
    @usableFromInline let handler: EventHandler?

    /// Hears events by calling `eventHandler`.
    @preconcurrency
    public init(eventHandler: @escaping EventHandler) {
        next = { eventHandler(.next($0)) }
        chain = .endless
        handler = eventHandler
    }

    /// Hears events in place of `observer`.
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        if let observer = observer as? AnyObserver<Element> {
            self = observer
        } else {
            self.init(eventHandler: { observer.on($0) })
        }
    }

    @inlinable
    init(_ sink: Sink<Element>) {
        next = sink.next
        chain = sink.chain
        handler = nil
    }

    /// Hears an event.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): end(event, error)
        case .completed: end(event, nil)
        }
    }

    /// Hears an element.
    @inlinable
    public func onNext(_ element: Element) {
        if chain.isLive { next(element) }
    }

    @usableFromInline
    func end(_ event: Event<Element>, _ error: (any Error)?) {
        if let handler { handler(event) } else { chain.finish(error) }
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
