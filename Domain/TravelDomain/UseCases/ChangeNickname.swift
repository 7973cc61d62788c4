/// Changes the nickname of the signed-in user. Nobody can rename anyone else.
public struct ChangeNickname: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the signed-in user.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Changes the nickname, also on all travels of the user, and returns the renamed user.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when `user` is not signed in; ``TravelError/conflict(_:)`` when
    ///   someone else has the nickname; other errors of the repositories; `CancellationError`.
    public func callAsFunction(_ nickname: Nickname, of user: User.ID) async throws -> User {
        guard try await session.signedInUser() == user else { throw TravelError.forbidden(.user(user)) }
        try await users.rename(user, to: nickname, by: user)
        return User(id: user, nickname: nickname)
    }
}
