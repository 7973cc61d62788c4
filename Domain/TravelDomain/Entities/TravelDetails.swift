/// A travel with its timeline and track, as one viewer sees them. All belong to the same version of the travel.
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

    /// The way of the recorded track from which the travel was imported, if it was.
    public let track: TrackGeometry?

    /// Creates details from a travel, its timeline and its track, without checks.
    public init(travel: Travel, timeline: [TimelineEntry], track: TrackGeometry? = nil) {
        self.travel = travel
        self.timeline = timeline
        self.track = track
    }

    /// The travel as it is stored, without likes.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` never when the parts are those of one stored travel.
    public var recorded: RecordedTravel {
        get throws(TravelError) {
            try RecordedTravel(
                id: travel.id, author: travel.author, createdAt: travel.createdAt, updatedAt: travel.updatedAt,
                version: travel.version, content: travel.content, timeline: timeline, track: track)
        }
    }

    /// The ID of the travel, which identifies the value in a list.
    public var id: Travel.ID { travel.id }
}
