#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A complete travel to be stored: its content and its timeline.
public struct RecordedTravel: Hashable, Sendable, Identifiable {
    /// The ID of the travel.
    public let id: Travel.ID
    /// The person who recorded it.
    public let author: User
    /// The time at which it was recorded.
    public let createdAt: Date
    /// The content that its author wrote.
    public let content: TravelContent
    /// The timeline, sorted with ``TimelineEntry/precedes(_:_:)``.
    public let timeline: [TimelineEntry]

    /// Creates a travel from its parts and sorts the timeline.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when an entry lies on a day that the travel does not have, or when
    ///   `createdAt` is not a number (NaN).
    public init(
        id: ID = ID(), author: User, createdAt: Date, content: TravelContent, timeline: [TimelineEntry]
    ) throws(TravelError) {
        guard !createdAt.timeIntervalSinceReferenceDate.isNaN else {
            throw .invalid(.init(.date, .malformed(expected: "a moment in time")))
        }
        guard timeline.allSatisfy({ $0.day <= content.days.count }) else {
            throw .invalid(.init(.day, .outOfRange("a day of the trip, 1…\(content.days.count)")))
        }
        self.id = id
        self.author = author
        self.createdAt = createdAt
        self.content = content
        self.timeline = timeline.sorted(by: TimelineEntry.precedes)
    }
}
