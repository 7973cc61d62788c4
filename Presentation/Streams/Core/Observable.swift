/// A stream that emits any number of elements and terminates at most once, with an error or completion.
///
/// Nothing happens until an observer subscribes, and each subscription runs the stream again. Elements arrive one at a
/// time, in order, on the thread on which the source emits them; use `observe(on:)` to choose another one. Disposing
/// the subscription terminates it silently and releases everything it holds.
///
/// ```swift
/// Observable.of(1, 2, 3).map { $0 * 2 }.subscribe(onNext: { print($0) })    // prints 2 4 6
/// ```
///
/// `@unchecked Sendable`: immutable; subclasses in this module guard their own state.
@preconcurrency
public class Observable<Element: Sendable>: ObservableType, @unchecked Sendable {
    /// Connects a sink to the upstream; `nil` for a stream that stores its content.
    @usableFromInline let connect: (@Sendable (Sink<Element>) -> Void)?
    @usableFromInline let kind: Kind
    #if DEBUG
    @usableFromInline let name: StaticString
    #endif

    /// Creates the stream of the operator `name`: `run` connects a sink to the upstream.
    @inlinable
    init(run: @escaping @Sendable (Sink<Element>) -> Void, name: StaticString = #function) {
        self.connect = run
        self.kind = .machinery
        #if DEBUG
        self.name = name
        Resources.incrementTotal()
        #endif
    }

    /// Creates the stream of a subject: subscribing starts no work, so it does not need the trampoline.
    @inlinable
    init(subject: @escaping @Sendable (Sink<Element>) -> Void) {
        self.connect = subject
        self.kind = .subject
        #if DEBUG
        self.name = "subject"
        Resources.incrementTotal()
        #endif
    }

    /// Creates a stream that stores its content.
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

    /// Subscribes `observer` to the events of this stream until it terminates or the returned disposable is disposed.
    @inlinable
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let chain = Chain { observer.onEnd($0) }
        #if DEBUG
        SubscriptionLog.appendObserver()
        #endif
        subscribe(Sink(chain) { if chain.isLive { observer.onNext($0) } })
        return chain
    }

    /// Returns this stream, which is an ``Observable`` already.
    public func asObservable() -> Observable<Element> { self }
}

/// The kinds of observables that operators treat differently.
@usableFromInline
enum Kind: UInt8, Sendable {
    case machinery, subject, stages, created, just, empty, error, elements, concat, merge
}

/// A stream that stores its elements or its error, or the last stage of a run.
///
/// A separate class, so that releasing an observable needs no look-up of generic metadata: its fields are those of
/// ``Observable`` and one of a type that the class knows.
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

/// The source of the elements of an observable.
///
/// The trivial cases let an operator with inner streams, such as `flatMap`, take their element without a subscription;
/// the joined cases let it flatten deep nestings.
@usableFromInline
enum Source<Element: Sendable>: Sendable {
    /// An operator or a custom source.
    case machinery
    case subject
    case just(Element)
    case empty
    case error(any Error)
    /// Elements that are emitted synchronously, without a scheduler.
    case elements([Element])
    /// Sequential streams.
    case concat(JoinedStreams<Element>)
    /// Concurrent streams.
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

    /// The content of a ``TrivialObservable``. The type follows from `kind`, which only the following functions set:
    /// `just` stores an `Element`, `error` an `any Error`, `startWith` (`elements`) an array, `concat` and
    /// `merge` a ``JoinedStreams``, `create` a ``Creation``, and `stage` a ``StageRun``. Debug builds check it.
    @inlinable
    func content<Content: Sendable>(_ type: Content.Type = Content.self) -> Content {
        unsafeDowncast(self, to: TrivialObservable<Element, Content>.self).content
    }

    /// Connects a sink to this stream. Called once for each sink.
    ///
    /// Operators call this while they connect their own sink. In other places, for example when an element causes an
    /// operator to subscribe to another stream, call ``subscribe(_:)-sink``.
    @inlinable
    func run(_ sink: Sink<Element>) {
        guard let connect else { return runContent(sink) }
        #if DEBUG
        let outer = SubscriptionRegistry.begin(sink.chain, name)
        defer { SubscriptionRegistry.end(outer) }
        #endif
        connect(sink)
    }

    // Not inlined into operators, to keep their own path short.
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

    /// Connects a sink to this stream. If this is the outermost subscription on its thread, runs synchronous sources
    /// before it returns.
    @inlinable
    func subscribe(_ sink: Sink<Element>) {
        if case .subject = kind { return run(sink) }
        let isOutermost = Trampoline.enter()
        run(sink)
        if isOutermost { Trampoline.leave() }
    }

    /// Like ``subscribe(_:)-sink``, for a sink that accepts concurrent calls and serialises them.
    @inlinable
    func subscribe(toSerialising sink: Sink<Element>) {
        guard case .created = kind else { return subscribe(sink) }
        let isOutermost = Trampoline.enter()
        run(toSerialising: sink)
        if isOutermost { Trampoline.leave() }
    }

    /// Like ``run(_:)``, for a sink that accepts concurrent calls and serialises them.
    @inlinable
    func run(toSerialising sink: Sink<Element>) {
        guard case .created = kind else { return run(sink) }
        let creation: Creation<Element> = content()
        creation.connect(sink, isSerialising: true)
    }
}

/// An alias of ``Observable`` for code that imports another module with an `Observable`, such as `Observation`.
///
/// ```swift
/// import Observation
/// import Streams
///
/// let numbers: RxObservable<Int> = .of(1, 2)
/// ```
public typealias RxObservable<Element: Sendable> = Observable<Element>
