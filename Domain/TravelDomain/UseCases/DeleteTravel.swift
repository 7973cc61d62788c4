/// Deletes a travel with its timeline, images and likes. Only its author can do this.
public struct DeleteTravel: Sendable {
    private let travels: any TravelEditingRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who edits.
    public init(travels: any TravelEditingRepository, session: any SessionRepository) {
        self.travels = travels
        self.session = session
    }

    /// Deletes the travel.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   travel; ``TravelError/forbidden(_:)`` when the signed-in person is not the author; other errors of the
    ///   repository; `CancellationError`.
    public func callAsFunction(_ id: Travel.ID) async throws {
        let user = try await session.requireUser()
        try await travels.update(id, by: user) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return nil
        }
    }
}
