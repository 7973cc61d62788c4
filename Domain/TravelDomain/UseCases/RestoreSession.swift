/// Restores the signed-in user after a restart.
public struct RestoreSession: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Creates the use case.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Returns the signed-in user; `nil` when nobody is signed in. If that user no longer exists, signs them out.
    ///
    /// - Throws: The errors of the repositories; `CancellationError`.
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
