public import TravelDomain

/// A stored session that is refreshed after it has expired.
///
/// ```swift
/// let session = RefreshingSession(database.session, identity: service, now: { Date() })
/// let search = SearchTrips(trips: database.trips, session: session)
/// ```
///
/// The identity provider refreshes an expired session when it is read: once, even if several tasks read it at the same
/// time. The provider decides the result:
///
/// - If it returns a new session of the same user, that session replaces the expired one.
/// - If it throws `TravelError.signedOut`, or returns a session of someone else, the user is signed out.
/// - If it is unavailable, the user stays signed in with the expired session, and the next call tries again.
///
/// A sign-in or sign-out during a refresh takes precedence over its result.
public struct RefreshingSession: SessionRepository {
    private let stored: any SessionRepository
    private let identity: any IdentityProvider
    private let now: @Sendable () -> Date
    private let mutex = AsyncMutex()

    /// Creates a session that is stored in `stored` and refreshed by `identity`; `now` is the current time.
    public init(
        _ stored: any SessionRepository, identity: any IdentityProvider, now: @escaping @Sendable () -> Date
    ) {
        self.stored = stored
        self.identity = identity
        self.now = now
    }

    /// Returns the session, refreshed if it has expired; `nil` when nobody is signed in.
    ///
    /// - Throws: The errors of the stored session, and those of the identity provider except
    ///   `TravelError.signedOut` and `TravelError.unavailable`; `CancellationError`.
    public func session() async throws -> Session? {
        let session = try await stored.session()
        guard let session, session.isExpired(at: now()) else { return session }
        return try await mutex.withLock { try await refreshed() }
    }

    public func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        try await stored.updateSession(change)
    }

    /// Observes the session. A value that has expired is refreshed before it is emitted; expiry alone does not emit a
    /// value.
    public func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        DeferredSequence<Session?, Session?>(
            make: { [stored] in stored.observeSession() }, complete: { _, _ in try await session() })
    }

    /// Refreshes the session, unless another task has done so in the meantime.
    private func refreshed() async throws -> Session? {
        let current = try await stored.session()
        guard let expired = current, expired.isExpired(at: now()) else { return current }
        let new: Session?
        do {
            let session = try await identity.refresh(expired)
            new = session.user == expired.user ? session : nil
        } catch TravelError.signedOut {
            new = nil
        } catch TravelError.unavailable {
            return try await stored.session()
        }
        try await stored.updateSession { [new] session in
            if session == expired { session = new }
        }
        return try await stored.session()
    }
}
