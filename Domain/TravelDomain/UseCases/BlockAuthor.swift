/// Hides all travels of an author from the signed-in person. People cannot block themselves.
///
/// ```swift
/// let block = BlockAuthor(moderation: repository, session: session)
/// try await block(author)    // true; searches of this person no longer find the author's travels
/// ```
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
    /// - Returns: Whether the block is new; `false` when this person had already blocked `author`.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/forbidden(_:)`` when `author` is the
    ///   signed-in person; the errors of ``ModerationRepository/block(_:by:)``; `CancellationError`.
    @discardableResult
    public func callAsFunction(_ author: User.ID) async throws -> Bool {
        let user = try await session.requireUser()
        guard author != user else { throw TravelError.forbidden(.user(author)) }
        return try await moderation.block(author, by: user)
    }
}
