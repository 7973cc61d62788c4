/// Deletes a travel with its timeline, images and likes. Only its author can do this.
public struct DeleteTravel: Sendable {
    private let travels: any TravelEditingRepository

    /// Creates the use case.
    public init(travels: any TravelEditingRepository) {
        self.travels = travels
    }

    /// Deletes the travel.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel; ``TravelError/forbidden(_:)`` when `user`
    ///   is not the author; other errors of the repository; `CancellationError`.
    public func callAsFunction(_ id: Travel.ID, by user: User.ID) async throws {
        try await travels.update(id, by: user) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return nil
        }
    }
}
