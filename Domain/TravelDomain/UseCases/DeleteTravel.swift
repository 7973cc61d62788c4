/// Deletes a trip with its timeline, images and likes. Only its author may.
public struct DeleteTravel: Sendable {
    private let travels: any TravelEditingRepository

    /// Changes travels in `travels`.
    public init(travels: any TravelEditingRepository) {
        self.travels = travels
    }

    /// Deletes the travel.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, ``TravelError/forbidden(_:)`` when `user` is not
    ///   its author, what the repository throws, or `CancellationError`.
    public func callAsFunction(_ id: Travel.ID, by user: User.ID) async throws {
        try await travels.update(id, by: user) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return nil
        }
    }
}
