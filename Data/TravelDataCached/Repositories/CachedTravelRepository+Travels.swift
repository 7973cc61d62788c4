public import TravelDomain

extension CachedTravelRepository {
    /// Returns one page of the travels that meet the criteria: immediately if the remote store has answered this query
    /// before, and otherwise when it answers.
    ///
    /// - Throws: `TravelError.unavailable` when the remote store does not answer, and the local store finds nothing;
    ///   `CancellationError`.
    public func search(_ query: TravelQuery) async throws -> TravelPage {
        let request = TravelRequest.search(query)
        if try await local.lastAnswer(to: request.key) != nil {
            await state.enqueue(request)
            return try await local.search(query)
        }
        // Offline, what the local store finds is preferred to waiting for another failure.
        if await state.status.connection == .offline {
            let page = try await local.search(query)
            if !page.travels.isEmpty {
                await state.enqueue(request)
                return page
            }
        }
        do {
            try await fetch(request)
            return try await local.search(query)
        } catch  where isOutage(error) {
            let page = try await local.search(query)
            if page.travels.isEmpty { throw error }
            await state.enqueue(request)
            return page
        }
    }

    /// Returns the travel as `viewer` sees it: immediately if the local store has it, and otherwise when the remote
    /// store answers.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `TravelError.unavailable` when the local store does not know it, and the remote store does not answer;
    ///   `CancellationError`.
    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await prepareTravel(id, viewer: viewer)
        return try await local.travel(id, viewer: viewer)
    }

    /// Returns the timeline of a travel: immediately if the local store has it, and otherwise when the remote store
    /// answers.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when `viewer` does not see it;
    ///   `TravelError.unavailable` when the local store does not know it, and the remote store does not answer;
    ///   `CancellationError`.
    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await prepareTimeline(of: id, viewer: viewer)
        return try await local.timeline(of: id, viewer: viewer)
    }

    /// Returns the way of the recorded track of a travel, as ``timeline(of:viewer:)`` does for the timeline.
    ///
    /// - Throws: The errors of ``timeline(of:viewer:)``.
    public func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await prepareTimeline(of: id, viewer: viewer)
        return try await local.track(of: id, viewer: viewer)
    }

    /// Adds complete travels, all or none, to the local store and the outbox.
    ///
    /// - Throws: `TravelError.conflict` when a travel, an entry or an image with the same ID is known already;
    ///   `TravelError.notFound` when a travel shows an image that is not among `images`; `TravelError.unavailable` when
    ///   the local store or the outbox does not answer; `CancellationError`. Nothing changes then.
    public func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await mutex.withLock {
            let shown = Set(travels.flatMap(\.images))
            try await write(.add(travels, images: images.filter { shown.contains($0.id) })) {
                try await local.add(travels, images: images)
            }
        }
    }

    /// Sets whether `user` likes the travel, in the local store and the outbox. The call is idempotent.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel or person, or when `user` neither sees nor likes
    ///   the travel; `TravelError.unavailable` when one of them is not known, and the remote store does not answer;
    ///   `CancellationError`. Nothing changes then.
    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await requireKnown(id, viewer: user)
        try await requireKnown(user)
        try await mutex.withLock {
            try await write(.setLiked(isLiked, id, by: user)) {
                try await local.setLiked(isLiked, travel: id, by: user)
            }
        }
    }

    /// Fetches the travel into the local store if that lacks it; otherwise requests it in the background.
    func prepareTravel(_ id: Travel.ID, viewer: User.ID?) async throws {
        if try await local.knowledge(of: id) == .unknown { return try await fetch(.travel(id, viewer: viewer)) }
        await state.enqueue(.travel(id, viewer: viewer))
    }

    /// Fetches the timeline into the local store if that lacks it; otherwise requests it in the background.
    func prepareTimeline(of id: Travel.ID, viewer: User.ID?) async throws {
        let request = TravelRequest.timeline(id, viewer: viewer)
        if case .complete = try await local.knowledge(of: id) { return await state.enqueue(request) }
        try await fetch(request)
        guard try await local.knowledge(of: id) != .withoutTimeline else {
            throw TravelError.unavailable(.init("The timeline is not known yet.", canRetry: true))
        }
    }
}

extension CachedTravelRepository: TravelEditingRepository {
    /// Replaces a travel with the result of `change`, or removes it when the result is `nil`, in the local store and
    /// the outbox.
    ///
    /// The version that the caller sees is the one to be sent: if the remote store has another one by then, the edit
    /// becomes a ``TravelConflict``, also for a `version` of `nil`.
    ///
    /// - Throws: The errors of `TravelEditingRepository` as the local store knows them; `TravelError.unavailable` when
    ///   the travel or its timeline is not known, and the remote store does not answer, or when the outbox does not;
    ///   `CancellationError`. Nothing changes then.
    @discardableResult
    public func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try await requireComplete(id, viewer: user)
        return try await mutex.withLock {
            guard case .complete(let before) = try await local.knowledge(of: id) else {
                throw TravelError.notFound(.travel(id))
            }
            try before.requireAuthor(user)
            try before.requireVersion(version)
            guard let after = try change(before)?.revision(of: before) else {
                return try await write(.remove(id, replacing: before.version, by: user)) {
                    try await local.update(id, expecting: before.version, by: user, adding: []) { _ in nil }
                }
            }
            let apply = {
                try await self.local.update(id, expecting: before.version, by: user, adding: images) { _ in after }
            }
            if after == before { return try await apply() }
            let shown = Set(after.images)
            let sent = images.filter { shown.contains($0.id) }
            return try await write(.update(after, replacing: before.version, images: sent), apply)
        }
    }
}
