#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A whole trip on its way into a store: the travel and its timeline.
public struct RecordedTravel: Hashable, Sendable, Identifiable {
    /// Which travel it will be.
    public let id: Travel.ID
    /// Who recorded it.
    public let author: User
    /// When it was recorded.
    public let createdAt: Date
    /// What its author wrote about it.
    public let content: TravelContent
    /// Its timeline, in order.
    public let timeline: [TimelineEntry]

    /// A trip with these parts; its timeline is put in order.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when an entry lies on a day that the trip does not have, or when `createdAt` is
    ///   not a number.
    public init(
        id: ID = ID(), author: User, createdAt: Date, content: TravelContent, timeline: [TimelineEntry]
    ) throws(TravelError) {
        guard !createdAt.timeIntervalSinceReferenceDate.isNaN else {
            throw .invalid(.init(.date, .malformed(expected: "a moment that comes before or after others")))
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
