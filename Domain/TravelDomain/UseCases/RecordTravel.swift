#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Begins the record of a trip: a travel of someone who has an account, recorded now, with an empty timeline.
///
/// ```swift
/// let recordTravel = RecordTravel(travels: travels, users: users, now: { clock.now })
/// let travel = try await recordTravel(content, by: user.id)
/// ```
///
/// ``ImportTrack`` makes one of a recorded track.
public struct RecordTravel: Sendable {
    private let travels: any TravelRepository
    private let users: any UserRepository
    private let now: @Sendable () -> Date

    /// Adds to `travels`, by someone in `users`; `now` tells the time.
    public init(travels: any TravelRepository, users: any UserRepository, now: @escaping @Sendable () -> Date) {
        self.travels = travels
        self.users = users
        self.now = now
    }

    /// The new travel, which is in the store when this returns.
    ///
    /// - Parameter thumbnail: The image of the content's ``TravelContent/thumbnail``.
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person, or when the content's thumbnail is another than
    ///   `thumbnail`; what the repositories throw; `CancellationError`. Nothing is kept then.
    public func callAsFunction(
        _ content: TravelContent, adding thumbnail: TravelImage? = nil, by user: User.ID
    ) async throws -> RecordedTravel {
        let author = try await users.user(user)
        let travel = try RecordedTravel(author: author, createdAt: now(), content: content, timeline: [])
        try await travels.add([travel], images: thumbnail.map { [$0] } ?? [])
        return travel
    }
}
