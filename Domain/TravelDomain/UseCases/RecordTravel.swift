#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Records a new travel: its author is the signed-in person, its time is now, and its timeline is empty.
///
/// ```swift
/// let recordTravel = RecordTravel(travels: travels, users: users, session: session, now: { clock.now })
/// let travel = try await recordTravel(content)
/// ```
///
/// ``ImportTrack`` creates a travel from a recorded track instead.
public struct RecordTravel: Sendable {
    private let travels: any TravelRepository
    private let users: any UserRepository
    private let session: any SessionRepository
    private let review: any ImageReview
    private let now: @Sendable () -> Date

    /// Creates the use case; `session` and `users` provide the author, `review` decides about a new image,
    /// and `now` is the current time.
    public init(
        travels: any TravelRepository, users: any UserRepository, session: any SessionRepository,
        review: any ImageReview = .everyImage, now: @escaping @Sendable () -> Date
    ) {
        self.travels = travels
        self.users = users
        self.session = session
        self.review = review
        self.now = now
    }

    /// Creates a travel, stores it, and returns it.
    ///
    /// To try again after a lost answer, repeat the call with the same ID and the same content: it returns the stored
    /// travel, and there is no second one.
    ///
    /// - Parameters:
    ///   - content: The content of the travel.
    ///   - id: The ID of the travel, by default a new one.
    ///   - thumbnail: The image of the content's ``TravelContent/thumbnail``.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when the signed-in
    ///   person has no account, or when the content's thumbnail is not `thumbnail`; ``TravelError/conflict(_:)`` when a
    ///   travel with this ID exists that has other content or another author; the errors of the review; other errors
    ///   of the repositories; `CancellationError`. Nothing is stored in any of these cases.
    public func callAsFunction(
        _ content: TravelContent, id: Travel.ID = Travel.ID(), adding thumbnail: TravelImage? = nil
    ) async throws -> RecordedTravel {
        let author = try await users.user(session.requireUser())
        if let thumbnail { try await review.review(thumbnail) }
        let travel = try RecordedTravel(id: id, author: author, createdAt: now(), content: content, timeline: [])
        do {
            try await travels.add([travel], images: thumbnail.map { [$0] } ?? [])
            return travel
        } catch TravelError.conflict(.travel(id)) {
            return try await stored(travel)
        }
    }

    /// The stored travel with the ID of `travel`, if it has the same author and content.
    private func stored(_ travel: RecordedTravel) async throws -> RecordedTravel {
        let author = travel.author.id
        do {
            let details = try await travels.details(of: travels.travel(travel.id, viewer: author), viewer: author)
            let stored = details.travel
            guard stored.author.id == author, stored.content == travel.content else {
                throw TravelError.conflict(.travel(travel.id))
            }
            return try details.recorded
        } catch TravelError.notFound(.travel(travel.id)) {
            // It is hidden from this person, or was removed in the meantime.
            throw TravelError.conflict(.travel(travel.id))
        }
    }
}
