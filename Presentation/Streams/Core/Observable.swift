/// A stream of elements that ends at most once, with an error or as it should.
///
/// Nothing happens until someone subscribes, and each subscription runs the stream anew. Elements come one at a
/// time, in order, on whichever thread the source sends them; see `observe(on:)` to choose another. Disposing the
/// subscription ends it silently and frees everything it holds.
///
/// ```swift
/// Observable.of(1, 2, 3).map { $0 * 2 }.subscribe(onNext: { print($0) })    // prints 2 4 6
/// ```
///
/// `@unchecked Sendable`: immutable; what is subclassed in this module guards its own state.
@preconcurrency
public class Observable<Element: Sendable>: ObservableType, @unchecked Sendable {
    /// Connects a sink to what is above; `nil` for a stream that is what it holds.
    @usableFromInline let connect: (@Sendable (Sink<Element>) -> Void)?
    @usableFromInline let kind: Kind
    #if DEBUG
        @usableFromInline let name: StaticString
    #endif

    /// A stream made by an operator, which has that name: `run` connects the sink to what is above.
    @inlinable
    init(run: @escaping @Sendable (Sink<Element>) -> Void, name: StaticString = #function) {
        self.connect = run
        self.kind = .machinery
        #if DEBUG
            self.name = name
            Resources.incrementTotal()
        #endif
    }

    /// A subject: subscribing starts nothing, so there is nothing for the trampoline to collect.
    @inlinable
    init(subject: @escaping @Sendable (Sink<Element>) -> Void) {
        self.connect = subject
        self.kind = .subject
        #if DEBUG
            self.name = "subject"
            Resources.incrementTotal()
        #endif
    }

    /// A stream that is what it holds.
    @inlinable
    init(_ kind: Kind) {
        self.connect = nil
        self.kind = kind
        #if DEBUG
            self.name = ""
            Resources.incrementTotal()
        #endif
    }

    #if DEBUG
        deinit {
            Resources.decrementTotal()
        }
    #endif

    /// Lets `observer` hear the stream until it ends or the result is disposed.
    @inlinable
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let chain = Chain { observer.onEnd($0) }
        #if DEBUG
            SubscriptionWatch.noteObserver()
        #endif
        subscribe(Sink(chain) { if chain.isLive { observer.onNext($0) } })
        return chain
    }

    /// The stream itself.
    public func asObservable() -> Observable<Element> { self }
}

/// What an observable is, as far as operators treat it differently.
@usableFromInline
enum Kind: UInt8, Sendable {
    case machinery, subject, stages, created, just, empty, error, elements, concat, merge

    @inlinable
    var isContent: Bool { rawValue >= Kind.stages.rawValue }
}

/// A stream without machinery that holds what it says, or the last of a run of stages.
///
/// A class of its own, so that letting go of any observable needs no look-up of generic metadata: its fields are those
/// of ``Observable`` and one of a type that the class knows.
@usableFromInline
final class TrivialObservable<Element: Sendable, Content: Sendable>: Observable<Element>, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    @usableFromInline let content: Content

    @inlinable
    init(_ kind: Kind, _ content: Content) {
        self.content = content
        super.init(kind)
    }
}

/// Where the elements of an observable come from.
///
/// The trivial streams are told apart so that an operator with inner streams, such as `flatMap`, can take their
/// element without a subscription; joined streams, so that a deep nesting of them can be flattened.
@usableFromInline
enum Source<Element: Sendable>: Sendable {
    /// An operator, or a source of its own.
    case machinery
    case subject
    case just(Element)
    case empty
    case error(any Error)
    /// Elements that are sent at once, without a scheduler.
    case elements([Element])
    /// Streams one after the other.
    case concat(JoinedStreams<Element>)
    /// Streams all at once.
    case merge(JoinedStreams<Element>)
}

extension Observable {
    @inlinable
    var source: Source<Element> {
        switch kind {
        case .machinery, .stages, .created: .machinery
        case .subject: .subject
        case .empty: .empty
        case .just: .just(content())
        case .error: .error(content())
        case .elements: .elements(content())
        case .concat: .concat(content())
        case .merge: .merge(content())
        }
    }

    @inlinable
    func content<Content: Sendable>(_ type: Content.Type = Content.self) -> Content {
        unsafeDowncast(self, to: TrivialObservable<Element, Content>.self).content
    }

    /// Connects a sink to this stream. Called once for a sink.
    ///
    /// For use by operators while they connect a sink of their own; wherever else, such as when an element makes
    /// an operator subscribe to another stream, call ``subscribe(_:)-sink``.
    @inlinable
    func run(_ sink: Sink<Element>) {
        guard let connect else { return runContent(sink) }
        #if DEBUG
            let outer = SubscriptionRegistry.begin(sink.chain, name)
            defer { SubscriptionRegistry.end(outer) }
        #endif
        connect(sink)
    }

    // Not inlined into the operators, whose own path it would burden with what only these streams need.
    @inlinable
    @inline(never)
    func runContent(_ sink: Sink<Element>) {
        if case .stages = kind { return Pipeline.connect(through: content(), to: TerminalStage(sink.next), sink.chain) }
        if case .created = kind {
            let creation: Creation<Element> = content()
            return creation.connect(sink, isSerialising: false)
        }
        switch source {
        case .just(let element):
            sink.send(element)
            sink.chain.complete()
        case .empty: sink.chain.complete()
        case .error(let error): sink.chain.fail(error)
        case .elements(let elements):
            for element in elements { sink.send(element) }
            sink.chain.complete()
        case .concat(let joined): joined.concatenate(into: sink)
        case .merge(let joined): joined.merge(into: sink)
        case .machinery, .subject: break
        }
    }

    /// Connects a sink to this stream and, when this is the outermost subscription on its thread, lets synchronous
    /// sources run before it returns.
    @inlinable
    func subscribe(_ sink: Sink<Element>) {
        if case .subject = kind { return run(sink) }
        let isOutermost = Trampoline.enter()
        run(sink)
        if isOutermost { Trampoline.leave() }
    }

    /// As ``subscribe(_:)-sink``, where the sink serialises what it receives from several threads at once.
    @inlinable
    func subscribe(toSerialising sink: Sink<Element>) {
        guard case .created = kind else { return subscribe(sink) }
        let isOutermost = Trampoline.enter()
        run(toSerialising: sink)
        if isOutermost { Trampoline.leave() }
    }

    /// As ``run(_:)``, where the sink serialises what it receives from several threads at once.
    @inlinable
    func run(toSerialising sink: Sink<Element>) {
        guard case .created = kind else { return run(sink) }
        let creation: Creation<Element> = content()
        creation.connect(sink, isSerialising: true)
    }
}
