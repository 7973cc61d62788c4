import TravelDomain

/// What several repositories of the store look up.
extension InMemoryTravelRepository {
    func stored(_ id: Travel.ID) throws(TravelError) -> StoredTravel {
        guard let travel = travels[id] else { throw .notFound(.travel(id)) }
        return travel
    }

    /// The travel, if `viewer` sees it.
    func stored(_ id: Travel.ID, seenBy viewer: User.ID?) throws(TravelError) -> StoredTravel {
        let travel = try stored(id)
        guard visibility(for: viewer).shows(travel) else { throw .notFound(.travel(id)) }
        return travel
    }

    func person(_ id: User.ID) throws(TravelError) -> User {
        guard let person = people[id] else { throw .notFound(.user(id)) }
        return person
    }

    func visibility(for viewer: User.ID?) -> Visibility {
        Visibility(viewer: viewer, blocked: viewer.flatMap { blocked[$0] } ?? [])
    }

    func matches(_ travel: StoredTravel, _ criteria: TravelCriteria) -> Bool {
        criteria.matches(author: travel.recorded.author.id, likers: travel.likers)
            && criteria.matches(travel.recorded.content)
    }

    /// The travel as `viewer` sees it, with its author as they are now.
    func seen(_ travel: StoredTravel, by viewer: User.ID?) throws(TravelError) -> Travel {
        let recorded = travel.recorded
        return try Travel(
            id: recorded.id, author: person(recorded.author.id), content: recorded.content,
            createdAt: recorded.createdAt, updatedAt: recorded.updatedAt, version: recorded.version,
            likeCount: travel.likeCount, isLiked: viewer.map(travel.likers.contains) ?? false,
            isMine: viewer == recorded.author.id, thumbnail: travel.thumbnail)
    }

    /// The travel with its author as they are now.
    func current(_ recorded: RecordedTravel) throws(TravelError) -> RecordedTravel {
        try RecordedTravel(
            id: recorded.id, author: person(recorded.author.id), createdAt: recorded.createdAt,
            updatedAt: recorded.updatedAt, version: recorded.version, content: recorded.content,
            timeline: recorded.timeline, track: recorded.track)
    }

    /// The IDs of all entries, except those of `travel`.
    func entries(except travel: Travel.ID? = nil) -> Set<TimelineEntry.ID> {
        Set(travels.values.filter { $0.recorded.id != travel }.flatMap { $0.recorded.timeline.map(\.id) })
    }

    /// Inserts the IDs of new entries.
    ///
    /// - Throws: `TravelError.conflict` when one is in `entries` already.
    static func insert(
        _ timeline: [TimelineEntry], into entries: inout Set<TimelineEntry.ID>
    ) throws(TravelError) {
        for entry in timeline where !entries.insert(entry.id).inserted { throw .conflict(.entry(entry.id)) }
    }

    /// Checks that neither a travel nor a person has one of these images.
    func requireNew(_ images: [TravelImage]) throws(TravelError) {
        if images.isEmpty { return }
        let known = Set((travels.values.flatMap(\.images) + avatars.values).map(\.id))
        if let image = images.first(where: { known.contains($0.id) }) { throw .conflict(.image(image.id)) }
    }
}
