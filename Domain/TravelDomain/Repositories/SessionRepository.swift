#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Stores persistently the session of this device: the signed-in user.
///
/// It is the only source of the acting user: use cases take them from here. Every function throws ``TravelError`` or
/// `CancellationError`; a call that throws changes nothing. `SessionRepositoryContract` in `TravelDomainTesting` checks
/// an implementation.
///
/// ``RefreshingSession`` adds the refresh of expired sessions to any implementation.
///
/// ```swift
/// try await repository.setSession(Session(user: mina))
/// try await repository.session()?.user                      // mina
/// try await repository.setSession(nil)                      // signs out
/// ```
public protocol SessionRepository: Sendable {
    /// Returns the session; `nil` when nobody is signed in, which is the initial state.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func session() async throws -> Session?

    /// Changes the session. Changes are serialised: each sees the result of the previous one.
    ///
    /// - Parameter change: Changes the session; `nil` signs out. It may run more than once.
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws

    /// Observes the session: emits the current one first, and then each new one.
    ///
    /// Consecutive values are never equal, and a slow consumer receives only the latest value. The sequence ends when
    /// the task that iterates over it is cancelled, and throws ``TravelError/unavailable(_:)`` when the store cannot
    /// answer. Each iterator observes independently.
    func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable
}

extension SessionRepository {
    /// Replaces the session; `nil` signs out.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    public func setSession(_ session: Session?) async throws {
        try await updateSession { $0 = session }
    }

    /// The ID of the signed-in user.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; the errors of ``session()``.
    func requireUser() async throws -> User.ID {
        guard let user = try await session()?.user else { throw TravelError.signedOut }
        return user
    }
}

/// A stored session that is refreshed after it has expired.
///
/// ```swift
/// let session = RefreshingSession(database.session, identity: service, now: { Date() })
/// let search = SearchTravels(travels: database.travels, session: session)
/// ```
///
/// The identity provider refreshes an expired session when it is read: once, even if several tasks read it at the same
/// time. The provider decides the result:
///
/// - If it returns a new session of the same user, that session replaces the expired one.
/// - If it throws ``TravelError/signedOut``, or returns a session of someone else, the user is signed out.
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
    ///   ``TravelError/signedOut`` and ``TravelError/unavailable(_:)``; `CancellationError`.
    public func session() async throws -> Session? {
        let session = try await stored.session()
        guard let session, session.isExpired(at: now()) else { return session }
        return try await mutex.withLock { try await refreshed() }
    }

    /// Changes the stored session.
    ///
    /// - Throws: The errors of the stored session; `CancellationError`.
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

/// A session in which nobody is ever signed in: for programs without accounts, which only search and show.
///
/// ```swift
/// let search = SearchTravels(travels: travels, session: .signedOut)
/// ```
public struct SignedOutSession: SessionRepository {
    public init() {}

    public func session() async throws -> Session? {
        try Task.checkCancellation()
        return nil
    }

    /// Does nothing if `change` signs nobody in.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when `change` signs someone in; `CancellationError`.
    public func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        try Task.checkCancellation()
        var session: Session?
        change(&session)
        guard session == nil else {
            throw TravelError.unavailable(.init("Nobody can sign in here.", canRetry: false))
        }
    }

    public func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        DeferredSequence<Session?, Session?> {
            AsyncThrowingStream { $0.yield(nil) }
        }
    }
}

extension SessionRepository where Self == SignedOutSession {
    /// A session in which nobody is ever signed in.
    public static var signedOut: SignedOutSession { SignedOutSession() }
}
