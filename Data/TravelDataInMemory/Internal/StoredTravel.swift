import TravelDomain

/// A travel as the store keeps it: as recorded, and who likes it.
struct StoredTravel: Sendable {
    /// Its number in the index.
    let number: Int
    private(set) var recorded: RecordedTravel
    var likers: Set<User.ID> = []
    var reporters: Set<User.ID> = []

    init(_ recorded: RecordedTravel, number: Int) {
        self.recorded = recorded
        self.number = number
    }

    /// Takes over the content and timeline of `changed`.
    mutating func replace(with changed: RecordedTravel) throws(TravelError) {
        recorded = try RecordedTravel(
            id: recorded.id, author: recorded.author, createdAt: recorded.createdAt, content: changed.content,
            timeline: changed.timeline)
    }

    /// The trip, under the nickname its author has now.
    func recorded(authors: [User.ID: User]) throws(TravelError) -> RecordedTravel {
        try RecordedTravel(
            id: recorded.id, author: authors[recorded.author.id] ?? recorded.author, createdAt: recorded.createdAt,
            content: recorded.content, timeline: recorded.timeline)
    }

    /// The travel as `viewer` sees it, under the nickname its author has now.
    func seen(by viewer: User.ID?, authors: [User.ID: User]) -> Travel {
        Travel(
            id: recorded.id, author: authors[recorded.author.id] ?? recorded.author, content: recorded.content,
            createdAt: recorded.createdAt, likeCount: likers.count,
            isLiked: viewer.map(likers.contains) ?? false, isMine: viewer == recorded.author.id,
            thumbnail: recorded.thumbnail)
    }
}

extension Visibility {
    /// Whether `travel` is seen.
    func shows(_ travel: StoredTravel) -> Bool {
        shows(travelBy: travel.recorded.author.id, reports: travel.reporters.count)
    }
}
