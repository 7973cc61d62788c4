/// The subject of a connectable stream and its connection to the source: at most one of each at a time.
///
/// Both are released when the connection terminates or is disposed, so that the next connection starts with a new
/// subject.
@usableFromInline
final class ConnectableState<Subject: SubjectType>: SourceTurns, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct State {
        var subject: Subject?
        var connection: Connection?
    }

    private let state = Mutex(State())
    private let makeSubject: @Sendable () -> Subject

    @usableFromInline
    init(makeSubject: @escaping @Sendable () -> Subject) {
        self.makeSubject = makeSubject
        super.init()
    }

    /// The subject, created on first use.
    @usableFromInline
    var subject: Subject {
        if let subject = state.withLock({ $0.subject }) { return subject }
        let made = makeSubject()
        return state.withLock { state in
            if let subject = state.subject { return subject }
            state.subject = made
            return made
        }
    }

    /// The subject and its connection, and whether the caller must connect it; `nil` while there is no subject.
    @usableFromInline
    func reserve() -> (subject: Subject, connection: Connection, isNew: Bool)? {
        state.withLock { state in
            guard let subject = state.subject else { return nil }
            if let connection = state.connection { return (subject, connection, false) }
            let connection = Connection(by: self) { [self] in remove($0) }
            state.connection = connection
            return (subject, connection, true)
        }
    }

    /// - Returns: The subject, which the caller releases when it holds no lock.
    private func remove(_ connection: Connection) -> (any Sendable)? {
        state.withLock { state in
            guard state.connection === connection else { return nil }
            state.connection = nil
            return state.subject.take()
        }
    }
}

/// The subscription to the source of a connectable stream.
@usableFromInline
final class Connection: DisposeBase {
    private let resource = Resources.Counted()
    private struct State {
        var source: (any Disposable)?
        var isDisposed = false
    }

    private let state = Mutex(State())
    let turns: SourceTurns
    private let onRemove: @Sendable (Connection) -> (any Sendable)?

    init(by turns: SourceTurns, onRemove: @escaping @Sendable (Connection) -> (any Sendable)? = { _ in nil }) {
        self.turns = turns
        self.onRemove = onRemove
    }

    private var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// Calls `connect`, which subscribes to the source, unless this connection is disposed: immediately, or when another
    /// thread has disposed the previous connection.
    @usableFromInline
    func connect(_ connect: @escaping @Sendable () -> Void) {
        turns.connect(self) { [self] in if !isDisposed { connect() } }
    }

    @usableFromInline
    func makeChain(end: @escaping ((any Error)?) -> Void) -> Chain {
        let chain = Chain { [self] error in
            dispose()
            end(error)
        }
        set(chain)
        return chain
    }

    /// Stores the subscription to the source; disposes it if the connection is disposed already.
    @usableFromInline
    func set(_ source: any Disposable) {
        let isDisposed = state.withLock { state in
            if !state.isDisposed { state.source = source }
            return state.isDisposed
        }
        if isDisposed { source.dispose() }
    }

    /// Removes this connection from its stream, so that the next request creates a new one. Calls no user code.
    ///
    /// - Returns: An object that the caller releases when it holds no lock.
    func remove() -> (any Sendable)? { onRemove(self) }

    @usableFromInline
    func dispose() {
        let hasEntered = turns.enter()  // first: the next connection must find this thread at the source
        let source = state.withLock { state in
            state.isDisposed = true
            return state.source.take()
        }
        withExtendedLifetime(remove()) {}
        source?.dispose()
        turns.cancel(self)
        if hasEntered { turns.leave() }
    }
}

/// A reserved connection of a connectable stream that is not connected yet, and the stream of its elements.
@usableFromInline
struct ReservedConnection<Element: Sendable>: Sendable {
    /// Returns the stream of the elements of this connection.
    let stream: @Sendable () -> Observable<Element>
    @usableFromInline let connection: Connection
    /// Connects to the source; `nil` if another caller does.
    @usableFromInline let connect: (@Sendable () -> Void)?

    @usableFromInline
    init(
        stream: @escaping @Sendable () -> Observable<Element>, connection: Connection, connect: (@Sendable () -> Void)?
    ) {
        self.stream = stream
        self.connection = connection
        self.connect = connect
    }
}
