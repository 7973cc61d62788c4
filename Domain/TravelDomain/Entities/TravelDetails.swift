/// A travel with its timeline, as one viewer sees them. Both belong to the same version of the travel.
///
/// ```swift
/// let details = TravelDetails(travel: travel, timeline: try await repository.timeline(of: travel.id, viewer: nil))
/// details.id == travel.id    // true
/// ```
public struct TravelDetails: Hashable, Sendable, Identifiable {
    /// The travel as the viewer sees it, with its likes.
    public let travel: Travel
    /// The timeline, ordered by day and then by time.
    public let timeline: [TimelineEntry]

    /// Creates details from a travel and its timeline, without checks.
    public init(travel: Travel, timeline: [TimelineEntry]) {
        self.travel = travel
        self.timeline = timeline
    }

    /// The ID of the travel, which identifies the value in a list.
    public var id: Travel.ID { travel.id }
}
