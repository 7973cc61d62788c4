public import TravelDomain

/// Stores the session and the ID of one device in memory. They are lost when the actor is released.
///
/// It identifies the user without a sign-in service: everyone who uses the device is the same user, and their
/// session does not expire.
///
/// ```swift
/// let session = InMemorySession(signedIn: mina.id)
/// try await session.session()?.user == mina.id    // true
/// ```
public actor InMemorySession: SessionRepository, IdentityProvider {
    private let device: User.ID
    private var current: Session?
    private let changes = ChangeNotifier()

    /// Creates the session of a device with that ID, on which `user` is signed in.
    public init(device: User.ID = User.ID(), signedIn user: User.ID? = nil) {
        self.device = device
        current = user.map { Session(user: $0) }
    }

    public func session() async throws -> Session? {
        try Task.checkCancellation()
        return current
    }

    public func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        try Task.checkCancellation()
        change(&current)
        changes.notify()
    }

    public nonisolated func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        InMemoryObservation(changes: changes) { try await self.session() }
    }

    public func identify() async throws -> Session {
        try Task.checkCancellation()
        return Session(user: device)
    }

    public func refresh(_ session: Session) async throws -> Session {
        try Task.checkCancellation()
        return Session(user: session.user)
    }

    public func reauthenticate() async throws -> User.ID {
        try await identify().user
    }
}
