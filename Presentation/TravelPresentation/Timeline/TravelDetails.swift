/// A travel with its timeline, as one viewer sees them.
public struct TravelDetails: Hashable, Sendable, Identifiable {
    /// The travel.
    public let travel: Travel
    /// The timeline.
    public let timeline: [TimelineEntry]
    /// The ID of the travel.
    public var id: Travel.ID { travel.id }
    /// Creates details from their parts.
    public init(travel: Travel, timeline: [TimelineEntry]) {
        self.travel = travel
        self.timeline = timeline
    }
}
