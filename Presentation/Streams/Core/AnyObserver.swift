/// An observer of any kind, by the type of its elements alone.
///
/// The observer that ``ObservableType/create(_:)`` hands out may be called by several threads at once: the stream still
/// sends one event at a time. An event that finds another under way is queued, and the thread that sends the other
/// delivers it.
///
/// `@unchecked Sendable`: `next` is that of a `@Sendable` function, or called by the emitter, one element at a time.
@preconcurrency
public struct AnyObserver<Element: Sendable>: ObserverType, @unchecked Sendable {
    /// The type of the function that receives events.
    public typealias EventHandler = @Sendable (Event<Element>) -> Void

    // An observer is either that of a subscription, which `create` hands to user code, or a function of the user's. The
    // former sends through an emitter, unless what is below the subscription serialises what it receives.
    // Fields and not an enum with payloads, which would be copied, and with it retained, for each element.
    @usableFromInline let next: (Element) -> Void
    @usableFromInline let chain: Chain
    @usableFromInline let emitter: Emitter?
    /// The emitter, which the observer keeps alive while it is called: not retained once more for each element.
    @usableFromInline let unretainedEmitter: Unmanaged<Emitter>?
    @usableFromInline let handler: EventHandler?

    /// An observer that calls `eventHandler` with each event.
    @preconcurrency
    public init(eventHandler: @escaping EventHandler) {
        next = { eventHandler(.next($0)) }
        chain = .endless
        emitter = nil
        unretainedEmitter = nil
        handler = eventHandler
    }

    /// An observer that passes each event on to `observer`.
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        if let observer = observer as? AnyObserver<Element> {
            self = observer
        } else {
            self.init(eventHandler: { observer.on($0) })
        }
    }

    @inlinable
    init(_ emitter: Emitter?, _ sink: Sink<Element>) {
        next = sink.next
        chain = sink.chain
        self.emitter = emitter
        unretainedEmitter = emitter.map { .passUnretained($0) }
        handler = nil
    }

    /// Receives an event.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): end(event, error)
        case .completed: end(event, nil)
        }
    }

    /// Receives an element.
    @inlinable
    public func onNext(_ element: Element) {
        if let unretainedEmitter {
            unretainedEmitter._withUnsafeGuaranteedRef { $0.send(element, next) }
        } else if chain.isLive {
            next(element)
        }
    }

    @usableFromInline
    func end(_ event: Event<Element>, _ error: (any Error)?) {
        if let emitter {
            emitter.finish(error)
        } else if let handler {
            handler(event)
        } else {
            chain.finish(error)
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
