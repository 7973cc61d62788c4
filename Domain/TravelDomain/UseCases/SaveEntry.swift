/// Adds an entry to the timeline of a travel, or replaces one. Only the author of the travel can do this.
public struct SaveEntry: Sendable {
    private let travels: any TravelEditingRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who edits.
    public init(travels: any TravelEditingRepository, session: any SessionRepository) {
        self.travels = travels
        self.session = session
    }

    /// Adds `entry` to the timeline; it replaces an entry with the same ID.
    ///
    /// ```swift
    /// let photo = try TravelImage(bytes: data)
    /// let entry = try TimelineEntry(day: 1, time: time, title: title, text: text, image: photo.id)
    /// try await saveEntry(entry, adding: photo, in: travel)
    /// ```
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - image: The image of the entry, if the travel does not have it yet.
    ///   - id: The ID of the travel.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   travel; ``TravelError/forbidden(_:)`` when the signed-in person is not the author; ``TravelError/invalid(_:)``
    ///   when the entry lies on a day that the travel does not have; ``TravelError/conflict(_:)`` when another travel
    ///   has the entry or its image; other errors of the repository; `CancellationError`.
    public func callAsFunction(
        _ entry: TimelineEntry, adding image: TravelImage? = nil, in id: Travel.ID
    ) async throws {
        let user = try await session.requireUser()
        try await travels.update(id, by: user, adding: image.map { [$0] } ?? []) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return try travel.saving(entry)
        }
    }
}
