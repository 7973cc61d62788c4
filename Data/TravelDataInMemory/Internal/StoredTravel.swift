import TravelDomain

/// A travel with everything that belongs to it.
struct StoredTravel: Sendable {
    /// The travel as it was added, or as its last edit left it.
    var recorded: RecordedTravel
    var images: [TravelImage]
    var likers: Set<User.ID> = []
    var reporters: Set<User.ID> = []
    /// The number of people who like it, but are not known.
    var otherLikes = 0
    /// Whether the timeline is known, and the image that represents the travel if not.
    var isTimelineKnown = true
    var seenThumbnail: TravelImage.ID?

    var likeCount: Int { likers.count + otherLikes }
    var thumbnail: TravelImage.ID? { isTimelineKnown ? recorded.thumbnail : seenThumbnail }
}

extension Visibility {
    /// Whether the viewer sees `travel`.
    func shows(_ travel: StoredTravel) -> Bool {
        shows(travelBy: travel.recorded.author.id, reports: travel.reporters.count)
    }
}
