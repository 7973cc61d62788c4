#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Deletes an entry from the timeline of a travel, with its image. Only the author of the travel can do this.
///
/// If the image represented the travel, the first image of the remaining timeline takes its place.
///
/// ```swift
/// let delete = DeleteEntry(travels: repository, session: session, now: { Date() })
/// try await delete(entry.id, in: travel.id).timeline.contains(entry)    // false
/// ```
public struct DeleteEntry: Sendable {
    private let travels: any TravelEditingRepository
    private let session: any SessionRepository
    private let now: @Sendable () -> Date

    /// Creates the use case; `session` provides the person who edits, and `now` the current time.
    public init(
        travels: any TravelEditingRepository, session: any SessionRepository, now: @escaping @Sendable () -> Date
    ) {
        self.travels = travels
        self.session = session
        self.now = now
    }

    /// Deletes the entry, and returns the travel as it is stored now.
    ///
    /// - Parameters:
    ///   - entry: The ID of the entry.
    ///   - id: The ID of the travel.
    ///   - version: The version that the person has edited; `nil` to change any. If the travel has another version, but
    ///     no such entry, the call returns it.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/notFound(_:)`` when there is no such
    ///   travel or entry; ``TravelError/forbidden(_:)`` when the signed-in person is not the author;
    ///   ``TravelError/outdated(_:)`` when the travel has another version, with the entry; other errors of the
    ///   repository; `CancellationError`.
    @discardableResult
    public func callAsFunction(
        _ entry: TimelineEntry.ID, in id: Travel.ID, expecting version: TravelVersion? = nil
    ) async throws -> RecordedTravel {
        let (user, now) = (try await session.requireUser(), now())
        return try await travels.edit(id, expecting: version, by: user) {
            travel throws(TravelError) in
            try travel.removing(entry, at: now)
        } isDone: { travel in
            !travel.timeline.contains { $0.id == entry }
        }
    }
}
