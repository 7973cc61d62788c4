#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A complete travel to be stored: its content, its timeline, and its recorded track.
///
/// ```swift
/// let travel = try RecordedTravel(author: author, createdAt: now, content: content, timeline: [dinner, breakfast])
/// travel.timeline.map(\.title.text)    // ["Breakfast", "Dinner"]
/// travel.version                       // .first
/// ```
public struct RecordedTravel: Hashable, Sendable, Identifiable {
    /// The ID of the travel, the same in every store.
    public let id: Travel.ID
    /// The person who recorded it, and who alone edits it.
    public let author: User
    /// The time at which it was recorded.
    public let createdAt: Date
    /// The time of the last change of the content or the timeline; ``createdAt`` if there was none.
    public let updatedAt: Date
    /// The version of the content and the timeline.
    public let version: TravelVersion
    /// The content that its author wrote, without the timeline.
    public let content: TravelContent
    /// The timeline, sorted with ``TimelineEntry/precedes(_:_:)``.
    public let timeline: [TimelineEntry]
    /// The way of the recorded track from which the travel was imported; `nil` for one that was written.
    public let track: TrackGeometry?

    /// The maximum number of entries in a timeline.
    public static let maximumEntryCount = 1_000

    /// Creates a travel from its parts and sorts the timeline.
    ///
    /// - Parameters:
    ///   - id: The ID.
    ///   - author: The person who recorded it.
    ///   - createdAt: The time at which it was recorded.
    ///   - updatedAt: The time of the last change; `nil` for `createdAt`.
    ///   - version: The version, by default the first.
    ///   - content: The content.
    ///   - timeline: The entries in any order.
    ///   - track: The way of a recorded track.
    /// - Throws: ``TravelError/invalid(_:)`` when an entry lies on a day that the travel does not have, when there are
    ///   more than ``maximumEntryCount`` entries, or when a time is not a number (NaN).
    public init(
        id: ID = ID(), author: User, createdAt: Date, updatedAt: Date? = nil, version: TravelVersion = .first,
        content: TravelContent, timeline: [TimelineEntry], track: TrackGeometry? = nil
    ) throws(TravelError) {
        try createdAt.requireMoment()
        try updatedAt?.requireMoment()
        guard timeline.allSatisfy({ $0.day <= content.days.count }) else {
            throw .invalid(.init(.day, .outOfRange("a day of the trip, 1…\(content.days.count)")))
        }
        guard timeline.count <= Self.maximumEntryCount else {
            throw .invalid(.init(.timeline, .tooMany(maximum: Self.maximumEntryCount)))
        }
        self.id = id
        self.author = author
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.version = version
        self.content = content
        self.timeline = timeline.sorted(by: TimelineEntry.precedes)
        self.track = track
    }
}

extension Date {
    /// Checks that the date is a moment in time.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when it is not a number (NaN).
    func requireMoment() throws(TravelError) {
        guard !timeIntervalSinceReferenceDate.isNaN else {
            throw .invalid(.init(.date, .malformed(expected: "a moment in time")))
        }
    }
}
