import TravelDomain

extension TripModel {
    mutating func add(_ trips: [RecordedTrip], images: [TripImage] = []) throws(TravelError) {
        var changed = self
        try Self.requireDistinct(images)
        var taken: Set<TripImage.ID> = []
        for trip in trips {
            guard !changed.stored.contains(where: { $0.recorded.id == trip.id }) else {
                throw .conflict(.trip(trip.id))
            }
            let images = try Self.take(images, for: trip, &taken)
            try changed.requireNew(images)
            let entries = Set(changed.stored.flatMap { $0.recorded.timeline.map(\.id) })
            if let entry = trip.timeline.first(where: { entries.contains($0.id) }) {
                throw .conflict(.entry(entry.id))
            }
            if !changed.users.contains(where: { $0.id == trip.author.id }) {
                changed.users.append(User(id: trip.author.id, nickname: trip.author.nickname))
            }
            changed.stored.append(Stored(recorded: trip, images: images))
        }
        self = changed
    }

    mutating func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) throws(TravelError) -> RecordedTrip? {
        let index = try index(of: id, seenBy: user)
        let before = try recorded(id) ?? stored[index].recorded
        guard user == before.author.id else { throw .forbidden(.trip(id)) }
        guard version == nil || version == before.version else { throw .outdated(before) }
        guard let changed = try change(before) else {
            stored.remove(at: index)
            return nil
        }
        try Self.requireDistinct(images)
        var none: Set<TripImage.ID> = []
        let taken = try Self.take(images, for: changed, besides: before.images, &none)
        try requireNew(taken)
        let others = Set(stored.filter { $0.recorded.id != id }.flatMap { $0.recorded.timeline.map(\.id) })
        if let entry = changed.timeline.first(where: { others.contains($0.id) }) { throw .conflict(.entry(entry.id)) }
        let track = changed.track == before.track?.withoutTimes ? before.track : changed.track
        let isNew = (changed.content, changed.timeline, track) != (before.content, before.timeline, before.track)
        let after = try RecordedTrip(
            id: id, author: before.author, createdAt: before.createdAt,
            updatedAt: isNew ? changed.updatedAt : before.updatedAt,
            version: isNew ? before.version.next : before.version, content: changed.content, timeline: changed.timeline,
            track: track)
        stored[index].recorded = after
        stored[index].images = (stored[index].images + taken).filter { changed.images.contains($0.id) }
        return after
    }

    mutating func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) throws(TravelError) {
        var index = try index(of: id)
        if isLiked || !stored[index].likedBy.contains(user) { index = try self.index(of: id, seenBy: user) }
        _ = try self.user(user)
        if isLiked { stored[index].likedBy.insert(user) } else { stored[index].likedBy.remove(user) }
    }

    /// All reports of a history are made on the same day.
    mutating func report(_ id: Trip.ID, by user: User.ID) throws(TravelError) -> Bool {
        let index = try index(of: id, seenBy: user)
        _ = try self.user(user)
        guard stored[index].recorded.author.id != user else { throw .forbidden(.trip(id)) }
        guard stored[index].reporters[user] == nil else { return false }
        let others = stored.count { $0.reporters[user] != nil }
        let standing = ReportStanding(accountSince: nil, otherReports: others)
        stored[index].reporters[user] = standing.counts(at: Date(timeIntervalSinceReferenceDate: 0))
        return true
    }

    mutating func block(_ author: User.ID, by user: User.ID) throws(TravelError) -> Bool {
        _ = (try self.user(author), try self.user(user))
        guard author != user else { throw .forbidden(.user(author)) }
        guard !blocks.contains(where: { $0 == (user, author) }) else { return false }
        blocks.append((user, author))
        return true
    }

    mutating func unblock(_ author: User.ID, by user: User.ID) {
        blocks.removeAll { $0 == (user, author) }
    }

    mutating func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) throws(TravelError) {
        _ = try self.user(id)
        guard id == user else { throw .forbidden(.user(id)) }
        users.removeAll { $0.id == id }
        users.append(User(id: id, nickname: nickname, avatar: avatars[id]?.id))
    }

    mutating func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) throws(TravelError) {
        let before = try self.user(id)
        guard id == user else { throw .forbidden(.user(id)) }
        guard image?.id != before.avatar else { return }
        if let image { try requireNew([image]) }
        avatars[id] = image
        users.removeAll { $0.id == id }
        users.append(User(id: id, nickname: before.nickname, avatar: image?.id))
    }

    mutating func removeUser(_ id: User.ID, by user: User.ID) throws(TravelError) {
        _ = try self.user(id)
        guard id == user else { throw .forbidden(.user(id)) }
        users.removeAll { $0.id == id }
        avatars[id] = nil
        blocks.removeAll { $0.user == id || $0.author == id }
        stored.removeAll { $0.recorded.author.id == id }
        for index in stored.indices {
            stored[index].likedBy.remove(id)
            stored[index].reporters[id] = nil
        }
    }

    private static func requireDistinct(_ images: [TripImage]) throws(TravelError) {
        for (index, image) in images.enumerated() where images[..<index].contains(where: { $0.id == image.id }) {
            throw .conflict(.image(image.id))
        }
    }

    /// The images that `trip` shows and did not have before; no earlier trip may have `taken` them.
    private static func take(
        _ images: [TripImage], for trip: RecordedTrip, besides before: [TripImage.ID] = [],
        _ taken: inout Set<TripImage.ID>
    ) throws(TravelError) -> [TripImage] {
        var new: [TripImage] = []
        for id in trip.images where !before.contains(id) {
            guard taken.insert(id).inserted else { throw .conflict(.image(id)) }
            guard let image = images.first(where: { $0.id == id }) else { throw .notFound(.image(id)) }
            new.append(image)
        }
        return new
    }

    private func requireNew(_ images: [TripImage]) throws(TravelError) {
        let known = Set((stored.flatMap(\.images) + avatars.values).map(\.id))
        if let image = images.first(where: { known.contains($0.id) }) { throw .conflict(.image(image.id)) }
    }
}
