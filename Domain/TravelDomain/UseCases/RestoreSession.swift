/// Restores the signed-in person after a restart.
///
/// ```swift
/// let restoreSession = RestoreSession(users: repository, session: session)
/// if let user = try await restoreSession() { greet(user) } else { showSignIn() }
/// ```
public struct RestoreSession: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository

    /// Creates the use case, which reads the session and looks up its person among `users`.
    public init(users: any UserRepository, session: any SessionRepository) {
        self.users = users
        self.session = session
    }

    /// Returns the signed-in person; `nil` when nobody is signed in. If their account no longer exists, signs them out.
    ///
    /// - Throws: The errors of the repositories; `CancellationError`.
    public func callAsFunction() async throws -> User? {
        guard let id = try await session.session()?.user else { return nil }
        do {
            return try await users.user(id)
        } catch TravelError.notFound(.user(id)) {
            // Someone else may have signed in in the meantime.
            try await session.updateSession { if $0?.user == id { $0 = nil } }
            return nil
        }
    }
}
