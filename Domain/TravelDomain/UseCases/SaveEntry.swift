/// Writes an entry into the timeline of a trip, or rewrites one. Only the author of the trip may.
public struct SaveEntry: Sendable {
    private let travels: any TravelEditingRepository

    /// Changes travels in `travels`.
    public init(travels: any TravelEditingRepository) {
        self.travels = travels
    }

    /// Puts `entry` into the timeline, in place of the one with the same identity if there is one.
    ///
    /// ```swift
    /// let photo = try TravelImage(bytes: data)
    /// let entry = try TimelineEntry(day: 1, time: time, title: title, text: text, image: photo.id)
    /// try await saveEntry(entry, adding: photo, in: travel, by: author)
    /// ```
    ///
    /// - Parameter image: What the entry shows, if the trip does not have it yet.
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, ``TravelError/forbidden(_:)`` when `user` is not
    ///   its author, ``TravelError/invalid(_:)`` when the entry lies on a day that the trip does not have,
    ///   ``TravelError/conflict(_:)`` when another travel has it or its image, what the repository throws, or
    ///   `CancellationError`.
    public func callAsFunction(
        _ entry: TimelineEntry, adding image: TravelImage? = nil, in id: Travel.ID, by user: User.ID
    ) async throws {
        try await travels.update(id, by: user, adding: image.map { [$0] } ?? []) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return try travel.saving(entry)
        }
    }
}
