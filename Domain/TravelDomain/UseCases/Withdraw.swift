/// Deletes the account of the signed-in person with everything they own, and signs them out.
///
/// ```swift
/// let withdraw = Withdraw(users: repository, identity: identity, session: session)
/// try await withdraw()
/// try await session.session()    // nil
/// ```
public struct Withdraw: Sendable {
    private let users: any UserRepository
    private let identity: any IdentityProvider
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the signed-in person, and `identity` asks them to identify themselves.
    public init(users: any UserRepository, identity: any IdentityProvider, session: any SessionRepository) {
        self.users = users
        self.identity = identity
        self.session = session
    }

    /// Asks the person to identify themselves again, and deletes their account.
    ///
    /// If the process ends before the person is signed out, ``RestoreSession`` signs them out later.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/forbidden(_:)`` when someone else
    ///   answers; other errors of the identity provider and the repositories; `CancellationError`.
    public func callAsFunction() async throws {
        let user = try await session.requireUser()
        guard try await identity.reauthenticate() == user else { throw TravelError.forbidden(.user(user)) }
        try await users.removeUser(user, by: user)
        try await session.updateSession { if $0?.user == user { $0 = nil } }
    }
}
