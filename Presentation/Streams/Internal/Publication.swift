/// The subject of a connectable stream, and its connection to the source: each exists at most once at a time.
///
/// Both are let go of when the connection ends or is disposed, so that the next one begins with a new subject.
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

    /// The connection, and whether the caller is to connect it to the source.
    @usableFromInline
    func connection() -> (Connection, isNew: Bool) {
        state.withLock { state in
            if let connection = state.connection { return (connection, false) }
            let connection = Connection { [self] in forget($0) }
            state.connection = connection
            return (connection, true)
        }
    }

    private func forget(_ connection: Connection) {
        let subject = state.withLock { state -> Subject? in
            guard state.connection === connection else { return nil }
            state.connection = nil
            return state.subject.take()
        }
        withExtendedLifetime(subject) {}
    }
}

/// The subscription to the source of a connectable stream.
@usableFromInline
final class Connection: DisposeBase, @unchecked Sendable {
    // `@unchecked Sendable`: restates its superclass; every property it adds is a `let` of a `Sendable` type.

    private struct State {
        var source: Chain?
        var isDisposed = false
    }

    private let state = Mutex(State())
    private let onEnd: @Sendable (Connection) -> Void

    init(onEnd: @escaping @Sendable (Connection) -> Void) {
        self.onEnd = onEnd
    }

    /// The chain to connect the source with; its end is told to `end` when the connection is already disposed.
    @usableFromInline
    func makeChain(end: @escaping ((any Error)?) -> Void) -> Chain {
        let chain = Chain { [self] error in
            dispose()
            end(error)
        }
        let isDisposed = state.withLock { state in
            state.source = chain
            return state.isDisposed
        }
        if isDisposed { chain.dispose() }
        return chain
    }

    @usableFromInline
    override func dispose() {
        let source = state.withLock { state in
            state.isDisposed = true
            return state.source.take()
        }
        onEnd(self)
        source?.dispose()
    }
}
