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
    private let now: @Sendable () -> Date

    /// Creates the use case; `session` and `users` provide the author, and `now` the current time.
    public init(
        travels: any TravelRepository, users: any UserRepository, session: any SessionRepository,
        now: @escaping @Sendable () -> Date
    ) {
        self.travels = travels
        self.users = users
        self.session = session
        self.now = now
    }

    /// Creates a travel, stores it, and returns it.
    ///
    /// - Parameters:
    ///   - content: The content of the travel.
    ///   - thumbnail: The image of the content's ``TravelContent/thumbnail``.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when the signed-in
    ///   person has no account, or when the content's thumbnail is not `thumbnail`; other errors of the repositories;
    ///   `CancellationError`. Nothing is stored in any of these cases.
    public func callAsFunction(
        _ content: TravelContent, adding thumbnail: TravelImage? = nil
    ) async throws -> RecordedTravel {
        let author = try await users.user(session.requireUser())
        let travel = try RecordedTravel(author: author, createdAt: now(), content: content, timeline: [])
        try await travels.add([travel], images: thumbnail.map { [$0] } ?? [])
        return travel
    }
}
