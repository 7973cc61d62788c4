/// A type-erased observer.
///
/// Several threads may call the observer that ``ObservableType/create(_:)`` passes to its closure: the stream still
/// emits one event at a time. An event that arrives during another delivery is enqueued, and the thread that is
/// delivering delivers it. Long queues are handled as by a ``PublishSubject``.
///
/// `@unchecked Sendable`: only `next` is not `Sendable`. It calls a `@Sendable` function; or the emitter calls it, one
/// element at a time; or it belongs to a sink that accepts concurrent calls and serialises them.
///
/// ```swift
/// let observer = AnyObserver<Int> { print($0) }
/// observer.onNext(1)         // prints next(1)
/// observer.onCompleted()     // prints completed
/// ```
@preconcurrency
public struct AnyObserver<Element: Sendable>: ObserverType, @unchecked Sendable {
    public typealias EventHandler = @Sendable (Event<Element>) -> Void

    // An observer either belongs to a subscription, and `create` passes it to user code, or wraps a function of the
    // user. The former sends through an emitter, unless the downstream of the subscription serialises its input. Stored
    // properties rather than an enum with payloads, which would be copied, and its payload retained, for each element.
    @usableFromInline let next: (Element) -> Void
    @usableFromInline let chain: Chain
    @usableFromInline let emitter: Emitter?
    /// The emitter. The observer keeps it alive during a call, so it is not retained again for each element.
    @usableFromInline let unretainedEmitter: Unmanaged<Emitter>?
    @usableFromInline let handler: EventHandler?

    @preconcurrency
    public init(eventHandler: @escaping EventHandler) {
        next = { eventHandler(.next($0)) }
        chain = .endless
        emitter = nil
        unretainedEmitter = nil
        handler = eventHandler
    }

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

    /// Receives an event; ignores it if the observer belongs to a subscription that has terminated.
    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): end(event, error)
        case .completed: end(event, nil)
        }
    }

    @inlinable
    public func onNext(_ element: Element) {
        if let unretainedEmitter {
            unretainedEmitter._withUnsafeGuaranteedRef { $0.send(element, next) }
        } else if chain.isLive {
            next(element)
        } else {
            chain.drop()
        }
    }

    @usableFromInline
    func end(_ event: Event<Element>, _ error: (any Error)?) {
        if let handler { handler(event) } else { finish(error) }
    }

    /// Terminates the subscription to which the observer belongs.
    @usableFromInline
    func finish(_ error: (any Error)?) {
        if let emitter { emitter.finish(error) } else { chain.finish(error) }
    }

    public func asObserver() -> AnyObserver<Element> { self }
}

extension ObserverType {
    public func asObserver() -> AnyObserver<Element> { AnyObserver(self) }

    /// Returns an observer that transforms each element with `transform` and forwards the result to this observer. An
    /// error that `transform` throws is forwarded as an error event.
    ///
    /// ```swift
    /// let numbers = AnyObserver<Int> { print($0) }
    /// numbers.mapObserver { (text: String) in text.count }.onNext("four")    // prints next(4)
    /// ```
    @preconcurrency
    public func mapObserver<Result: Sendable>(
        _ transform: @escaping @Sendable (Result) throws -> Element
    ) -> AnyObserver<Result> { AnyObserver { event in on(event.map(transform)) } }
}

/// A type that receives the events of a stream.
///
/// ```swift
/// let log = AnyObserver<Int> { print($0) }
/// Observable.of(1, 2).subscribe(log)    // prints next(1) next(2) completed
/// ```
@preconcurrency
public protocol ObserverType<Element>: Sendable {
    associatedtype Element: Sendable

    /// Receives an event. A stream never calls this concurrently.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    @inlinable
    public func onNext(_ element: Element) { on(.next(element)) }

    @inlinable
    public func onCompleted() { on(.completed) }

    @inlinable
    public func onError(_ error: any Error) { on(.error(error)) }

    /// Receives the terminal event: the error, or `nil` for completion.
    @inlinable
    func onEnd(_ error: (any Error)?) {
        if let error { on(.error(error)) } else { on(.completed) }
    }
}
