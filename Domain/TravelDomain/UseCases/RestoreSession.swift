/// Signs in, without asking, who was signed in before the last restart.
public struct RestoreSession: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Restores the session in `session`.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Who is signed in; `nil` when nobody is. The session of someone who is there no longer ends.
    public func callAsFunction() async throws -> User? {
        guard let id = try await session.signedInUser() else { return nil }
        do {
            return try await users.user(id)
        } catch TravelError.notFound(.user(id)) {
            try await session.setSignedInUser(nil)
            return nil
        }
    }
}
