/// Changes what an author wrote about a trip: its title, dates and all that a search filters by.
///
/// Only the author may, and the dates may not shrink below the entries of the timeline: the error then lists the
/// entries in the way.
public struct EditTravel: Sendable {
    private let travels: any TravelEditingRepository

    /// Changes travels in `travels`.
    public init(travels: any TravelEditingRepository) {
        self.travels = travels
    }

    /// Gives the travel other content.
    ///
    /// - Parameter thumbnail: The image of the content's ``TravelContent/thumbnail``, if the trip does not have it yet.
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel, ``TravelError/forbidden(_:)`` when `user` is not
    ///   its author, ``TravelError/invalid(_:)`` with
    ///   ``Violation/Rule/entriesInTheWay(_:)``, what the repository throws, or `CancellationError`.
    public func callAsFunction(
        _ id: Travel.ID, _ content: TravelContent, adding thumbnail: TravelImage? = nil, by user: User.ID
    ) async throws {
        try await travels.update(id, by: user, adding: thumbnail.map { [$0] } ?? []) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return try travel.with(content)
        }
    }
}
