public import TravelDomain

extension InMemoryTripRepository: TripCache {
    public func store(_ fetched: FetchedTrips) async throws {
        try Task.checkCancellation()
        // Created first, so that an invalid one changes nothing.
        let recorded = try fetched.trips.map {
            let timeline = fetched.timelines[$0.id]
            return try TripDetails(
                trip: $0, timeline: timeline ?? [], track: timeline == nil ? nil : fetched.tracks[$0.id]
            ).recorded
        }
        for user in fetched.users { know(user) }
        for user in fetched.missingUsers { removeAll(of: user) }
        for id in fetched.missingTrips { trips[id] = nil }
        for (trip, recorded) in zip(fetched.trips, recorded) {
            store(recorded, isComplete: fetched.timelines[trip.id] != nil)
            storeLikes(of: trip, viewer: fetched.viewer)
            if let viewer = fetched.viewer { blocked[viewer]?.remove(trip.author.id) }
            know(trip.author)
        }
        for (user, authors) in fetched.blocked {
            for author in authors { know(author) }
            blocked[user] = Set(authors.map(\.id))
        }
        for image in fetched.images where lacks(image.id) {
            if let trip = tripShowing(image.id) { trips[trip]?.images.append(image) }
            for user in users.values where user.avatar == image.id { avatars[user.id] = image }
        }
        answers.merge(fetched.answers) { $1 }
        changes.notify()
    }

    public func lastAnswer(to question: String) async throws -> Date? {
        try Task.checkCancellation()
        return answers[question]
    }

    public func knowledge(of id: Trip.ID) async throws -> TripKnowledge {
        try Task.checkCancellation()
        guard let trip = trips[id] else { return .unknown }
        return trip.isTimelineKnown ? .complete(try current(trip.recorded)) : .withoutTimeline
    }

    public func lacksBytes(of image: TripImage.ID) async throws -> Bool {
        try Task.checkCancellation()
        return lacks(image)
    }

    private func lacks(_ image: TripImage.ID) -> Bool {
        let isKnown = (trips.values.flatMap(\.images) + avatars.values).contains { $0.id == image }
        return !isKnown && (tripShowing(image) != nil || users.values.contains { $0.avatar == image })
    }

    /// Stores a user with a picture whose bytes may be unknown.
    private func know(_ user: User) {
        users[user.id] = user
        if avatars[user.id]?.id != user.avatar { avatars[user.id] = nil }
    }

    private func store(_ recorded: RecordedTrip, isComplete: Bool) {
        let known = trips[recorded.id]?.recorded
        // Another trip with this ID was refused by the other store.
        if let known, (known.createdAt, known.author.id) != (recorded.createdAt, recorded.author.id) {
            trips[recorded.id] = nil
        } else if trips[recorded.id]?.isTimelineKnown == true, !isComplete {
            return
        }
        // Who may use the ID of a trip that was removed here, the other store decides.
        removedTrips[recorded.id] = nil
        makeRoom(for: recorded)
        var trip = trips[recorded.id] ?? StoredTrip(recorded: recorded, images: [])
        (trip.recorded, trip.isTimelineKnown) = (recorded, isComplete)
        if isComplete { trip.images.removeAll { !recorded.images.contains($0.id) } }
        trips[recorded.id] = trip
    }

    /// Removes the other trips that have one of the entries or images.
    private func makeRoom(for recorded: RecordedTrip) {
        let (newEntries, newImages) = (Set(recorded.timeline.map(\.id)), Set(recorded.images))
        guard !newEntries.isEmpty || !newImages.isEmpty else { return }
        for other in trips.values where other.recorded.id != recorded.id {
            let hasEntry = other.recorded.timeline.contains { newEntries.contains($0.id) }
            if hasEntry || other.recorded.images.contains(where: newImages.contains) {
                trips[other.recorded.id] = nil
            }
        }
    }

    private func storeLikes(of seen: Trip, viewer: User.ID?) {
        guard var trip = trips[seen.id] else { return }
        if let viewer {
            if seen.isLiked { trip.likedBy.insert(viewer) } else { trip.likedBy.remove(viewer) }
        }
        // There are fewer likes than known people who like it: which of them removed their like is unknown.
        for likingUser in trip.likedBy.sorted() where trip.likedBy.count > seen.likeCount && likingUser != viewer {
            trip.likedBy.remove(likingUser)
        }
        trip.otherLikes = max(0, seen.likeCount - trip.likedBy.count)
        trip.isHiddenByOwner = seen.isHidden
        if viewer != seen.author.id {
            for reporter in trip.reports.keys.sorted().dropFirst(Visibility.toleratedReports) {
                trip.reports[reporter] = nil
            }
        }
        if !trip.isTimelineKnown { trip.fetchedThumbnail = seen.thumbnail }
        trips[seen.id] = trip
    }

    private func tripShowing(_ image: TripImage.ID) -> Trip.ID? {
        trips.values.first { $0.thumbnail == image || $0.recorded.images.contains(image) }?.recorded.id
    }
}
