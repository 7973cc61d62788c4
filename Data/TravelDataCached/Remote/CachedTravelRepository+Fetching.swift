internal import TravelDomain

extension CachedTravelRepository {
    /// Asks the remote store, and stores the answer locally.
    ///
    /// - Throws: `TravelError.unavailable` when either store does not answer; `CancellationError`.
    func fetch(_ question: TravelQuestion) async throws {
        let fetch = await state.beginFetch()
        do {
            var seen = try await answer(to: question)
            seen.answers[question.key] = now()
            try await exclusively { try await store(seen, question, since: fetch) }
            await state.endFetch(fetch)
        } catch {
            await state.endFetch(fetch)
            throw error
        }
    }

    /// Stores the answer to `fetch`, except for the subjects whose writes it may lack. Must be called inside
    /// `exclusively`.
    func store(_ seen: SeenTravels, _ question: TravelQuestion?, since fetch: Int) async throws {
        let subjects = await state.subjects(since: fetch)
        let (kept, isWhole) = try await seen.keeping(subjects, of: local)
        try await local.store(kept)
        if let question, !isWhole { await state.requestAfterWrites(question) }
    }

    private func answer(to question: TravelQuestion) async throws -> SeenTravels {
        switch question {
        case .search(let query): return try await page(of: query)
        case .travel(let id, let viewer): return try await travel(id, viewer, .ifKnown)
        case .timeline(let id, let viewer): return try await travel(id, viewer, .ifNew)
        case .user(let id):
            var seen = SeenTravels(viewer: nil)
            if let user = try await askIfFound({ try await $0.user(id) }) {
                seen.people = [user]
            } else {
                seen.missingPeople = [id]
            }
            return seen
        case .blocked(let user):
            var seen = SeenTravels(viewer: user)
            seen.blocked[user] = try await ask { try await $0.blocked(by: user) }
            return seen
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
    func travel(_ id: Travel.ID, _ viewer: User.ID?, _ need: TimelineNeed) async throws -> SeenTravels {
        var seen = SeenTravels(viewer: viewer)
        guard let travel = try await askIfFound({ try await $0.travel(id, viewer: viewer) }) else {
            seen.missingTravels = [id]
            return seen
        }
        try await seen.add(travel, need, in: self)
        return seen
    }

    /// A page as the remote store has it, with one travel more, so that the local store knows whether there are more;
    /// and the current state of the travels that the local store would show on it.
    private func page(of query: TravelQuery) async throws -> SeenTravels {
        var seen = SeenTravels(viewer: query.viewer)
        var cursor = query.cursor
        var found = 0
        repeat {
            let limit = min(max(query.limit + 1 - found, 1), TravelQuery.limits.upperBound)
            let next = try TravelQuery(query.criteria, viewer: query.viewer, after: cursor, limit: limit)
            let page = try await ask { try await $0.search(next) }
            for travel in page.travels {
                try await seen.add(travel, .ifKnown, in: self)
                // Those that the person has removed do not count.
                if try await isShown(travel, to: query.viewer) { found += 1 }
            }
            cursor = page.next
        } while found <= query.limit && cursor != nil
        try await addChanged(query, until: cursor, to: &seen)
        return seen
    }

    /// Whether the local store will show the travel once it is stored.
    private func isShown(_ travel: Travel, to viewer: User.ID?) async throws -> Bool {
        let subjects = WriteSubjects(of: await state.pending.map(\.write))
        if subjects.removed.contains(travel.id) { return false }
        guard try await local.knowledge(of: travel.id) != .unknown else { return true }
        do {
            _ = try await local.travel(travel.id, viewer: viewer)
            return true
        } catch TravelError.notFound {
            return false
        }
    }

    /// Requests the travels that the local store finds up to `end`, and that the remote store has not found.
    private func addChanged(_ query: TravelQuery, until end: TravelCursor?, to seen: inout SeenTravels) async throws {
        let known = Set(seen.travels.map(\.id))
        var cursor = query.cursor
        repeat {
            let page = try await local.search(
                TravelQuery(query.criteria, viewer: query.viewer, after: cursor, limit: TravelQuery.limits.upperBound))
            for travel in page.travels where !known.contains(travel.id) {
                if end?.precedes(travel) ?? false { return }
                let answer = try await self.travel(travel.id, query.viewer, .ifKnown)
                seen.missingTravels.formUnion(answer.missingTravels)
                seen.travels += answer.travels
                seen.timelines.merge(answer.timelines) { $1 }
            }
            cursor = page.next
        } while cursor != nil
    }
}

extension SeenTravels {
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
        let details = try await store.askIfFound { try await $0.details(of: travel, viewer: viewer) }
        guard let details else {
            missingTravels.insert(travel.id)
            return
        }
        travels.append(details.travel)
        timelines[travel.id] = details.timeline
    }
}
