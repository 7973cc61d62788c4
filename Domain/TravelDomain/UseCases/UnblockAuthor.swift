/// Shows the travels of an author to the signed-in person again.
///
/// ```swift
/// let unblockAuthor = UnblockAuthor(moderation: repository, session: session)
/// try await unblockAuthor(author.id)    // searches find the travels of the author again
/// ```
public struct UnblockAuthor: Sendable {
    private let moderation: any ModerationRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who unblocks.
    public init(moderation: any ModerationRepository, session: any SessionRepository) {
        self.moderation = moderation
        self.session = session
    }

    /// Shows the travels of `author` again. Does nothing if they are not blocked.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; the errors of
    ///   ``ModerationRepository/unblock(_:by:)``; `CancellationError`.
    public func callAsFunction(_ author: User.ID) async throws {
        try await moderation.unblock(author, by: session.requireUser())
    }
}
