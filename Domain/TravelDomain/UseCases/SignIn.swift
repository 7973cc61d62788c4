/// Signs a person in and stores the session.
///
/// A returning person keeps their nickname; a new person gets the one they chose.
///
/// ```swift
/// let signIn = SignIn(identity: identity, users: repository, session: session)
/// let user = try await signIn(as: Nickname("Mina"))
/// user.nickname.text    // "Mina", or the earlier nickname of a returning person
/// ```
public struct SignIn: Sendable {
    private let identity: any IdentityProvider
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Creates the use case; `identity` identifies the person.
    public init(identity: any IdentityProvider, users: any UserRepository, session: any SessionRepository) {
        self.identity = identity
        self.users = users
        self.session = session
    }

    /// Signs the person in and returns them. A new person gets `nickname`.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when someone else has the nickname, in which case a new person is not
    ///   signed in; other errors of the identity provider and the repositories; `CancellationError`.
    public func callAsFunction(as nickname: Nickname) async throws -> User {
        let new = try await identity.identify()
        let user = try await person(new.user, nickname)
        try await session.setSession(new)
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
                // The same person has signed in concurrently.
                return try await users.user(id)
            }
        }
    }
}
