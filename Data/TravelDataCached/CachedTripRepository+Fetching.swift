internal import TravelDataShared
public import TravelDomain

extension CachedTripRepository {
    /// Asks the remote store, and stores the answer locally.
    ///
    /// - Throws: `TravelError.unavailable` when either store does not answer; `CancellationError`.
    func fetch(_ request: TripRequest) async throws {
        let fetch = await state.beginFetch(by: request.viewer)
        try await closing({ await state.endFetch(fetch) }) {
            var fetched = try await answer(to: request)
            let now = now()
            fetched.answers[request.key] = now
            fetched.answers[Self.anyRequest] = now
            try await storing { try await mutex.withLock { try await store(fetched, request, since: fetch) } }
            await state.setLastAnswer(now)
        }
    }

    /// Stores an answer of the remote store, and records whether that is possible.
    func storing(_ store: () async throws -> Void) async throws {
        do {
            try await store()
            await state.setStorageOutage(nil)
        } catch TravelError.unavailable(let outage) {
            await state.setStorageOutage(outage)
            throw TravelError.unavailable(outage)
        }
    }

    /// Asks the remote store for what the local store knows: until the timeout, if there is one, or else in the background.
    func renew(_ request: TripRequest) async throws {
        if let remoteTimeout, await state.isAnswerLikely {
            do {
                if try await fetch(request, within: remoteTimeout) {
                    return await state.note(request, isAnswered: true)
                }
                await state.noteTimeout()
            } catch  where isOutage(error) {}
        }
        await state.note(request, isAnswered: false)
        await state.enqueue(request)
    }

    /// Returns whether the answer is in the local store; not when it takes longer than `timeout`.
    private func fetch(_ request: TripRequest, within timeout: Duration) async throws -> Bool {
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await self.fetch(request)
                return true
            }
            group.addTask { [clock] in
                try await clock.sleep(for: timeout)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }

    /// The name in the local store of whatever was asked last.
    static let anyRequest = "any"

    /// Stores the answer to `fetch`, except for the subjects whose writes it may lack. Must be called inside
    /// `mutex.withLock`.
    func store(_ fetched: FetchedTrips, _ request: TripRequest?, since fetch: Int) async throws {
        let subjects = await state.subjects(since: fetch)
        var (kept, isWhole) = try await fetched.keepingPositions(of: local).keeping(subjects, of: local)
        if try await !recordLost(in: &kept, since: fetch) { isWhole = false }
        // First, so that a failure of the local store leaves one copy, which the next answer keeps or forgets.
        await state.append(try await recordVanished(in: kept))
        try await local.store(kept)
        let shown = Set(kept.trips.map(\.id))
        await state.noteStored(shown)
        await state.publish()
        for trip in await state.vanished where shown.contains(trip.id) { try await forget(trip) }
        if let request, !isWhole { await state.enqueueAfterWrites(request) }
    }

    private func answer(to request: TripRequest) async throws -> FetchedTrips {
        switch request {
        case .search(let query): return try await page(of: query)
        case .trip(let id, let viewer): return try await trip(id, viewer, .ifKnown)
        case .timeline(let id, let viewer): return try await trip(id, viewer, .always)
        case .user(let id): return try await user(id, nil)
        case .blocked(let user): return try await blocks(by: user)
        }
    }

    /// A user as the remote store has them, or their absence.
    func user(_ id: User.ID, _ viewer: User.ID?) async throws -> FetchedTrips {
        var fetched = FetchedTrips(viewer: viewer)
        if let user = try await callRemoteIfFound(for: nil, { try await $0.user(id) }) {
            fetched.users = [user]
        } else {
            fetched.missingUsers = [id]
        }
        return fetched
    }

    /// The blocks by a user as the remote store has them.
    func blocks(by user: User.ID) async throws -> FetchedTrips {
        var fetched = FetchedTrips(viewer: user)
        fetched.blocked[user] = try await callRemote(for: user) { try await $0.blocked(by: user) }
        return fetched
    }

    /// When to request the timeline of a trip.
    enum TimelineNeed {
        /// If the local store has another version of it.
        case ifKnown
        /// Also if the version is the same: a server that was restored from a backup may have another timeline.
        case always
    }

    /// A trip as the remote store has it, or its absence.
    func trip(_ id: Trip.ID, _ viewer: User.ID?, _ need: TimelineNeed) async throws -> FetchedTrips {
        var fetched = FetchedTrips(viewer: viewer)
        switch need {
        case .ifKnown:
            let trip = try await callRemoteIfFound(for: viewer) { try await $0.trip(id, viewer: viewer) }
            guard let trip else { break }
            try await fetched.add(trip, in: self)
            return fetched
        case .always:
            let details = try await callRemoteIfFound(for: viewer) { try await $0.details(of: id, viewer: viewer) }
            guard let details else { break }
            fetched.add(details)
            return fetched
        }
        fetched.missingTrips = [id]
        return fetched
    }

    /// A page as the remote store has it, with one trip more, so that the local store knows whether there are more;
    /// and the current state of the trips that the local store would show on it.
    private func page(of query: TripQuery) async throws -> FetchedTrips {
        var fetched = FetchedTrips(viewer: query.viewer)
        var cursor = query.cursor
        var found = 0
        repeat {
            let limit = min(max(query.limit + 1 - found, 1), TripQuery.limits.upperBound)
            let next = try TripQuery(query.criteria, viewer: query.viewer, after: cursor, limit: limit)
            let page = try await callRemote(for: query.viewer) { try await $0.search(next) }
            let subjects = await state.pendingSubjects
            let blocked = try await FetchedTrips.authors(blockedBy: query.viewer, subjects, local)
            for trip in page.trips {
                try await fetched.add(trip, isFoundByEntry: page.matchedEntries[trip.id] != nil, in: self)
                // Those that a pending write hides from the user do not count.
                let isHidden =
                    subjects.removed.contains(trip.id) || subjects.reported.contains(trip.id)
                    || blocked.contains(trip.author.id)
                if !isHidden { found += 1 }
            }
            cursor = page.next
        } while found <= query.limit && cursor != nil
        try await addChanged(query, until: cursor, to: &fetched)
        return fetched
    }

    /// Requests the trips that the local store finds up to `end`, and that the remote store has not found.
    private func addChanged(_ query: TripQuery, until end: TripCursor?, to fetched: inout FetchedTrips)
        async throws
    {
        let known = Set(fetched.trips.map(\.id))
        var cursor = query.cursor
        repeat {
            let page = try await local.search(
                TripQuery(query.criteria, viewer: query.viewer, after: cursor, limit: TripQuery.limits.upperBound))
            for trip in page.trips where !known.contains(trip.id) {
                if end?.precedes(trip, rank: page.match(of: trip.id).rank) ?? false { return }
                fetched.merge(try await self.trip(trip.id, query.viewer, .ifKnown))
            }
            cursor = page.next
        } while cursor != nil
    }
}

extension FetchedTrips {
    /// Adds the trips of another answer, and the missing ones.
    mutating func merge(_ answer: FetchedTrips) {
        trips += answer.trips
        timelines.merge(answer.timelines) { $1 }
        tracks.merge(answer.tracks) { $1 }
        missingTrips.formUnion(answer.missingTrips)
    }

    fileprivate mutating func add(_ details: TripDetails) {
        trips.append(details.trip)
        timelines[details.trip.id] = details.timeline
        tracks[details.trip.id] = details.track
    }

    /// Adds a trip, with its timeline if the local store has another version of it, or if what it has may be lost; and if a
    /// search found it by an entry, which the local store finds only in a timeline.
    fileprivate mutating func add(
        _ trip: Trip, isFoundByEntry: Bool = false, in store: CachedTripRepository
    ) async throws {
        let isNeeded: Bool
        switch try await store.local.knowledge(of: trip.id) {
        // A server that is restored from a backup counts versions from there again. What a summary does not show of a trip
        // is compared when the trip is opened.
        case .complete(let known):
            isNeeded =
                known.version != trip.version || known.updatedAt != trip.updatedAt || known.content != trip.content
                // It was fetched for someone else, who does not see them.
                || trip.isMine && known.timeline.withholdsPositions
        case .withoutTimeline where isFoundByEntry: isNeeded = true
        case .withoutTimeline where trip.isMine:
            isNeeded = try await store.local.trip(trip.id, viewer: trip.author.id).isOther(than: trip)
        case .withoutTimeline: isNeeded = false
        case .unknown where isFoundByEntry: isNeeded = true
        case .unknown: isNeeded = await store.state.vanished.contains { $0.id == trip.id }
        }
        guard isNeeded else { return trips.append(trip) }
        let viewer = viewer
        let details = try await store.callRemoteIfFound(for: viewer) {
            try await $0.details(of: trip.id, viewer: viewer)
        }
        guard let details else {
            missingTrips.insert(trip.id)
            return
        }
        add(details)
    }
}

extension Trip {
    /// Whether this trip is no earlier version of `trip`.
    fileprivate func isOther(than trip: Trip) -> Bool {
        !trip.version.canFollow(version) && (version != trip.version || content != trip.content)
    }
}

extension FetchedTrips {
    /// This answer, with the positions of pictures that the local store has and the viewer does not see: it is the store of
    /// everyone who uses the device, among them perhaps the author.
    fileprivate func keepingPositions(of local: any TripCache) async throws -> FetchedTrips {
        var kept = self
        for (id, timeline) in timelines where timeline.withholdsPositions {
            guard case .complete(let known) = try await local.knowledge(of: id) else { continue }
            kept.timelines[id] = timeline.keepingPositions(of: known.timeline)
        }
        return kept
    }

    /// This answer, with the values of the local store for everything that `subjects` change, because the answer may
    /// not include those writes.
    ///
    /// - Returns: The answer, and whether it was left unchanged.
    func keeping(
        _ subjects: WriteSubjects, of local: any TravelStore & TripCache
    ) async throws -> (fetched: FetchedTrips, isWhole: Bool) {
        // The deletion of an account changes the likes of any trip.
        guard subjects.deletedUsers.isEmpty else { return (FetchedTrips(viewer: viewer), false) }
        var kept = self
        var isWhole = true
        kept.trips = []
        let hidden = try await Self.authors(blockedBy: viewer, subjects, local)
        for trip in trips {
            // The answer may lack the block, which a trip that is seen would end.
            if hidden.contains(trip.author.id) {
                isWhole = false
                kept.timelines[trip.id] = nil
                continue
            }
            let isAffected =
                subjects.contents.contains(trip.id) || subjects.liked.contains(trip.id)
                || subjects.reported.contains(trip.id) || subjects.users.contains(trip.author.id)
            guard isAffected else {
                kept.trips.append(trip)
                continue
            }
            isWhole = false
            // The timeline belongs to a content that is not kept.
            if subjects.contents.contains(trip.id) { kept.timelines[trip.id] = nil }
            if let trip = try await Self.merge(trip, subjects, local, viewer: viewer) {
                kept.trips.append(trip)
            }
        }
        kept.missingTrips = []
        for id in missingTrips {
            // A trip that the remote store hides may be one that the viewer has unblocked.
            if viewer.map(subjects.blockers.contains) ?? false || subjects.contents.contains(id)
                || subjects.liked.contains(id) || subjects.reported.contains(id)
            {
                isWhole = false
            } else if try await Self.isSeen(id, by: viewer, in: local) {
                kept.missingTrips.insert(id)
            }
        }
        for user in subjects.users {
            kept.users.removeAll { $0.id == user }
            kept.missingUsers.remove(user)
        }
        for user in subjects.blockers { kept.blocked[user] = nil }
        for (user, authors) in kept.blocked {
            var current: [User] = []
            for author in authors {
                if let author = try await Self.current(author, subjects, local) { current.append(author) }
            }
            kept.blocked[user] = current
        }
        isWhole =
            isWhole && kept.users == users && kept.missingUsers == missingUsers && kept.blocked == blocked
        return (kept, isWhole)
    }

    /// The authors whom the viewer has blocked here, if a write that the answer may lack has changed them.
    static func authors(
        blockedBy viewer: User.ID?, _ subjects: WriteSubjects, _ local: any TravelStore
    ) async throws -> Set<User.ID> {
        guard let viewer, subjects.blockers.contains(viewer) else { return [] }
        return Set(try await local.blocked(by: viewer).map(\.id))
    }

    /// A trip that hides from the viewer anyway stays: others may see it.
    private static func isSeen(_ id: Trip.ID, by viewer: User.ID?, in local: any TravelStore) async throws -> Bool {
        do {
            _ = try await local.trip(id, viewer: viewer)
            return true
        } catch TravelError.notFound {
            return false
        }
    }

    /// The user of an answer, as in `local` if a write has changed them; nil if they have been removed there.
    private static func current(
        _ user: User, _ subjects: WriteSubjects, _ local: any TravelStore
    ) async throws -> User? {
        guard subjects.users.contains(user.id) else { return user }
        do { return try await local.user(user.id) } catch TravelError.notFound { return nil }
    }

    /// The trip with the parts of the local one that `subjects` change; `nil` if the local one is removed or hidden.
    private static func merge(
        _ trip: Trip, _ subjects: WriteSubjects, _ local: any TravelStore & TripCache, viewer: User.ID?
    ) async throws -> Trip? {
        if subjects.removed.contains(trip.id) || subjects.reported.contains(trip.id) { return nil }
        guard let author = try await current(trip.author, subjects, local) else { return nil }
        var mine = trip
        if subjects.contents.contains(trip.id) || subjects.liked.contains(trip.id) {
            do {
                mine = try await local.trip(trip.id, viewer: viewer)
            } catch TravelError.notFound {
                guard try await local.knowledge(of: trip.id) == .unknown else { return nil }
            }
        }
        let content = subjects.contents.contains(trip.id) ? mine : trip
        let likes = subjects.liked.contains(trip.id) ? mine : trip
        return try Trip(
            id: trip.id, author: author, content: content.content, createdAt: content.createdAt,
            updatedAt: content.updatedAt, version: content.version, likeCount: likes.likeCount, isLiked: likes.isLiked,
            isMine: trip.isMine, thumbnail: content.thumbnail, isHidden: trip.isHidden)
    }
}

/// The reads that a ``CachedTripRepository`` has answered without its remote store.
///
/// ```swift
/// let reads = await trips.unansweredReads()
/// if reads.trips > 0 { show("\(reads.trips) of \(reads.allTrips) trips: the server did not answer") }
/// ```
public struct UnansweredReads: Hashable, Sendable {
    /// Whether a search is one of them.
    public var includesSearch = false
    /// The number of trips that were read one by one, and of which the last answer was an earlier one.
    public var trips = 0
    /// The number of all trips that were read one by one.
    public var allTrips = 0
}

/// A request to the remote store; the cache records when it was last answered.
///
/// ```swift
/// let list = TripRequest.search(try TripQuery(TripCriteria(sort: .mostLiked), viewer: me))
/// try await trips.lastAnswer(to: list)    // when this page was last confirmed
/// ```
public enum TripRequest: Hashable, Sendable {
    case search(TripQuery)
    case trip(Trip.ID, viewer: User.ID?)
    case timeline(Trip.ID, viewer: User.ID?)
    case user(User.ID)
    case blocked(by: User.ID)

    /// The user on whose behalf it is sent; `nil` for nobody, and for a request that is the same for everyone.
    var viewer: User.ID? {
        switch self {
        case .search(let query): query.viewer
        case .trip(_, let viewer), .timeline(_, let viewer): viewer
        case .blocked(let user): user
        case .user: nil
        }
    }

    /// The name of the request in the local store.
    var key: String {
        switch self {
        case .search(let query):
            "search \(query.limit) \(Self.name(query.viewer)) \(query.cursor?.text ?? "-") \(query.criteria.text)"
        case .trip(let id, let viewer): "trip \(id) \(Self.name(viewer))"
        case .timeline(let id, let viewer): "timeline \(id) \(Self.name(viewer))"
        case .user(let id): "user \(id)"
        case .blocked(let user): "blocked \(user)"
        }
    }

    private static func name(_ viewer: User.ID?) -> String { viewer?.description ?? "-" }
}
