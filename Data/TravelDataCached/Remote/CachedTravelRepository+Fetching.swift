internal import TravelDomain

extension CachedTravelRepository {
    /// Asks the remote store, and stores the answer locally.
    ///
    /// - Throws: `TravelError.unavailable` when either store does not answer; `CancellationError`.
    func fetch(_ request: TravelRequest) async throws {
        let fetch = await state.beginFetch(by: request.viewer)
        do {
            var fetched = try await answer(to: request)
            fetched.answers[request.key] = now()
            try await mutex.withLock { try await store(fetched, request, since: fetch) }
            await state.endFetch(fetch)
        } catch {
            await state.endFetch(fetch)
            throw error
        }
    }

    /// Stores the answer to `fetch`, except for the subjects whose writes it may lack. Must be called inside
    /// `mutex.withLock`.
    func store(_ fetched: FetchedTravels, _ request: TravelRequest?, since fetch: Int) async throws {
        let subjects = await state.subjects(since: fetch)
        let (kept, isWhole) = try await fetched.keeping(subjects, of: local)
        // First, so that a failure of the local store leaves one copy, which the next answer keeps or forgets.
        await state.append(try await recordVanished(in: kept))
        try await local.store(kept)
        let shown = Set(kept.travels.map(\.id))
        for travel in await state.vanished where shown.contains(travel.id) { try await forget(travel) }
        if let request, !isWhole { await state.enqueueAfterWrites(request) }
    }

    private func answer(to request: TravelRequest) async throws -> FetchedTravels {
        switch request {
        case .search(let query): return try await page(of: query)
        case .travel(let id, let viewer): return try await travel(id, viewer, .ifKnown)
        case .timeline(let id, let viewer): return try await travel(id, viewer, .ifNew)
        case .user(let id):
            var fetched = FetchedTravels(viewer: nil)
            if let user = try await callRemoteIfFound({ try await $0.user(id) }) {
                fetched.people = [user]
            } else {
                fetched.missingPeople = [id]
            }
            return fetched
        case .blocked(let user):
            var fetched = FetchedTravels(viewer: user)
            fetched.blocked[user] = try await callRemote { try await $0.blocked(by: user) }
            return fetched
        }
    }

    /// When to request the timeline of a travel.
    enum TimelineNeed {
        /// If the local store has another version of it.
        case ifKnown
        /// If the local store does not have this version of it.
        case ifNew
        /// Always.
        case always
    }

    /// A travel as the remote store has it, or its absence.
    func travel(_ id: Travel.ID, _ viewer: User.ID?, _ need: TimelineNeed) async throws -> FetchedTravels {
        var fetched = FetchedTravels(viewer: viewer)
        guard let travel = try await callRemoteIfFound({ try await $0.travel(id, viewer: viewer) }) else {
            fetched.missingTravels = [id]
            return fetched
        }
        try await fetched.add(travel, need, in: self)
        return fetched
    }

    /// A page as the remote store has it, with one travel more, so that the local store knows whether there are more;
    /// and the current state of the travels that the local store would show on it.
    private func page(of query: TravelQuery) async throws -> FetchedTravels {
        var fetched = FetchedTravels(viewer: query.viewer)
        var cursor = query.cursor
        var found = 0
        repeat {
            let limit = min(max(query.limit + 1 - found, 1), TravelQuery.limits.upperBound)
            let next = try TravelQuery(query.criteria, viewer: query.viewer, after: cursor, limit: limit)
            let page = try await callRemote { try await $0.search(next) }
            let subjects = WriteSubjects(of: await state.pending.map(\.write))
            let blocked = try await FetchedTravels.authors(blockedBy: query.viewer, subjects, local)
            for travel in page.travels {
                try await fetched.add(travel, .ifKnown, in: self)
                // Those that a pending write hides from the person do not count.
                let isHidden =
                    subjects.removed.contains(travel.id) || subjects.reported.contains(travel.id)
                    || blocked.contains(travel.author.id)
                if !isHidden { found += 1 }
            }
            cursor = page.next
        } while found <= query.limit && cursor != nil
        try await addChanged(query, until: cursor, to: &fetched)
        return fetched
    }

    /// Requests the travels that the local store finds up to `end`, and that the remote store has not found.
    private func addChanged(_ query: TravelQuery, until end: TravelCursor?, to fetched: inout FetchedTravels)
        async throws
    {
        let known = Set(fetched.travels.map(\.id))
        var cursor = query.cursor
        repeat {
            let page = try await local.search(
                TravelQuery(query.criteria, viewer: query.viewer, after: cursor, limit: TravelQuery.limits.upperBound))
            for travel in page.travels where !known.contains(travel.id) {
                if end?.precedes(travel) ?? false { return }
                let answer = try await self.travel(travel.id, query.viewer, .ifKnown)
                fetched.missingTravels.formUnion(answer.missingTravels)
                fetched.travels += answer.travels
                fetched.timelines.merge(answer.timelines) { $1 }
                fetched.tracks.merge(answer.tracks) { $1 }
            }
            cursor = page.next
        } while cursor != nil
    }
}

extension FetchedTravels {
    /// Adds a travel, with its timeline if that is needed.
    fileprivate mutating func add(
        _ travel: Travel, _ need: CachedTravelRepository.TimelineNeed, in store: CachedTravelRepository
    ) async throws {
        let isNeeded =
            switch (need, try await store.local.knowledge(of: travel.id)) {
            case (.always, _): true
            case (_, .complete(let known)): known.version != travel.version
            case (.ifNew, _): true
            case (.ifKnown, _): false
            }
        guard isNeeded else { return travels.append(travel) }
        let viewer = viewer
        let details = try await store.callRemoteIfFound { try await $0.details(of: travel, viewer: viewer) }
        guard let details else {
            missingTravels.insert(travel.id)
            return
        }
        travels.append(details.travel)
        timelines[travel.id] = details.timeline
        tracks[travel.id] = details.track
    }
}
