import TravelDomain

/// A travel as the store keeps it: as recorded, and who likes it.
struct StoredTravel: Sendable {
    let recorded: RecordedTravel
    var likers: Set<User.ID> = []
    let foldedTitle: String

    init(_ recorded: RecordedTravel) {
        self.recorded = recorded
        self.foldedTitle = Keyword.folded(recorded.content.title.text)
    }

    /// Whether it meets `filters`, in which no keyword is set, and contains `keyword`: the answer of
    /// `TravelCriteria.matches(_:)`, with the title folded once for all searches.
    func meets(_ filters: TravelCriteria, _ keyword: Keyword?) -> Bool {
        filters.matches(recorded.content) && (keyword?.matches(folded: foldedTitle) ?? true)
    }

    /// The travel as `viewer` sees it, under the nickname its author has now.
    func seen(by viewer: User.ID?, authors: [User.ID: User]) -> Travel {
        Travel(
            id: recorded.id, author: authors[recorded.author.id] ?? recorded.author, content: recorded.content,
            createdAt: recorded.createdAt, likeCount: likers.count,
            isLiked: viewer.map(likers.contains) ?? false, isMine: viewer == recorded.author.id)
    }
}
