#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Records a new travel: its author is an existing user, its time is now, and its timeline is empty.
///
/// ```swift
/// let recordTravel = RecordTravel(travels: travels, users: users, now: { clock.now })
/// let travel = try await recordTravel(content, by: user.id)
/// ```
///
/// ``ImportTrack`` creates a travel from a recorded track instead.
public struct RecordTravel: Sendable {
    private let travels: any TravelRepository
    private let users: any UserRepository
    private let now: @Sendable () -> Date

    /// Creates the use case; `users` provides the author, and `now` the current time.
    public init(travels: any TravelRepository, users: any UserRepository, now: @escaping @Sendable () -> Date) {
        self.travels = travels
        self.users = users
        self.now = now
    }

    /// Creates a travel, stores it, and returns it.
    ///
    /// - Parameters:
    ///   - content: The content of the travel.
    ///   - thumbnail: The image of the content's ``TravelContent/thumbnail``.
    ///   - user: The author.
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person, or when the content's thumbnail is not
    ///   `thumbnail`; other errors of the repositories; `CancellationError`. Nothing is stored in any of these cases.
    public func callAsFunction(
        _ content: TravelContent, adding thumbnail: TravelImage? = nil, by user: User.ID
    ) async throws -> RecordedTravel {
        let author = try await users.user(user)
        let travel = try RecordedTravel(author: author, createdAt: now(), content: content, timeline: [])
        try await travels.add([travel], images: thumbnail.map { [$0] } ?? [])
        return travel
    }
}
