/// Removes the account of who is signed in, with all they own, and signs them out.
public struct Withdraw: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Withdraws from `users`.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Removes the account. Where that succeeds and the process ends before signing out, ``RestoreSession`` does that.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when `user` is not who is signed in, what the repositories throw, or
    ///   `CancellationError`.
    public func callAsFunction(_ user: User.ID) async throws {
        guard try await session.signedInUser() == user else { throw TravelError.forbidden(.user(user)) }
        try await users.removeUser(user, by: user)
        try await session.setSignedInUser(nil)
    }
}
