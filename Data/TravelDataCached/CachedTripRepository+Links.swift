internal import TravelDataShared
public import TravelDomain

extension CachedTripRepository: LinkFollowing {
    /// Returns this store as someone sees it who presents the key of a link.
    ///
    /// The remote store is asked each time, and its answers are not kept: who loses the key has nothing of the trip. A trip
    /// that the local store knows is read there while writes wait. To like or report a trip, the writes that wait are sent
    /// first; without an answer of the remote store it throws `TravelError.unavailable`.
    public func following(_ key: LinkKey) -> any TravelStore {
        CachedFollowedLink(store: self, key: key)
    }
}

private struct CachedFollowedLink: FollowedLink {
    let store: CachedTripRepository
    let key: LinkKey

    private func read<Value>(
        _ id: Trip.ID, for viewer: User.ID?, _ call: (any TravelStore) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        if try await isLocal(id) { return try await call(store.local.following(key)) }
        return try await store.callRemote(for: viewer) { try await call($0.following(key)) }
    }

    private func isLocal(_ id: Trip.ID) async throws -> Bool {
        guard await store.status().pendingWrites > 0 else { return false }
        return try await store.local.knowledge(of: id) != .unknown
    }

    private func write<Value>(
        _ id: Trip.ID, by user: User.ID, _ call: (any TravelStore) async throws -> Value
    ) async throws -> Value {
        await store.settle()
        try Task.checkCancellation()
        let value = try await store.callRemote(for: user) { try await call($0.following(key)) }
        // Where the local store knows the trip and the user, it has the same effect there; the next answer has it in any case.
        if try await store.local.knowledge(of: id) != .unknown { _ = try? await call(store.local.following(key)) }
        return value
    }

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await read(id, for: viewer) { try await $0.trip(id, viewer: viewer) }
    }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await read(id, for: viewer) { try await $0.timeline(of: id, viewer: viewer) }
    }

    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await read(id, for: viewer) { try await $0.track(of: id, viewer: viewer) }
    }

    func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        try await read(id, for: viewer) { try await $0.details(of: id, viewer: viewer) }
    }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        try Task.checkCancellation()
        // A write that waits may be what shows it, or hides it.
        if await store.status().pendingWrites > 0 {
            return try await store.local.following(key).image(id, viewer: viewer)
        }
        return try await store.callRemote(for: viewer) { try await $0.following(key).image(id, viewer: viewer) }
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await write(id, by: user) { try await $0.setLiked(isLiked, trip: id, by: user) }
    }

    func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await write(trip, by: user) { try await $0.report(trip, by: user, at: time) }
    }

    /// An edit by its author needs no key.
    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        let seen = try await trip(id, viewer: user)
        guard seen.author.id == user else { throw TravelError.forbidden(.trip(id)) }
        return try await store.update(id, expecting: version, by: user, adding: images, change)
    }

    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        DeferredSequence<Trip, Trip> {
            try await isLocal(id)
                ? store.local.following(key).observeTrip(id, viewer: viewer)
                : store.remote.following(key).observeTrip(id, viewer: viewer)
        }
    }

    func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        DeferredSequence<[TimelineEntry], [TimelineEntry]> {
            try await isLocal(id)
                ? store.local.following(key).observeTimeline(of: id, day: day, viewer: viewer)
                : store.remote.following(key).observeTimeline(of: id, day: day, viewer: viewer)
        }
    }
}
