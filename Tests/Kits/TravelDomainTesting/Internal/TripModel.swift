import TravelDomain

/// A reference implementation of a store: lists that are searched linearly by the domain's own rules.
struct TripModel {
    struct Stored {
        var recorded: RecordedTrip
        var likedBy: Set<User.ID> = []
        /// The people who have reported it, and whether that counts.
        var reporters: [User.ID: Bool] = [:]
        var images: [TripImage] = []

        var countingReports: Int { reporters.values.count { $0 } }
    }

    var stored: [Stored] = []
    var users: [User] = []
    var avatars: [User.ID: TripImage] = [:]
    /// The people who block authors.
    var blocks: [(user: User.ID, author: User.ID)] = []

    func search(_ query: TripQuery) throws(TravelError) -> TripPage {
        let criteria = query.criteria
        var found: [TripMatch.Rank: [Trip]] = [:]
        var entries: [Trip.ID: MatchedEntry] = [:]
        for stored in stored where isVisible(stored, to: query.viewer) {
            guard let match = match(stored, criteria) else { continue }
            let trip = try seen(stored, by: query.viewer)
            guard query.cursor?.precedes(trip, rank: match.rank) ?? true else { continue }
            found[match.rank, default: []].append(trip)
            entries[trip.id] = match.entry
        }
        // Titles first, each rank in the order of the search.
        let rest = TripMatch.Rank.allCases.flatMap { (found[$0] ?? []).sorted(by: criteria.sort.precedes) }
        let page = rest.prefix(query.limit)
        let last = rest.count > page.count ? page.last : nil
        return TripPage(
            trips: Array(page), matchedEntries: entries.filter { id, _ in page.contains { $0.id == id } },
            next: last.map { TripCursor(after: $0, in: criteria.sort, rank: entries[$0.id] == nil ? .title : .entry) })
    }

    func trip(_ id: Trip.ID, viewer: User.ID?, key: LinkKey? = nil) throws(TravelError) -> Trip {
        try seen(stored[try index(of: id, seenBy: viewer, key: key)], by: viewer)
    }

    func timeline(of id: Trip.ID, viewer: User.ID?, key: LinkKey? = nil) throws(TravelError) -> [TimelineEntry] {
        let trip = stored[try index(of: id, seenBy: viewer, key: key)].recorded
        if trip.author.id == viewer { return trip.timeline }
        var timeline: [TimelineEntry] = []
        for entry in trip.timeline {
            let pictures = entry.pictures.map { picture in
                var picture = picture
                if case .mineOnly = picture.position { picture.position = .withheld }
                return picture
            }
            timeline.append(try entry.with(pictures: pictures))
        }
        return timeline
    }

    func track(of id: Trip.ID, viewer: User.ID?, key: LinkKey? = nil) throws(TravelError) -> TrackGeometry? {
        stored[try index(of: id, seenBy: viewer, key: key)].recorded.track
    }

    func image(_ id: TripImage.ID, viewer: User.ID?, key: LinkKey? = nil) throws(TravelError) -> TripImage {
        for stored in stored {
            if let image = stored.images.first(where: { $0.id == id }), isVisible(stored, to: viewer, key: key) {
                return image
            }
        }
        guard let image = avatars.values.first(where: { $0.id == id }) else { throw .notFound(.image(id)) }
        return image
    }

    /// The distinct titles of all trips that `viewer` sees.
    func titles(seenBy viewer: User.ID?) -> Set<Title> {
        Set(stored.filter { isVisible($0, to: viewer) }.map(\.recorded.content.title))
    }

    func user(_ id: User.ID) throws(TravelError) -> User {
        guard let user = users.first(where: { $0.id == id }) else { throw .notFound(.user(id)) }
        return user
    }

    /// The people other than `user` who have that nickname.
    func holders(of nickname: Nickname, except user: User.ID) -> [User.ID] {
        users.filter { $0.id != user && $0.nickname.looksLike(nickname) }.map(\.id)
    }

    func blocked(by user: User.ID) throws(TravelError) -> [User] {
        var blocked: [User] = []
        for block in blocks where block.user == user { blocked.append(try self.user(block.author)) }
        return blocked.sorted { $0.id < $1.id }
    }

    /// The trip with the current nickname of its author.
    func recorded(_ id: Trip.ID) throws(TravelError) -> RecordedTrip? {
        guard let trip = stored.first(where: { $0.recorded.id == id })?.recorded else { return nil }
        let author = users.first { $0.id == trip.author.id } ?? trip.author
        return try RecordedTrip(
            id: id, author: author, createdAt: trip.createdAt, updatedAt: trip.updatedAt, version: trip.version,
            content: trip.content, timeline: trip.timeline, track: trip.track)
    }

    func index(of id: Trip.ID) throws(TravelError) -> Int {
        guard let index = stored.firstIndex(where: { $0.recorded.id == id }) else { throw .notFound(.trip(id)) }
        return index
    }

    func index(of id: Trip.ID, seenBy viewer: User.ID?, key: LinkKey? = nil) throws(TravelError) -> Int {
        let index = try index(of: id)
        guard isVisible(stored[index], to: viewer, key: key) else { throw .notFound(.trip(id)) }
        return index
    }

    private func isVisible(_ stored: Stored, to viewer: User.ID?, key: LinkKey? = nil) -> Bool {
        let author = stored.recorded.author.id
        let isBlocked = blocks.contains { $0.user == viewer && $0.author == author }
        return Visibility(viewer: viewer, blocked: isBlocked ? [author] : [], key: key)
            .shows(tripBy: author, to: stored.recorded.content.audience, reports: stored.countingReports)
    }

    func match(_ stored: Stored, _ criteria: TripCriteria) -> TripMatch? {
        guard criteria.author == nil || criteria.author == stored.recorded.author.id,
            criteria.likedBy.map({ stored.likedBy.contains($0) }) ?? true
        else { return nil }
        return criteria.match(stored.recorded.content, timeline: stored.recorded.timeline)
    }

    private func seen(_ stored: Stored, by viewer: User.ID?) throws(TravelError) -> Trip {
        let recorded = stored.recorded
        return try Trip(
            id: recorded.id, author: users.first { $0.id == recorded.author.id } ?? recorded.author,
            content: recorded.content, createdAt: recorded.createdAt, updatedAt: recorded.updatedAt,
            version: recorded.version, likeCount: stored.likedBy.count,
            isLiked: viewer.map(stored.likedBy.contains) ?? false, isMine: viewer == recorded.author.id,
            thumbnail: recorded.thumbnail,
            isHidden: viewer == recorded.author.id && stored.countingReports > Visibility.toleratedReports)
    }
}
