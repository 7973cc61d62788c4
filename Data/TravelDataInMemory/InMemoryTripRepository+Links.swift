internal import TravelDataShared
public import TravelDomain

extension InMemoryTripRepository: LinkFollowing {
    public nonisolated func following(_ key: LinkKey) -> any TravelStore {
        InMemoryFollowedLink(store: self, key: key)
    }
}

/// What depends on the key of a link.
extension InMemoryTripRepository {
    func trip(_ id: Trip.ID, viewer: User.ID?, key: LinkKey?) throws -> Trip {
        try Task.checkCancellation()
        return try seen(stored(id, seenBy: viewer, key: key), by: viewer)
    }

    func timeline(of id: Trip.ID, viewer: User.ID?, key: LinkKey?) throws -> [TimelineEntry] {
        try Task.checkCancellation()
        let trip = try stored(id, seenBy: viewer, key: key).recorded
        return trip.timeline.seen(byAuthor: trip.author.id == viewer)
    }

    func track(of id: Trip.ID, viewer: User.ID?, key: LinkKey?) throws -> TrackGeometry? {
        try Task.checkCancellation()
        return try stored(id, seenBy: viewer, key: key).recorded.track
    }

    /// The image with the author of its trip, or the user whose picture it is.
    func image(_ id: TripImage.ID, viewer: User.ID?, key: LinkKey?) throws -> (image: TripImage, owner: User.ID) {
        try Task.checkCancellation()
        let visibility = visibility(for: viewer, key: key)
        for trip in trips.values {
            if let image = trip.images.first(where: { $0.id == id }), visibility.shows(trip) {
                return (image, trip.recorded.author.id)
            }
        }
        guard let (user, image) = avatars.first(where: { $0.value.id == id }) else {
            throw TravelError.notFound(.image(id))
        }
        return (image, user)
    }

    func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?, key: LinkKey?) throws -> StoredPicture {
        let (image, owner) = try image(id, viewer: viewer, key: key)
        if let size, let kept = smallerPictures[id]?[size], kept.image == image.bytes { return .kept(kept.picture) }
        return .original(image, isMine: owner == viewer)
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID, key: LinkKey?) throws {
        try Task.checkCancellation()
        // One's own like can be taken back even if the trip is hidden by now.
        if !isLiked, try stored(id).likedBy.contains(user) {
            trips[id]?.likedBy.remove(user)
        } else {
            _ = try (stored(id, seenBy: user, key: key), storedUser(user))
            if isLiked { trips[id]?.likedBy.insert(user) }
        }
        changes.notify()
    }

    func report(_ id: Trip.ID, by user: User.ID, at time: Date, key: LinkKey?) throws -> Bool {
        try Task.checkCancellation()
        let trip = try stored(id, seenBy: user, key: key)
        _ = try storedUser(user)
        guard trip.recorded.author.id != user else { throw TravelError.forbidden(.trip(id)) }
        guard trip.reports[user] == nil else { return false }
        let dayBefore = time.addingTimeInterval(-ReportStanding.day)
        let others = trips.values.count { trip in trip.reports[user].map { $0.time > dayBefore } ?? false }
        let standing = ReportStanding(accountSince: accountsSince[user], otherReports: others)
        trips[id]?.reports[user] = StoredTrip.Report(time: time, counts: standing.counts(at: time))
        changes.notify()
        return true
    }
}

private struct InMemoryFollowedLink: FollowedLink {
    let store: InMemoryTripRepository
    let key: LinkKey

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await store.trip(id, viewer: viewer, key: key)
    }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await store.timeline(of: id, viewer: viewer, key: key)
    }

    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await store.track(of: id, viewer: viewer, key: key)
    }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        try await store.image(id, viewer: viewer, key: key).image
    }

    func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?) async throws -> StoredPicture {
        try await store.picture(id, in: size, viewer: viewer, key: key)
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await store.setLiked(isLiked, trip: id, by: user, key: key)
    }

    func report(_ id: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await store.report(id, by: user, at: time, key: key)
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await store.update(id, expecting: version, by: user, adding: images, key: key, change)
    }

    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        InMemoryObservation(changes: store.changes) { try await self.trip(id, viewer: viewer) }
    }

    func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        InMemoryObservation(changes: store.changes) {
            try await self.timeline(of: id, viewer: viewer).filter { day == nil || $0.day == day }
        }
    }
}
