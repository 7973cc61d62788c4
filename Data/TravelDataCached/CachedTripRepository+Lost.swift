internal import TravelDomain
internal import TravelJSON

/// What a remote store has lost of a person's own trips, because it was restored from a backup: a version that it had
/// accepted, or a whole trip that is back in an earlier state. Each becomes a conflict, so that its author decides.
extension CachedTripRepository {
    /// Stores conflicts about the user's own trips of which an answer lacks what this device has from the remote store.
    /// Must be called inside `mutex.withLock`, before the answer is stored.
    ///
    /// - Parameters:
    ///   - fetched: The answer. Trips of which it may be older than what the local store has received since, are removed.
    ///   - fetch: The fetch of the answer.
    /// - Returns: Whether the answer was left unchanged.
    func recordLost(in fetched: inout FetchedTrips, since fetch: Int) async throws -> Bool {
        let candidates = fetched.trips.filter { fetched.timelines[$0.id] != nil }
        guard !candidates.isEmpty else { return true }
        var own = await state.users
        if let viewer = fetched.viewer { own.insert(viewer) }
        var isWhole = true
        for trip in candidates {
            let there = try TripDetails(
                trip: trip, timeline: fetched.timelines[trip.id] ?? [], track: fetched.tracks[trip.id]
            ).recorded
            guard let (known, vanished) = try await lastKnown(there, own: own), there.lacks(known) else { continue }
            if vanished == nil, await state.isStored(trip.id, since: fetch) {
                fetched.remove(trip.id)
                isWhole = false
            } else if own.contains(known.author.id) {
                try await recordLost(known, over: there, vanished)
            }
        }
        return isWhole
    }

    /// The last version of a trip that this device has, or had when the trip vanished; `nil` if there is none.
    private func lastKnown(
        _ there: RecordedTrip, own: Set<User.ID>
    ) async throws -> (trip: RecordedTrip, vanished: VanishedTrip?)? {
        switch try await local.knowledge(of: there.id) {
        case .complete(let known): return (known, nil)
        case .withoutTimeline:
            for user in own {
                do {
                    let trip = try await local.trip(there.id, viewer: user)
                    guard own.contains(trip.author.id) else { return nil }
                    return (try TripDetails(trip: trip, timeline: []).recorded.completed(by: there), nil)
                } catch TravelError.notFound {}
            }
            return nil
        case .unknown:
            guard let vanished = await state.vanished.first(where: { $0.id == there.id }) else { return nil }
            // Of some trips, the timeline was not known.
            let trip = vanished.trip
            return (trip.timeline.isEmpty ? try trip.completed(by: there) : trip, vanished)
        }
    }

    private func recordLost(_ known: RecordedTrip, over there: RecordedTrip, _ vanished: VanishedTrip?) async throws {
        let digest = known.contentDigest
        // Their author decides about it already.
        let isDecided = await state.conflicts.contains { conflict in
            conflict.wanted.recorded.contains { $0.id == known.id && $0.contentDigest == digest }
        }
        if isDecided { return }
        var images: [TripImage] = []
        if let vanished {
            images = try await self.images(of: vanished)
        } else {
            for image in Set(known.images).subtracting(there.images).sorted() {
                // Of some images, only the remote store had the bytes.
                do {
                    images.append(try await local.image(image, viewer: known.author.id))
                } catch TravelError.notFound {}
            }
        }
        let wanted = try known.showing(Set(images.map(\.id)).union(there.images))
        let new = Set(wanted.images).subtracting(there.images)
        let write = TripWrite.update(
            wanted, replacing: there.version, images: images.filter { new.contains($0.id) })
        let isKnown = await state.conflicts.contains { ($0.wanted, $0.theirs) == (write, there) }
        if isKnown { return }
        let number: Int = if let vanished { vanished.number } else { try await state.nextNumber() }
        let conflict = TripConflict(
            id: number, wanted: write, reason: known.author.id == there.author.id ? .lost : .taken, theirs: there)
        // In place of the vanished trip, if there is one.
        try await outbox.save(QueuedWrite(number: number, write: write, conflict: conflict).item())
        if let vanished { await state.remove(vanished) }
        await state.insert(conflict)
    }
}

extension TripWrite {
    /// The trips as the write would have left them.
    var recorded: [RecordedTrip] {
        switch self {
        case .add(let trips, _): trips
        case .update(let trip, _, _): [trip]
        default: []
        }
    }
}

extension RecordedTrip {
    /// Whether this trip of a remote store cannot come from `known`, which that store had before.
    fileprivate func lacks(_ known: RecordedTrip) -> Bool {
        guard (author.id, createdAt) == (known.author.id, known.createdAt) else { return true }
        return !version.canFollow(known.version) && contentDigest != known.contentDigest
    }

    /// The trip with the timeline and the track of another version, as far as its days include the entries.
    fileprivate func completed(by other: RecordedTrip) throws -> RecordedTrip {
        try RecordedTrip(
            id: id, author: author, createdAt: createdAt, updatedAt: updatedAt, version: version, content: content,
            timeline: other.timeline.filter { $0.day <= content.days.count }, track: other.track)
    }
}

extension FetchedTrips {
    /// Removes a trip from the answer, as if it had not been asked for.
    fileprivate mutating func remove(_ id: Trip.ID) {
        trips.removeAll { $0.id == id }
        (timelines[id], tracks[id]) = (nil, nil)
    }
}
