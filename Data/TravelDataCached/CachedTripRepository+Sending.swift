internal import TravelDataShared
internal import TravelDomain
internal import TravelJSON

extension CachedTripRepository {
    /// Sends the first write of the outbox, and removes it, or turns it into a conflict. Must be called inside
    /// `sending.withLock`.
    ///
    /// - Throws: `TravelError.unavailable` when the remote store, the local store or the outbox does not answer: the
    ///   write stays the first, and sending it again has no second effect; `CancellationError`.
    func send(_ queued: QueuedWrite) async throws {
        var write = queued.write
        while true {
            do {
                try await callRemote(for: write.author) { try await queued.perform(write, on: $0) }
                break
            } catch let error as TravelError {
                guard let reason = TripConflict.Reason(error) else { throw error }
                if try await isRepeat(write, refusedWith: error) { break }
                guard let rest = try await answered({ try await rest(of: write, refusedWith: error) }) else {
                    return try await refuse(queued, reason)
                }
                write = rest
            }
        }
        try await storing { try await outbox.remove(queued.number) }
        await state.accept(queued.number)
    }

    /// The result of calls about a write that was refused; `nil` if the remote store refuses them as well.
    private func answered<Value>(_ call: () async throws -> Value?) async throws -> Value? {
        do { return try await call() } catch let error as TravelError where TripConflict.Reason(error) != nil {
            return nil
        }
    }

    /// The trips that the remote store lacks of those that it refuses to add, because it adds one after the other, and
    /// has accepted some of them before the answer was lost; `nil` if that is not the reason.
    private func rest(of write: TripWrite, refusedWith error: TravelError) async throws -> TripWrite? {
        guard case (.add(let trips, let images), .conflict) = (write, error) else { return nil }
        var rest: [RecordedTrip] = []
        for trip in trips where try await !isThere(trip) { rest.append(trip) }
        guard rest.count < trips.count else { return nil }
        let shown = Set(rest.flatMap(\.images))
        return .add(rest, images: images.filter { shown.contains($0.id) })
    }

    /// Whether the remote store has a trip that this device wants to add, or a later version of it. Another one with its ID
    /// may be there because another device has added it again after it was removed.
    private func isThere(_ trip: RecordedTrip) async throws -> Bool {
        let author = trip.author.id
        let details = try await callRemoteIfFound(for: author) { try await $0.details(of: trip.id, viewer: author) }
        guard let there = try details?.recorded, (there.author.id, there.createdAt) == (author, trip.createdAt) else {
            return false
        }
        return there.contentDigest == trip.contentDigest || there.version.isLater(than: trip.version)
    }

    /// Whether the remote store refuses the write because it has accepted it already, while the answer was lost.
    private func isRepeat(_ write: TripWrite, refusedWith error: TravelError) async throws -> Bool {
        switch (write, error) {
        case (.update(let trip, _, _), .outdated(let there)):
            return there.content == trip.content && there.timeline == trip.timeline && there.track == trip.track
        case (.remove(let id, _, _), .notFound(.trip(let missing))): return missing == id
        case (.addUser(let user), .conflict(.user(let there))):
            guard there == user.id else { return false }
            // They may have another nickname by now.
            await state.enqueue(.user(user.id))
            return true
        default: return false
        }
    }

    /// Turns a write into a conflict, together with the later edits of the same trip, and gives the local store
    /// the remote version.
    private func refuse(_ queued: QueuedWrite, _ reason: TripConflict.Reason) async throws {
        let fetch = await state.beginFetch(by: queued.write.author)
        try await closing({ await state.endFetch(fetch) }) {
            // Unknown if the remote store refuses to tell, as it does for a trip of someone else: the write steps aside
            // all the same, so that the others can be sent.
            let remoteState =
                try await answered { try await self.remoteState(of: queued.write) }
                ?? FetchedTrips(viewer: queued.write.author)
            try await storing {
                try await mutex.withLock { try await refuse(queued, reason, remoteState, since: fetch) }
            }
        }
    }

    private func refuse(
        _ queued: QueuedWrite, _ reason: TripConflict.Reason, _ remoteState: FetchedTrips, since fetch: Int
    ) async throws {
        let id = queued.write.editedTrip
        let edits = await state.pending.filter { id != nil && $0.write.editedTrip == id }
        let theirs = try remoteState.trips.first { $0.id == id }.map { trip in
            try TripDetails(
                trip: trip, timeline: remoteState.timelines[trip.id] ?? [], track: remoteState.tracks[trip.id]
            ).recorded
        }
        let wanted = try await queued.write.followed(by: edits.map(\.write), over: theirs) { image in
            try await self.localImage(image, of: queued.write)
        }
        let conflict = TripConflict(id: queued.number, wanted: wanted, reason: reason, theirs: theirs)
        if wanted.isFulfilled(by: remoteState, having: theirs) {
            for edit in edits { try await outbox.remove(edit.number) }
            await state.discard(Set(edits.map(\.number)))
            return try await storeAndPublish(remoteState, since: fetch)
        }
        // The same conflict may exist already, if the process has ended in between.
        let isKnown = await state.conflicts.contains {
            ($0.wanted, $0.reason, $0.theirs) == (conflict.wanted, conflict.reason, conflict.theirs)
        }
        let others = edits.map(\.number).filter { $0 != queued.number }
        if isKnown {
            try await outbox.remove(queued.number)
        } else {
            try await outbox.save(
                QueuedWrite(number: queued.number, write: wanted, conflict: conflict, included: others).item())
        }
        // In this order, so that the last of them is never lost before the conflict includes it.
        for number in others { try await outbox.remove(number) }
        if isKnown { await state.remove([queued.number]) }
        await state.refuse(conflict, including: Set(others))
        try await storeAndPublish(remoteState, since: fetch)
    }

    /// Gives the local store the remote version, and then observers what has become of the writes, also if that fails.
    private func storeAndPublish(_ remoteState: FetchedTrips, since fetch: Int) async throws {
        do {
            try await store(remoteState, nil, since: fetch)
            await state.publish()
        } catch {
            await state.publish()
            throw error
        }
    }

    /// An image that the author of a trip sees; `nil` if the local store does not have its bytes.
    private func localImage(_ image: TripImage.ID, of write: TripWrite) async throws -> TripImage? {
        guard let author = write.author else { return nil }
        do { return try await local.image(image, viewer: author) } catch TravelError.notFound { return nil }
    }

    /// The trips and people that the write concerns, as the remote store has them.
    func remoteState(of write: TripWrite) async throws -> FetchedTrips {
        switch write {
        case .add(let trips, _):
            var fetched = FetchedTrips(viewer: write.author)
            for trip in trips { fetched.merge(try await self.trip(trip.id, trip.author.id, .always)) }
            return fetched
        case .update(let trip, _, _): return try await self.trip(trip.id, trip.author.id, .always)
        case .remove(let id, _, let user): return try await trip(id, user, .always)
        case .setLiked(_, let id, let user), .report(let id, let user): return try await trip(id, user, .ifKnown)
        case .block(let author, let user):
            var fetched = try await blocks(by: user)
            fetched.missingUsers = try await self.user(author, user).missingUsers
            return fetched
        case .unblock(_, let user): return try await blocks(by: user)
        case .rename(let id, _), .setAvatar(let id, _): return try await user(id, id)
        // Locally, the user keeps the refused nickname until they choose another one.
        case .addUser: return FetchedTrips(viewer: write.author)
        }
    }
}

extension TripWrite {
    /// Performs the write on a store. Doing so again on a remote one has no second effect.
    func perform(on store: any TravelStore) async throws {
        switch self {
        case .add(let trips, let images): try await store.add(trips, images: images)
        case .update(let trip, let replaced, let images):
            try await store.update(trip.id, expecting: replaced, by: trip.author.id, adding: images) { _ in trip }
        case .remove(let id, let replaced, let user):
            try await store.update(id, expecting: replaced, by: user, adding: []) { _ in nil }
        case .setLiked(let isLiked, let id, let user): try await store.setLiked(isLiked, trip: id, by: user)
        case .report(let id, let user): try await store.report(id, by: user)
        case .block(let author, let user): try await store.block(author, by: user)
        case .unblock(let author, let user): try await store.unblock(author, by: user)
        case .addUser(let user): try await store.add(user)
        case .rename(let id, let nickname): try await store.rename(id, to: nickname, by: id)
        case .setAvatar(let id, let image): try await store.setAvatar(image, of: id, by: id)
        }
    }

    /// The user on whose behalf the write is sent, if there is one.
    var author: User.ID? {
        switch self {
        case .add(let trips, _): trips.first?.author.id
        case .update(let trip, _, _): trip.author.id
        case .remove(_, _, let user), .setLiked(_, _, let user), .report(_, let user), .block(_, let user),
            .unblock(_, let user):
            user
        case .addUser(let user): user.id
        case .rename(let id, _), .setAvatar(let id, _): id
        }
    }

    /// Whether the remote store, with that state of the trip, has nothing that this write would remove: because what was
    /// refused is the trip itself, which its author has removed since, or because the ID is someone else's by now.
    fileprivate func isFulfilled(by remoteState: FetchedTrips, having theirs: RecordedTrip?) -> Bool {
        guard case .remove(let id, _, let user) = self else { return false }
        return theirs.map { $0.author.id != user } ?? remoteState.missingTrips.contains(id)
    }

    /// One write with the result of this one and the edits of the same trip that follow it, which adds all images
    /// that `theirs` does not show.
    fileprivate func followed(
        by edits: [TripWrite], over theirs: RecordedTrip?, image: (TripImage.ID) async throws -> TripImage?
    ) async throws -> TripWrite {
        guard let last = edits.last else { return self }
        let result: RecordedTrip
        switch last {
        case .update(let trip, _, _): result = trip
        case .add(let trips, _) where trips.count == 1: result = trips[0]
        default: return last
        }
        let brought = Dictionary(([self] + edits).flatMap(\.images).map { ($0.id, $0) }) { $1 }
        var images: [TripImage] = []
        for id in Set(result.images).subtracting(theirs?.images ?? []).sorted() {
            if let new = brought[id] {
                images.append(new)
            } else if let known = try await image(id) {
                images.append(known)
            }
        }
        if case .add = self { return .add([result], images: images) }
        return .update(result, replacing: theirs?.version ?? result.version, images: images)
    }
}

extension CachedTripRepository {
    /// Sends the outbox in order until the task is cancelled.
    func sendWrites() async {
        var failures = 0
        while await state.waitForWrite() {
            do {
                try await sending.withLock { if let write = await state.firstPending { try await send(write) } }
                failures = 0
            } catch {
                failures += 1
                await state.noteFailedSend()
                await pause(after: failures)
            }
        }
    }

    /// Sends the background requests, for which no caller waits, until the task is cancelled.
    func sendRequests() async {
        var failures = 0
        while let request = await state.nextRequest() {
            do {
                try await fetch(request)
                failures = 0
            } catch {
                // Another error is the answer: asking again would not change it.
                guard isOutage(error) else { continue }
                await state.enqueue(request)
                failures += 1
                await pause(after: failures)
            }
        }
    }

    /// Waits for a pause of the backoff, or until the remote store answers another request.
    func pause(after failures: Int) async {
        if Task.isCancelled { return }
        await wait(atMost: backoff.pause(after: failures)) { [state] in await state.waitForConnection() }
    }

    /// Waits for `other`, at most for `duration`.
    func wait(atMost duration: Duration, for other: @escaping @Sendable () async -> Void) async {
        await withTaskGroup { group in
            group.addTask { [clock] in
                // Throws only if the task is cancelled, because the other one has ended.
                try? await clock.sleep(for: duration)
            }
            group.addTask { await other() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Calls the remote store for `viewer`, and records whether it answers. An answer for nobody does not tell whether the
    /// user is signed in.
    ///
    /// - Throws: The errors of the remote store; one that is not of the domain as `TravelError.unavailable`.
    func callRemote<Value>(
        for viewer: User.ID?, _ call: (any TravelStore) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await call(remote)
            await state.noteAnswer(for: viewer)
            return value
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch TravelError.signedOut {
            await state.setConnection(.signedOut)
            throw TravelError.signedOut
        } catch let error as TravelError where TripConflict.Reason(error) != nil {
            await state.noteAnswer(for: viewer)
            throw error
        } catch {
            let outage =
                if case TravelError.unavailable(let outage) = error {
                    outage
                } else {
                    TravelError.Outage("The server does not answer.", cause: .unreachable, canRetry: true)
                }
            await state.setConnection(.offline, outage)
            throw TravelError.unavailable(outage)
        }
    }

    /// Calls the remote store; `nil` when there is no such trip or user, or when the viewer does not see it.
    func callRemoteIfFound<Value>(
        for viewer: User.ID?, _ call: (any TravelStore) async throws -> Value
    ) async throws -> Value? {
        do { return try await callRemote(for: viewer, call) } catch TravelError.notFound { return nil }
    }
}

/// Whether the error means that a store does not answer now, or not before the user has signed in again.
func isOutage(_ error: any Error) -> Bool {
    switch error {
    case let error as TravelError: TripConflict.Reason(error) == nil
    default: false
    }
}

/// The pause before the next attempt: doubled after each failure, up to a maximum.
///
/// ```swift
/// Backoff().pause(after: 3)    // 4 seconds
/// ```
public struct Backoff: Hashable, Sendable {
    /// The pause after the first failure.
    public var first: Duration
    public var maximum: Duration

    /// Creates pauses of 1 second to 1 minute, or others.
    public init(first: Duration = .seconds(1), maximum: Duration = .seconds(60)) {
        (self.first, self.maximum) = (first, maximum)
    }

    /// The pause after that many failures in sequence, at least 1.
    public func pause(after failures: Int) -> Duration {
        var pause = min(first, maximum)
        for _ in 1..<max(failures, 1) where pause < maximum { pause = min(pause * 2, maximum) }
        return pause
    }
}
