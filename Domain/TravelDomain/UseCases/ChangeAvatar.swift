/// Changes the picture of the signed-in person. Nobody can change anyone else's.
///
/// ```swift
/// let changeAvatar = ChangeAvatar(users: repository, session: session)
/// let photo = try TravelImage(bytes: data)
/// try await changeAvatar(photo).avatar == photo.id    // true
/// try await changeAvatar(nil).avatar == nil           // true
/// ```
public struct ChangeAvatar: Sendable {
    private let users: any UserRepository
    private let session: any SessionRepository
    private let review: any ImageReview

    /// Creates the use case; `session` provides the signed-in person, and `review` decides about a new picture.
    public init(
        users: any UserRepository, session: any SessionRepository, review: any ImageReview = .everyImage
    ) {
        self.users = users
        self.session = session
        self.review = review
    }

    /// Sets the picture, or removes it if `image` is `nil`, and returns the person with it.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when the signed-in
    ///   person has no account; ``TravelError/conflict(_:)`` when a travel or someone else has the image; the errors of
    ///   the review; other errors of the repositories; `CancellationError`.
    @discardableResult
    public func callAsFunction(_ image: TravelImage?) async throws -> User {
        let user = try await session.requireUser()
        if let image { try await review.review(image) }
        try await users.setAvatar(image, of: user, by: user)
        return try await users.user(user)
    }
}
