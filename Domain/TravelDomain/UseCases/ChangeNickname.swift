/// Changes the nickname of the signed-in person. Nobody can rename anyone else.
///
/// ```swift
/// let changeNickname = ChangeNickname(users: repository, session: session)
/// let renamed = try await changeNickname(Nickname("Mina"))
/// renamed.nickname.text    // "Mina"
/// ```
public struct ChangeNickname: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the signed-in person.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Changes the nickname, also on all travels of the person, and returns the renamed person.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/conflict(_:)`` when someone else has
    ///   the nickname; other errors of the repositories; `CancellationError`.
    public func callAsFunction(_ nickname: Nickname) async throws -> User {
        let user = try await session.requireUser()
        try await users.rename(user, to: nickname, by: user)
        return try await users.user(user)
    }
}
