import TravelDomain

/// The plainest store there is: one list, searched from end to end by the domain's own rules.
struct TravelModel {
    private struct Stored {
        let recorded: RecordedTravel
        var likers: Set<User.ID> = []
    }

    private var stored: [Stored] = []
    private var authors: [User.ID: User] = [:]

    func search(_ query: TravelQuery) -> TravelPage {
        let criteria = query.criteria
        let rest = stored.filter { criteria.matches($0.recorded.content) }
            .map { seen($0, by: query.viewer) }
            .filter { query.cursor?.precedes($0) ?? true }
            .sorted(by: criteria.sort.precedes)
        let page = rest.prefix(query.limit)
        return TravelPage(
            travels: Array(page),
            next: rest.count > page.count ? page.last.map { TravelCursor(after: $0, in: criteria.sort) } : nil)
    }

    func travel(_ id: Travel.ID, viewer: User.ID?) throws(TravelError) -> Travel {
        seen(stored[try index(of: id)], by: viewer)
    }

    func timeline(of id: Travel.ID) throws(TravelError) -> [TimelineEntry] {
        stored[try index(of: id)].recorded.timeline
    }

    mutating func add(_ travels: [RecordedTravel]) throws(TravelError) {
        var changed = self
        for travel in travels {
            guard !changed.stored.contains(where: { $0.recorded.id == travel.id }) else {
                throw .conflict(.travel(travel.id))
            }
            let entries = Set(changed.stored.flatMap { $0.recorded.timeline.map(\.id) })
            if let entry = travel.timeline.first(where: { entries.contains($0.id) }) {
                throw .conflict(.entry(entry.id))
            }
            changed.authors[travel.author.id] = travel.author
            changed.stored.append(Stored(recorded: travel))
        }
        self = changed
    }

    mutating func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) throws(TravelError) {
        let index = try index(of: id)
        guard authors[user] != nil else { throw .notFound(.user(user)) }
        if isLiked { stored[index].likers.insert(user) } else { stored[index].likers.remove(user) }
    }

    private func index(of id: Travel.ID) throws(TravelError) -> Int {
        guard let index = stored.firstIndex(where: { $0.recorded.id == id }) else { throw .notFound(.travel(id)) }
        return index
    }

    private func seen(_ stored: Stored, by viewer: User.ID?) -> Travel {
        let recorded = stored.recorded
        return Travel(
            id: recorded.id, author: authors[recorded.author.id] ?? recorded.author, content: recorded.content,
            createdAt: recorded.createdAt, likeCount: stored.likers.count,
            isLiked: viewer.map(stored.likers.contains) ?? false, isMine: viewer == recorded.author.id)
    }
}
