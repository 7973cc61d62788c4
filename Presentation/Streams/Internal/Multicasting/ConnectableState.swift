/// The subject of a connectable stream and its connection to the source: at most one of each at a time.
///
/// Both are released when the connection terminates or is disposed, so that the next connection starts with a new
/// subject.
@usableFromInline
final class ConnectableState<Subject: SubjectType>: Sendable {
    private struct State {
        var subject: Subject?
        var connection: Connection?
    }

    private let state = Mutex(State())
    private let makeSubject: @Sendable () -> Subject

    @usableFromInline
    init(makeSubject: @escaping @Sendable () -> Subject) { self.makeSubject = makeSubject }

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
            let connection = Connection { [self] in remove($0) }
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
    private let onRemove: @Sendable (Connection) -> (any Sendable)?

    @usableFromInline
    init(onRemove: @escaping @Sendable (Connection) -> (any Sendable)? = { _ in nil }) {
        self.onRemove = onRemove
    }

    @usableFromInline
    var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// Creates the chain for the source.
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
        let source = state.withLock { state in
            state.isDisposed = true
            return state.source.take()
        }
        withExtendedLifetime(remove()) {}
        source?.dispose()
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

/// The state of a shared stream: its current subscription to the source, if it has observers.
@usableFromInline
final class ShareState: Sendable {
    private let current = Mutex<SharedSubscription?>(nil)

    @usableFromInline
    init() {}

    /// Counts an observer.
    ///
    /// - Returns: The shared subscription, and whether the observer is the first, which connects the source.
    @usableFromInline
    func addObserver(makeStore: () -> (any AnyObject & Sendable)?) -> (SharedSubscription, isFirst: Bool) {
        current.withLock { current in
            if let current {
                current.count += 1
                return (current, false)
            }
            let shared = SharedSubscription(by: self, makeStore())
            current = shared
            return (shared, true)
        }
    }

    /// Lets a later observer subscribe to the source again.
    fileprivate func detach(_ shared: SharedSubscription) {
        current.withLock { if $0 === shared { $0 = nil } }
    }

    /// Removes an observer; disposes the subscription after the last one.
    fileprivate func removeObserver(_ shared: SharedSubscription) {
        let isLast = current.withLock { current in
            shared.count -= 1
            if shared.count == 0, current === shared { current = nil }
            return shared.count == 0
        }
        if isLast { shared.dispose() }
    }
}

/// One subscription to the source of a shared stream: the chain of the source, and the observers.
///
/// `@unchecked Sendable`: the lock of the share state guards `count`; every other property that it adds is a `let` of a
/// `Sendable` type.
@usableFromInline
final class SharedSubscription: Chain, @unchecked Sendable {
    @usableFromInline let multicast = Multicast()
    /// The type-erased ``ElementStore``, if elements are replayed.
    @usableFromInline let store: (any AnyObject & Sendable)?
    private let share: ShareState
    /// The number of observers that have not unsubscribed.
    @exclusivity(unchecked) fileprivate var count = 1

    fileprivate init(by share: ShareState, _ store: (any AnyObject & Sendable)?) {
        self.share = share
        self.store = store
        super.init()
    }

    /// Releases the source before the observers receive the terminal event.
    override func ended(_ error: (any Error)?) {
        share.detach(self)
        dispose()
        multicast.finish(error)
    }

    /// Called once for each observer, when it unsubscribes.
    func removeObserver() { share.removeObserver(self) }
}
