/// Likes a travel for the signed-in person, or removes their like.
///
/// ```swift
/// let likeTravel = LikeTravel(travels: travels, session: session)
/// try await likeTravel(true, travel: id)
/// ```
public struct LikeTravel: Sendable {
    private let travels: any TravelRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who likes.
    public init(travels: any TravelRepository, session: any SessionRepository) {
        self.travels = travels
        self.session = session
    }

    /// Sets whether the signed-in person likes the travel. The call is idempotent.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; the errors of
    ///   ``TravelRepository/setLiked(_:travel:by:)``; `CancellationError`.
    public func callAsFunction(_ isLiked: Bool, travel id: Travel.ID) async throws {
        try await travels.setLiked(isLiked, travel: id, by: session.requireUser())
    }
}
