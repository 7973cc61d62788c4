/// Writes an entry into the timeline of a trip, or rewrites one. Only the author of the trip may.
public struct SaveEntry: Sendable {
    private let travels: any TravelEditingRepository

    /// Changes travels in `travels`.
    public init(travels: any TravelEditingRepository) {
        self.travels = travels
    }

    /// Puts `entry` into the timeline, in place of the one with the same identity if there is one.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, ``TravelError/forbidden(_:)`` when `user` is not
    ///   its author, ``TravelError/invalid(_:)`` when the entry lies on a day that the trip does not have,
    ///   ``TravelError/conflict(_:)`` when another travel has it, what the repository throws, or `CancellationError`.
    public func callAsFunction(_ entry: TimelineEntry, in id: Travel.ID, by user: User.ID) async throws {
        try await travels.update(id, by: user) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return try travel.saving(entry)
        }
    }
}
