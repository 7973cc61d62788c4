/// Deletes a travel with its timeline, images and likes. Only its author can do this.
///
/// ```swift
/// let delete = DeleteTravel(travels: repository, session: session)
/// try await delete(travel.id, expecting: travel.version)    // throws .outdated if the travel has changed
/// ```
public struct DeleteTravel: Sendable {
    private let travels: any TravelEditingRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who deletes.
    public init(travels: any TravelEditingRepository, session: any SessionRepository) {
        self.travels = travels
        self.session = session
    }

    /// Deletes the travel.
    ///
    /// - Parameters:
    ///   - id: The ID of the travel.
    ///   - version: The version that the person has seen; `nil` to delete any.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   travel; ``TravelError/forbidden(_:)`` when the signed-in person is not the author;
    ///   ``TravelError/outdated(_:)`` when the travel has another version; other errors of the repository;
    ///   `CancellationError`.
    public func callAsFunction(_ id: Travel.ID, expecting version: TravelVersion? = nil) async throws {
        let user = try await session.requireUser()
        try await travels.update(id, expecting: version, by: user, adding: []) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return nil
        }
    }
}
