/// Signs someone in, and keeps them signed in.
///
/// Who was here before keeps their nickname; who is new gets the one they chose.
public struct SignIn: Sendable {
    private let identity: any IdentityProvider
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Signs in by `identity`.
    public init(identity: any IdentityProvider, users: any UserRepository, session: any SessionRepository) {
        self.identity = identity
        self.users = users
        self.session = session
    }

    /// The person who is signed in now; `nickname` is for one who is new.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when another has the nickname, and nobody new is signed in then; what the
    ///   identity provider and the repositories throw; `CancellationError`.
    public func callAsFunction(as nickname: Nickname) async throws -> User {
        let user = try await person(await identity.identify(), nickname)
        try await session.setSignedInUser(user.id)
        return user
    }

    private func person(_ id: User.ID, _ nickname: Nickname) async throws -> User {
        do {
            return try await users.user(id)
        } catch TravelError.notFound(.user(id)) {
            let newcomer = User(id: id, nickname: nickname)
            do {
                try await users.add(newcomer)
                return newcomer
            } catch TravelError.conflict(.user(id)) {
                // They signed in twice at the same time, and this is the second.
                return try await users.user(id)
            }
        }
    }
}
