/// The subject of a connectable stream and its connection to the source: at most one of each at a time.
///
/// Both are released when the connection terminates or is disposed, so that the next connection starts with a new
/// subject. Compiled once: the subject is stored without its type.
@usableFromInline
final class ConnectableState: SourceTurns, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    /// A subject, by what is done with it.
    @usableFromInline
    struct Subject: Sendable {
        /// Its elements have the type of those of the connectable stream.
        let stream: ErasedStream
        /// Subscribes the subject to the source.
        let connect: @Sendable (Connection) -> Void

        @usableFromInline
        init(stream: ErasedStream, connect: @escaping @Sendable (Connection) -> Void) {
            self.stream = stream
            self.connect = connect
        }
    }

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

    /// The stream of the subject, which is created on first use.
    var stream: ErasedStream {
        if let subject = state.withLock({ $0.subject }) { return subject.stream }
        let made = makeSubject()
        return state.withLock { state in
            if let subject = state.subject { return subject.stream }
            state.subject = made
            return made.stream
        }
    }

    /// The subject and its connection, which is new unless there is one; `nil` while there is no subject.
    func reserve() -> ReservedConnection? {
        state.withLock { state in
            guard let subject = state.subject else { return nil }
            if let connection = state.connection {
                return ReservedConnection(stream: subject.stream, connection: connection, start: nil)
            }
            let connection = Connection(by: self) { [self] in remove($0) }
            state.connection = connection
            return ReservedConnection(stream: subject.stream, connection: connection, start: subject.connect)
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
struct ReservedConnection: Sendable {
    let stream: ErasedStream
    let connection: Connection
    /// Subscribes to the source; `nil` if another caller does.
    let start: (@Sendable (Connection) -> Void)?

    /// Whether the caller must connect to the source.
    var isNew: Bool { start != nil }

    func connect() {
        if let start { connection.connect { [connection] in start(connection) } }
    }
}
