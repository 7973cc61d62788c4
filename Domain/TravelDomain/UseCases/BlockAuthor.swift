/// Hides all travels of an author from someone who does not want to see them. Nobody can block themselves.
public struct BlockAuthor: Sendable {
    private let moderation: any ModerationRepository

    /// Blocks in `moderation`.
    public init(moderation: any ModerationRepository) {
        self.moderation = moderation
    }

    /// Hides the travels of `author` from `user`.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when they are the same, what the repository throws, or
    ///   `CancellationError`.
    public func callAsFunction(_ author: User.ID, by user: User.ID) async throws {
        guard author != user else { throw TravelError.forbidden(.user(author)) }
        try await moderation.block(author, by: user)
    }
}
