/// Changes the content of a travel: its title, its dates and everything that searches filter by.
///
/// Only the author can do this. The dates must still include every entry of the timeline; otherwise the error lists the
/// entries after the last day.
public struct EditTravel: Sendable {
    private let travels: any TravelEditingRepository
    private let session: any SessionRepository

    /// Creates the use case; `session` provides the person who edits.
    public init(travels: any TravelEditingRepository, session: any SessionRepository) {
        self.travels = travels
        self.session = session
    }

    /// Replaces the content of the travel.
    ///
    /// - Parameters:
    ///   - id: The ID of the travel.
    ///   - content: The new content.
    ///   - thumbnail: The image of the content's ``TravelContent/thumbnail``, if it is new.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   travel; ``TravelError/forbidden(_:)`` when the signed-in person is not the author; ``TravelError/invalid(_:)``
    ///   with ``Violation/Rule/entriesInTheWay(_:)`` when entries lie after the last day; other errors of the
    ///   repository; `CancellationError`.
    public func callAsFunction(
        _ id: Travel.ID, _ content: TravelContent, adding thumbnail: TravelImage? = nil
    ) async throws {
        let user = try await session.requireUser()
        try await travels.update(id, by: user, adding: thumbnail.map { [$0] } ?? []) { travel throws(TravelError) in
            try travel.requireAuthor(user)
            return try travel.with(content)
        }
    }
}
