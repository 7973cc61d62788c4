/// Hides all travels of an author from one user. People cannot block themselves.
public struct BlockAuthor: Sendable {
    private let moderation: any ModerationRepository

    /// Creates the use case.
    public init(moderation: any ModerationRepository) {
        self.moderation = moderation
    }

    /// Hides the travels of `author` from `user`.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when both are the same person; the errors of
    ///   ``ModerationRepository/block(_:by:)``; `CancellationError`.
    public func callAsFunction(_ author: User.ID, by user: User.ID) async throws {
        guard author != user else { throw TravelError.forbidden(.user(author)) }
        try await moderation.block(author, by: user)
    }
}
