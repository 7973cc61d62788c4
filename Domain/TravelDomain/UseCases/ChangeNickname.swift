/// Gives who is signed in another nickname. Nobody can rename anyone else.
public struct ChangeNickname: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Changes nicknames in `users`, of who is signed in by `session`.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// The person by their new nickname, which is then on all their travels too.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when `user` is not who is signed in, ``TravelError/conflict(_:)`` when
    ///   another has the nickname, what the repositories throw, or `CancellationError`.
    public func callAsFunction(_ nickname: Nickname, of user: User.ID) async throws -> User {
        guard try await session.signedInUser() == user else { throw TravelError.forbidden(.user(user)) }
        try await users.rename(user, to: nickname, by: user)
        return User(id: user, nickname: nickname)
    }
}
