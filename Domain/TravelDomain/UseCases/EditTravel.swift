#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Changes the content of a travel: its title, its dates and everything that searches filter by.
///
/// Only the author can do this. The dates must still include every entry of the timeline; otherwise the error lists the
/// entries after the last day.
///
/// ```swift
/// let editTravel = EditTravel(travels: travels, session: session, now: { clock.now })
/// do {
///     travel = try await editTravel(id, content, expecting: travel.version)
/// } catch TravelError.outdated(let current) {
///     show(current, besides: content)    // another device was faster
/// }
/// ```
public struct EditTravel: Sendable {
    private let travels: any TravelEditingRepository
    private let session: any SessionRepository
    private let review: any ImageReview
    private let now: @Sendable () -> Date

    /// Creates the use case; `session` provides the person who edits, `review` decides about a new image, and `now` is
    /// the current time.
    public init(
        travels: any TravelEditingRepository, session: any SessionRepository, review: any ImageReview = .everyImage,
        now: @escaping @Sendable () -> Date
    ) {
        self.travels = travels
        self.session = session
        self.review = review
        self.now = now
    }

    /// Replaces the content of the travel, and returns the travel as it is stored now.
    ///
    /// Repeating an edit has no further effect, even if it expects the version before it.
    ///
    /// - Parameters:
    ///   - id: The ID of the travel.
    ///   - content: The new content.
    ///   - thumbnail: The image of the content's ``TravelContent/thumbnail``, if it is new.
    ///   - version: The version that the person has edited; `nil` to replace any.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   travel; ``TravelError/forbidden(_:)`` when the signed-in person is not the author;
    ///   ``TravelError/outdated(_:)`` when the travel has another version and other content;
    ///   ``TravelError/invalid(_:)`` with ``Violation/Rule/entriesInTheWay(_:)`` when entries lie after the last day;
    ///   the errors of the review; other errors of the repository; `CancellationError`.
    @discardableResult
    public func callAsFunction(
        _ id: Travel.ID, _ content: TravelContent, adding thumbnail: TravelImage? = nil,
        expecting version: TravelVersion? = nil
    ) async throws -> RecordedTravel {
        let user = try await session.requireUser()
        if let thumbnail { try await review.review(thumbnail) }
        let now = now()
        return try await travels.edit(id, expecting: version, by: user, adding: thumbnail) {
            travel throws(TravelError) in
            try travel.with(content, at: now)
        } isDone: {
            $0.content == content
        }
    }
}
