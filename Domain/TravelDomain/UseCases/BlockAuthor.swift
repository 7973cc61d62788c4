/// Hides all travels of an author from the signed-in person. People cannot block themselves.
public struct BlockAuthor: Sendable {
    private let moderation: any ModerationRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who blocks.
    public init(moderation: any ModerationRepository, session: any SessionRepository) {
        self.moderation = moderation
        self.session = session
    }

    /// Hides the travels of `author`.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/forbidden(_:)`` when `author` is the
    ///   signed-in person; the errors of ``ModerationRepository/block(_:by:)``; `CancellationError`.
    public func callAsFunction(_ author: User.ID) async throws {
        let user = try await session.requireUser()
        guard author != user else { throw TravelError.forbidden(.user(author)) }
        try await moderation.block(author, by: user)
    }
}
