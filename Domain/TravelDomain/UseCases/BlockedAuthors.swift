/// Lists the people whom the signed-in person has blocked.
///
/// ```swift
/// let blockedAuthors = BlockedAuthors(moderation: repository, session: session)
/// for person in try await blockedAuthors() { print(person.nickname) }
/// ```
public struct BlockedAuthors: Sendable {
    private let moderation: any ModerationRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who has blocked.
    public init(moderation: any ModerationRepository, session: any SessionRepository) {
        self.moderation = moderation
        self.session = session
    }

    /// Returns the blocked people, ordered by ID.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; the errors of
    ///   ``ModerationRepository/blocked(by:)``; `CancellationError`.
    public func callAsFunction() async throws -> [User] {
        try await moderation.blocked(by: session.requireUser())
    }
}
