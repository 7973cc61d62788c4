/// Changes the content of a travel: its title, its dates and everything that searches filter by.
///
/// Only the author can do this. The dates must still include every entry of the timeline; otherwise the error lists the
/// entries after the last day.
public struct EditTravel: Sendable {
    private let travels: any TravelEditingRepository

    /// Creates the use case.
    public init(travels: any TravelEditingRepository) {
        self.travels = travels
    }

    /// Replaces the content of the travel.
    ///
    /// - Parameters:
    ///   - id: The ID of the travel.
    ///   - content: The new content.
    ///   - thumbnail: The image of the content's ``TravelContent/thumbnail``, if it is new.
    ///   - user: The person who edits.
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel; ``TravelError/forbidden(_:)`` when `user`
    ///   is not the author; ``TravelError/invalid(_:)`` with ``Violation/Rule/entriesInTheWay(_:)`` when entries lie
    ///   after the last day; other errors of the repository; `CancellationError`.
    public func callAsFunction(
        _ id: Travel.ID, _ content: TravelContent, adding thumbnail: TravelImage? = nil, by user: User.ID
    ) async throws {
        try await travels.update(id, by: user, adding: thumbnail.map { [$0] } ?? []) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return try travel.with(content)
        }
    }
}
