/// Deletes the account of the signed-in user with everything they own, and signs them out.
public struct Withdraw: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the signed-in user.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Deletes the account. If the process ends before it signs the user out, ``RestoreSession`` does so later.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when `user` is not signed in; other errors of the repositories;
    ///   `CancellationError`.
    public func callAsFunction(_ user: User.ID) async throws {
        guard try await session.signedInUser() == user else { throw TravelError.forbidden(.user(user)) }
        try await users.removeUser(user, by: user)
        try await session.setSignedInUser(nil)
    }
}
