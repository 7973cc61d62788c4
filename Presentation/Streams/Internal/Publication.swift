/// The subject of a connectable stream, and its connection to the source: each exists at most once at a time.
///
/// Both are forgotten when the connection ends or is disposed, so that the next one begins with a new subject.
@usableFromInline
final class Publication<Subject: SubjectType>: Sendable {
    private struct State {
        var subject: Subject?
        var connection: Connection?
    }

    private let state = Mutex(State())
    private let makeSubject: @Sendable () -> Subject

    @usableFromInline
    init(makeSubject: @escaping @Sendable () -> Subject) {
        self.makeSubject = makeSubject
    }

    /// The subject, made when it is first asked for.
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

    /// The subject and its connection, and whether the caller is to connect it; `nil` while there is no subject.
    @usableFromInline
    func reserve() -> (subject: Subject, connection: Connection, isNew: Bool)? {
        state.withLock { state in
            guard let subject = state.subject else { return nil }
            if let connection = state.connection { return (subject, connection, false) }
            let connection = Connection { [self] in forget($0) }
            state.connection = connection
            return (subject, connection, true)
        }
    }

    /// - Returns: The subject, for the caller to release when it holds no lock.
    private func forget(_ connection: Connection) -> (any Sendable)? {
        state.withLock { state in
            guard state.connection === connection else { return nil }
            state.connection = nil
            return state.subject.take()
        }
    }
}

/// The subscription to the source of a connectable stream.
@usableFromInline
final class Connection: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct State {
        var source: (any Disposable)?
        var isDisposed = false
    }

    private let state = Mutex(State())
    private let onForget: @Sendable (Connection) -> (any Sendable)?

    @usableFromInline
    init(onForget: @escaping @Sendable (Connection) -> (any Sendable)? = { _ in nil }) {
        self.onForget = onForget
    }

    @usableFromInline
    var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// The chain to connect the source with.
    @usableFromInline
    func makeChain(end: @escaping ((any Error)?) -> Void) -> Chain {
        let chain = Chain { [self] error in
            dispose()
            end(error)
        }
        set(chain)
        return chain
    }

    /// Takes the subscription to the source; disposes it when the connection is disposed already.
    @usableFromInline
    func set(_ source: any Disposable) {
        let isDisposed = state.withLock { state in
            if !state.isDisposed { state.source = source }
            return state.isDisposed
        }
        if isDisposed { source.dispose() }
    }

    /// From now on a new connection is made for those who ask for one. Calls no user code.
    ///
    /// - Returns: What the caller is to release when it holds no lock.
    func forget() -> (any Sendable)? { onForget(self) }

    @usableFromInline
    override func dispose() {
        let source = state.withLock { state in
            state.isDisposed = true
            return state.source.take()
        }
        withExtendedLifetime(forget()) {}
        source?.dispose()
    }
}

/// A connection of a connectable stream before it is connected, and the stream that it will serve.
@usableFromInline
struct Reservation<Element: Sendable>: Sendable {
    /// The stream to subscribe to for the elements of this connection.
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
