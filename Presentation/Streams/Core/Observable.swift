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
    @usableFromInline let connection: (@Sendable (Sink<Element>) -> Void)?
    @usableFromInline let kind: Kind
    #if DEBUG
    @usableFromInline let name: StaticString
    #endif

    /// Creates the stream of the operator `name`: `connect` connects a sink to the upstream.
    @inlinable
    package init(connect: @escaping @Sendable (Sink<Element>) -> Void, name: StaticString = #function) {
        connection = connect
        self.kind = .custom
        #if DEBUG
        self.name = name
        Resources.incrementTotal()
        #endif
    }

    /// Creates the stream of a subject: subscribing starts no work, so it does not need the trampoline.
    @inlinable
    package init(subject: @escaping @Sendable (Sink<Element>) -> Void, name: StaticString = "subject") {
        connection = subject
        self.kind = .subject
        #if DEBUG
        self.name = name
        Resources.incrementTotal()
        #endif
    }

    /// Creates a stream that stores its content, or a stage of the operator `name`.
    @inlinable
    init(_ kind: Kind, name: StaticString = "") {
        connection = nil
        self.kind = kind
        #if DEBUG
        self.name = name
        Resources.incrementTotal()
        #endif
    }

    #if DEBUG
    deinit {
        Resources.decrementTotal()
    }
    #endif

    @inlinable
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let chain = Chain { observer.onEnd($0) }
        #if DEBUG
        SubscriptionLog.appendObserver()
        #endif
        subscribe(Sink(chain) { if chain.isLive { observer.onNext($0) } else { chain.drop() } })
        return chain
    }

    public func asObservable() -> Observable<Element> { self }
}

/// The kinds of observables that operators treat differently.
///
/// From a stream of one element, an empty or a failed one, an operator with inner streams, such as `flatMap`, takes the
/// event without a subscription; it flattens deep nestings of `concat` and `merge`.
@usableFromInline
enum Kind: UInt8, Sendable {
    /// An operator or a source with its own implementation.
    case custom
    case subject
    case stages
    case created
    case just, empty, error
    /// Elements that are emitted synchronously, without a scheduler.
    case elements
    /// Sequential or concurrent streams.
    case concat, merge
}

/// A stream that stores its elements or its error.
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

extension Observable {
    /// The content of a ``TrivialObservable``. The type follows from `kind`, which only the following functions set:
    /// `just` stores an `Element` and `error` an `any Error`. Debug builds check it.
    @inlinable
    func content<Content: Sendable>(_ type: Content.Type) -> Content {
        unsafeDowncast(self, to: TrivialObservable<Element, Content>.self).content
    }

    /// The element of a stream that `just` created: it can be taken without a subscription.
    @inlinable
    package var storedElement: Element? { kind == .just ? content(Element.self) : nil }

    /// Connects a sink to this stream. Called once for each sink.
    ///
    /// Operators call this while they connect their own sink. In other places, for example when an element causes an
    /// operator to subscribe to another stream, call ``subscribe(_:)-sink``.
    // Compiled once: called with sinks of any type, it needs no look-up of metadata.
    @usableFromInline
    package func connect(_ sink: Sink<Element>) {
        guard let connection else { return connectContent(sink) }
        #if DEBUG
        let outer = SubscriptionRegistry.begin(sink.chain, name)
        defer { SubscriptionRegistry.end(outer) }
        #endif
        connection(sink)
    }

    private func connectContent(_ sink: Sink<Element>) {
        switch kind {
        case .custom, .subject: break
        case .stages: unsafeDowncast(self, to: FusedStages<Element>.self).connectStages(sink)
        case .created: unsafeDowncast(self, to: CreatedStream<Element>.self).connectCreated(sink)
        case .just:
            sink.send(content(Element.self))
            sink.chain.complete()
        case .empty: sink.chain.complete()
        case .error: sink.chain.fail(content((any Error).self))
        case .elements:
            unsafeDowncast(self, to: InitialElements<Element>.self).send(sink)
            sink.chain.complete()
        case .concat, .merge:
            let compound = unsafeDowncast(self, to: CompoundStream<Element>.self)
            if let merge = compound.merge {
                merge(compound.list, sink)
            } else {
                compound.list.concatenate(into: sink)
            }
        }
    }

    /// Connects a sink to this stream. If this is the outermost subscription on its thread, runs synchronous sources
    /// before it returns.
    @usableFromInline
    func subscribe(_ sink: Sink<Element>) {
        if case .subject = kind { return connect(sink) }
        let isOutermost = Trampoline.enter()
        connect(sink)
        if isOutermost { Trampoline.leave() }
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
