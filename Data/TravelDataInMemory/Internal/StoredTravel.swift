import TravelDomain

/// A stored travel with its likes and reports.
struct StoredTravel: Sendable {
    /// The number of the travel in the ``TravelIndex``.
    let number: Int
    var recorded: RecordedTravel
    var likers: Set<User.ID> = []
    var reporters: Set<User.ID> = []
    /// The number of people who like it, but are not known.
    var otherLikes = 0
    /// The image that represents the travel, if its timeline is not known.
    var seenThumbnail: TravelImage.ID?
    var isTimelineKnown = true

    var likeCount: Int { likers.count + otherLikes }
    var thumbnail: TravelImage.ID? { isTimelineKnown ? recorded.thumbnail : seenThumbnail }

    init(_ recorded: RecordedTravel, number: Int) {
        self.recorded = recorded
        self.number = number
    }

    /// Replaces the content and the timeline with those of `changed`.
    mutating func replace(with changed: RecordedTravel) throws(TravelError) {
        recorded = try changed.revision(of: recorded)
    }

    /// The travel with the current nickname of its author.
    func recorded(authors: [User.ID: User]) throws(TravelError) -> RecordedTravel {
        try RecordedTravel(
            id: recorded.id, author: authors[recorded.author.id] ?? recorded.author, createdAt: recorded.createdAt,
            updatedAt: recorded.updatedAt, version: recorded.version, content: recorded.content,
            timeline: recorded.timeline)
    }

    /// The travel as `viewer` sees it, with the current nickname of its author.
    func seen(by viewer: User.ID?, authors: [User.ID: User]) throws(TravelError) -> Travel {
        try Travel(
            id: recorded.id, author: authors[recorded.author.id] ?? recorded.author, content: recorded.content,
            createdAt: recorded.createdAt, updatedAt: recorded.updatedAt, version: recorded.version,
            likeCount: likeCount,
            isLiked: viewer.map(likers.contains) ?? false, isMine: viewer == recorded.author.id,
            thumbnail: thumbnail)
    }
}

extension Visibility {
    /// Whether the viewer sees `travel`.
    func shows(_ travel: StoredTravel) -> Bool {
        shows(travelBy: travel.recorded.author.id, reports: travel.reporters.count)
    }
}
