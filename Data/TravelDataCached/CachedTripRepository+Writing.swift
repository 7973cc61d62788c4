internal import TravelDomain
internal import TravelJSON

extension CachedTripRepository {
    /// Stores a write in the outbox, applies it to the local store, and enqueues it for the remote store. Must be
    /// called inside `mutex.withLock`.
    ///
    /// - Parameters:
    ///   - write: The write.
    ///   - base: The version of the trip that it replaces.
    ///   - conflict: The conflict that it resolves.
    ///   - apply: Applies the write to the local store.
    /// - Throws: The errors of `apply`, and `TravelError.unavailable` when the outbox does not answer; nothing is
    ///   written then.
    @discardableResult
    func write<Value>(
        _ write: TripWrite, over base: RecordedTrip? = nil, resolving conflict: TripConflict.ID? = nil,
        _ apply: () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let queued = QueuedWrite(
            number: try await state.nextNumber(), write: write, resolves: conflict, base: base?.contentDigest)
        // First, so that the end of the process in between loses nothing: the write is applied at the next start.
        try await outbox.save(queued.item())
        do {
            let value = try await apply()
            await state.append(queued)
            return value
        } catch {
            try await outbox.remove(queued.number)
            throw error
        }
    }

    /// Stores a write, applies it to the local store, and enqueues it, as above.
    func write(_ write: TripWrite) async throws {
        try await self.write(write) { try await write.perform(on: local) }
    }

    /// Applies, in order, the writes that the local store lacks because an earlier process ended before it applied
    /// them.
    func replay() async throws {
        for queued in await state.pending {
            do {
                try await apply(queued.write, over: queued.base)
            } catch let error as TravelError where TripConflict.Reason(error) != nil {
                // Either it was applied before, or it cannot be: the remote store decides.
                continue
            }
        }
        // The process that recorded a conflict may have ended before the local store had the remote version.
        for conflict in await state.conflicts {
            try await withdraw(conflict)
            await fetchRemoteState(about: conflict.wanted)
        }
    }

    /// Gives the local store the remote version of the trip of a conflict, if it still has the refused one, because the
    /// process has ended, or the local store has failed, after the outbox had the conflict. Must be called inside
    /// `mutex.withLock`, unless nobody else uses the repository yet.
    func withdraw(_ conflict: TripConflict) async throws {
        guard let id = conflict.wanted.editedTrip, let author = conflict.wanted.author,
            try await local.knowledge(of: id).isResult(of: conflict.wanted),
            // Later edits are based on what the local store has.
            await !state.pending.contains(where: { $0.write.trips.contains(id) })
        else { return }
        var fetched = FetchedTrips(viewer: author)
        if let theirs = conflict.theirs {
            var shown: Trip?
            do { shown = try await local.trip(id, viewer: author) } catch TravelError.notFound {}
            fetched.trips = [
                try Trip(
                    id: id, author: theirs.author, content: theirs.content, createdAt: theirs.createdAt,
                    updatedAt: theirs.updatedAt, version: theirs.version, likeCount: shown?.likeCount ?? 0,
                    isLiked: shown?.isLiked ?? false, isMine: theirs.author.id == author, thumbnail: theirs.thumbnail,
                    isHidden: shown?.isHidden ?? false)
            ]
            fetched.timelines[id] = theirs.timeline
            fetched.tracks[id] = theirs.track
        } else {
            fetched.missingTrips = [id]
        }
        try await local.store(fetched)
    }

    /// Applies a write that may have been applied before, and that replaces a content with that digest, if it is known.
    func apply(_ write: TripWrite, over base: String? = nil) async throws {
        switch write {
        case .add(let trips, let images):
            for trip in trips where try await local.knowledge(of: trip.id) == .unknown {
                let shown = Set(trip.images)
                try await local.add([trip], images: images.filter { shown.contains($0.id) })
            }
        case .update(_, let replaced, _), .remove(_, let replaced, _):
            guard let id = write.editedTrip, case .complete(let known) = try await local.knowledge(of: id),
                known.version == replaced, base == nil || base == known.contentDigest
            else { return }
            try await write.perform(on: local)
        case .addUser(let user):
            do { _ = try await local.user(user.id) } catch TravelError.notFound { try await local.add(user) }
        case .setLiked, .report, .block, .unblock, .rename, .setAvatar: try await write.perform(on: local)
        }
    }

    private func fetchRemoteState(about write: TripWrite) async {
        for id in write.trips { await state.enqueue(.timeline(id, viewer: write.author)) }
        switch write {
        case .setLiked(_, let id, let user), .report(let id, let user):
            await state.enqueue(.trip(id, viewer: user))
        case .block(_, let user), .unblock(_, let user): await state.enqueue(.blocked(by: user))
        case .rename(let id, _), .setAvatar(let id, _): await state.enqueue(.user(id))
        default: break
        }
    }

    /// Fetches a trip into the local store, unless that has it.
    ///
    /// - Throws: `TravelError.unavailable` when the local store lacks the trip and the remote store does not answer.
    func requireKnown(_ id: Trip.ID, viewer: User.ID?) async throws {
        if try await local.knowledge(of: id) == .unknown { try await fetch(.trip(id, viewer: viewer)) }
    }

    /// Fetches a trip with its timeline into the local store, unless that has both.
    ///
    /// - Throws: `TravelError.unavailable` when the local store lacks them and the remote store does not answer.
    func requireComplete(_ id: Trip.ID, viewer: User.ID?) async throws {
        if case .complete = try await local.knowledge(of: id) { return }
        try await fetch(.timeline(id, viewer: viewer))
    }

    /// Fetches a user into the local store, unless that has them.
    ///
    /// - Throws: `TravelError.unavailable` when the local store lacks the user and the remote store does not answer.
    func requireKnown(_ id: User.ID) async throws {
        do { _ = try await local.user(id) } catch TravelError.notFound { try await fetch(.user(id)) }
    }
}

extension TripKnowledge {
    /// Whether a store that knows this of a trip has applied the write, and nothing after it.
    fileprivate func isResult(of write: TripWrite) -> Bool {
        switch (write, self) {
        case (.update(let trip, _, _), .complete(let known)): known.isStored(trip)
        case (.add(let trips, _), .complete(let known)): trips.contains(where: known.isStored)
        case (.remove, .unknown): true
        default: false
        }
    }
}

extension RecordedTrip {
    /// Whether this trip is what a store has after it has stored `trip`, whose author may have another nickname by now.
    fileprivate func isStored(_ trip: RecordedTrip) -> Bool {
        (id, author.id, createdAt, version) == (trip.id, trip.author.id, trip.createdAt, trip.version)
            && (content, timeline, track) == (trip.content, trip.timeline, trip.track)
    }
}
