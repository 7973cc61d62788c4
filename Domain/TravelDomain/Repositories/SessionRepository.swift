/// Stores persistently the session of this device: the signed-in user.
///
/// It is the only source of the acting user: use cases take them from here. Every function throws
/// ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError`; a call that throws changes
/// nothing. `SessionRepositoryContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.setSession(Session(user: mina))
/// try await repository.session()?.user                      // mina
/// try await repository.setSession(nil)                      // signs out
/// ```
public protocol SessionRepository: Sendable {
    /// Returns the session; `nil` when nobody is signed in, which is the initial state.
    func session() async throws -> Session?

    /// Changes the session. Changes are serialised: each sees the result of the previous one.
    ///
    /// - Parameter change: Changes the session; `nil` signs out. It may run more than once.
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

/// A session in which nobody is ever signed in: for programs without accounts, which only search and show.
///
/// ```swift
/// let search = SearchTrips(trips: trips, session: .signedOut)
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
            throw TravelError.unavailable(.init("Signing in is not possible here.", canRetry: false))
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
