internal import TravelDataShared
public import TravelDomain

/// A remote store behind a local one, with an outbox: it answers from the local store immediately, reads and writes
/// while the remote store does not answer, and sends the writes when it answers again.
///
/// It is a `TravelStore`, so that use cases and screens do not depend on it. ``run()`` sends writes and requests in
/// the background, for as long as its task runs; without it, writes stay pending, and answers come from the local store
/// and from requests that a caller waits for.
///
/// ```swift
/// let cache = try await TravelDatabase.open(path: "/home/mina/cache.db")
/// let trips = try await CachedTripRepository.open(
///     local: cache.trips, remote: server, outbox: FileOutbox(folder: "/home/mina/outbox"), now: { Date() })
///
/// try await withThrowingTaskGroup { group in
///     group.addTask { await trips.run() }
///     try await runApp(trips)
///     group.cancelAll()    // stops sending; unsent writes wait for the next start
/// }
/// ```
///
/// ## Reading
///
/// - A request that the remote store has answered before, and a trip, timeline or user that the local store knows,
///   is answered from the local store immediately. The remote store is asked in the background, and observers receive
///   the changed value. A program that reads once and ends, such as a command, opens the repository with a
///   `remoteTimeout`: such a request then asks the remote store first, and has the local answer if that takes longer.
/// - Any other request waits for the remote store. If that does not answer, a search finds what the local store knows,
///   if anything, and a lookup throws `TravelError.unavailable`.
/// - Suggestions of titles and the check of a nickname ask the remote store, unless it is offline or writes are
///   pending, which only the local store has.
///
/// ``lastAnswer(to:)`` returns the time of an answer, and ``status()`` whether the remote store answers.
///
/// ## Writing
///
/// A write is stored in the outbox, applied to the local store, and returns. It fails only if the local store refuses
/// it. The outbox is sent in order. A write that the remote store refuses becomes a `TripConflict`, and the local
/// store gets the remote version. <doc:HowItWorksInside> lists the guarantees.
///
/// A trip of the user that the remote store no longer has is removed from the local store, too, and becomes a
/// `VanishedTrip`.
///
/// If the remote store answers that nobody is signed in, reads continue as if it did not answer, those without a local
/// answer throw `TravelError.signedOut`, and writes stay pending: sign in, and call ``reconnect()``.
///
/// Every function throws `TravelError` or `CancellationError`: the errors of the protocol as the local store knows them,
/// and `TravelError.unavailable` when the local store or the outbox does not answer, or when a write concerns a trip or
/// user that is not known and the remote store does not answer. A call that throws changes nothing.
public final class CachedTripRepository: TripRepository, TripSynchronization, Sendable {
    let local: any TravelStore & TripCache
    let remote: any TravelStore
    let outbox: any Outbox
    let state: CacheState
    /// The user of the device, if it has one.
    let owner: User.ID?
    /// Serialises the changes of the local store.
    let mutex = AsyncMutex()
    /// What is observed, for ``follow()``.
    let followed = FollowedRequests()
    /// Serialises the sending of writes.
    let sending = AsyncMutex()
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    let backoff: Backoff
    let remoteTimeout: Duration?

    private init(
        local: any TravelStore & TripCache, remote: any TravelStore, outbox: any Outbox, items: [OutboxItem],
        owner: User.ID?, remoteTimeout: Duration?, backoff: Backoff, clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date
    ) {
        (self.local, self.remote, self.outbox, self.owner) = (local, remote, outbox, owner)
        state = CacheState(items, owner: owner)
        (self.remoteTimeout, self.backoff, self.clock, self.now) = (remoteTimeout, backoff, clock, now)
    }

    /// Opens the stores: reads the outbox, and applies the writes that an earlier process stored there without applying
    /// them. Items that cannot be read stay there, and are not sent: `SyncStatus.damagedItems` has their numbers.
    ///
    /// - Parameters:
    ///   - local: The local store. Only this repository writes to it.
    ///   - remote: The remote store.
    ///   - outbox: The writes that were not sent. It belongs to the local store.
    ///   - owner: The user of the device: of their trips that the remote store has lost, a copy is kept, also when it is
    ///     asked while nobody is signed in.
    ///   - remoteTimeout: How long a read waits for the remote store before it answers from the local one. After one that
    ///     has waited in vain, the others do not wait until there is an answer. `nil`: what is known is read from the local
    ///     store immediately.
    ///   - backoff: The pauses between attempts while the remote store does not answer.
    ///   - clock: The clock of the timeout and the pauses.
    ///   - now: Returns the current time, as the time of an answer.
    /// - Throws: `TravelError.unavailable` when the outbox or the local store cannot answer; `CancellationError`.
    public static func open(
        local: any TravelStore & TripCache, remote: any TravelStore, outbox: any Outbox, owner: User.ID? = nil,
        remoteTimeout: Duration? = nil, backoff: Backoff = Backoff(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date
    ) async throws -> CachedTripRepository {
        let trips = CachedTripRepository(
            local: local, remote: remote, outbox: outbox, items: try await outbox.items(), owner: owner,
            remoteTimeout: remoteTimeout, backoff: backoff, clock: clock, now: now)
        await trips.state.setLastAnswer(try await local.lastAnswer(to: anyRequest))
        for number in trips.state.finishedItems { try await outbox.remove(number) }
        try await trips.replay()
        // An earlier process may have ended before it removed the trip, or after it was there again.
        for trip in await trips.state.vanished where try await local.knowledge(of: trip.id) != .unknown {
            try await trips.forget(trip)
        }
        return trips
    }

    /// Sends the outbox, and asks the remote store in the background, until the task is cancelled.
    ///
    /// While the remote store does not answer, it is asked again after the pauses of the ``Backoff``, and as soon as it
    /// answers another call. With nothing to send or ask, it waits without a timer. A second call while one runs
    /// returns immediately.
    public func run() async {
        guard await state.beginWork() else { return }
        await withTaskGroup { group in
            group.addTask { await self.sendWrites() }
            group.addTask { await self.sendRequests() }
        }
        await state.endWork()
    }

    /// Waits, while ``run()`` works, until everything is sent and asked, but not for a remote store that does not answer, nor
    /// for a local store or an outbox that cannot store the answers: it ends with the first write that cannot be sent.
    public func settle() async { await state.waitUntilSettled() }

    /// Waits like ``settle()``, at most for `duration`.
    ///
    /// A program that ends soon calls it at its end.
    public func settle(within duration: Duration) async {
        await wait(atMost: duration) { [state] in await state.waitUntilSettled() }
    }

    /// Asks the remote store, and returns when its answer is in the local store.
    ///
    /// - Throws: `TravelError.unavailable` when it does not answer; `CancellationError`.
    public func refresh(_ request: TripRequest) async throws {
        try await fetch(request)
    }

    /// Compares the trips of a user with those of the remote store, page by page: what that has in another version is in
    /// the local store when the call returns, and what it does not have is a `VanishedTrip`, unless a write of it waits.
    ///
    /// - Throws: `TravelError.unavailable` when either store does not answer; `CancellationError`.
    public func compareTrips(of user: User.ID) async throws {
        var cursor: TripCursor?
        repeat {
            let query = try TripQuery(
                TripCriteria(author: user), viewer: user, after: cursor, limit: TripQuery.limits.upperBound)
            try await fetch(.search(query))
            cursor = try await local.search(query).next
        } while cursor != nil
    }

    /// The reads since the start that were answered from the local store, because the remote one did not answer in time.
    public func unansweredReads() async -> UnansweredReads { await state.unanswered }

    public func reconnect() async {
        await state.reconnect()
    }

    /// Returns the time of the last answer of the remote store to the request; `nil` if there is none.
    ///
    /// - Throws: `TravelError.unavailable` when the local store cannot answer; `CancellationError`.
    public func lastAnswer(to request: TripRequest) async throws -> Date? {
        try await local.lastAnswer(to: request.key)
    }

    /// Returns the first write of the trip that the remote store does not have, because it is pending or was refused; `nil`
    /// if there is none.
    public func unsentWrite(of id: Trip.ID) async -> TripWrite? {
        await state.firstWrite(of: id)
    }

    public func status() async -> SyncStatus { await state.status }

    public func observeStatus() async -> AsyncStream<SyncStatus> { await state.observeStatus() }

    public func conflicts() async -> [TripConflict] { await state.conflicts }

    public func observeConflicts() async -> AsyncStream<[TripConflict]> { await state.observeConflicts() }
}

extension CachedTripRepository {
    /// Returns one page of the trips that meet the criteria: immediately if the remote store has answered this query
    /// before, and otherwise when it answers.
    public func search(_ query: TripQuery) async throws -> TripPage {
        let request = TripRequest.search(query)
        if try await local.lastAnswer(to: request.key) != nil {
            try await renew(request)
            return try await local.search(query)
        }
        // Offline, what the local store finds is preferred to waiting for another failure.
        if await state.status.connection == .offline {
            let page = try await local.search(query)
            if !page.trips.isEmpty {
                await state.note(request, isAnswered: false)
                await state.enqueue(request)
                return page
            }
        }
        do {
            try await fetch(request)
            return try await local.search(query)
        } catch  where isOutage(error) {
            let page = try await local.search(query)
            if page.trips.isEmpty { throw error }
            await state.note(request, isAnswered: false)
            await state.enqueue(request)
            return page
        }
    }

    /// Returns the trip as `viewer` sees it: immediately if the local store has it, and otherwise when the remote
    /// store answers.
    public func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await prepareTrip(id, viewer: viewer)
        return try await local.trip(id, viewer: viewer)
    }

    /// Returns the timeline of a trip: immediately if the local store has it, and otherwise when the remote store
    /// answers.
    public func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await prepareTimeline(of: id, viewer: viewer)
        return try await local.timeline(of: id, viewer: viewer)
    }

    /// Returns the path of the recorded track of a trip, as ``timeline(of:viewer:)`` does for the timeline.
    public func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await prepareTimeline(of: id, viewer: viewer)
        return try await local.track(of: id, viewer: viewer)
    }

    public func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        // Also of those that no trip shows, each may be there once.
        _ = try NewImages(images)
        try await mutex.withLock {
            let shown = Set(trips.flatMap(\.images))
            try await write(.add(trips, images: images.filter { shown.contains($0.id) }))
        }
    }

    public func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await requireKnown(id, viewer: user)
        try await requireKnown(user)
        try await mutex.withLock { try await write(.setLiked(isLiked, id, by: user)) }
    }

    /// Fetches the trip into the local store if that lacks it; otherwise renews it.
    func prepareTrip(_ id: Trip.ID, viewer: User.ID?) async throws {
        if try await local.knowledge(of: id) == .unknown { return try await fetch(.trip(id, viewer: viewer)) }
        try await renew(.trip(id, viewer: viewer))
    }

    /// Fetches the timeline into the local store if that lacks it; otherwise renews it.
    func prepareTimeline(of id: Trip.ID, viewer: User.ID?) async throws {
        let request = TripRequest.timeline(id, viewer: viewer)
        if case .complete = try await local.knowledge(of: id) { return try await renew(request) }
        try await fetch(request)
        guard try await local.knowledge(of: id) != .withoutTimeline else {
            throw TravelError.unavailable(.init("The timeline is not known yet.", canRetry: true))
        }
    }
}

extension CachedTripRepository: TripEditingRepository {
    /// Replaces a trip with the result of `change`, or removes it when the result is `nil`, in the local store and
    /// the outbox.
    ///
    /// The version that the caller sees is the one to be sent: if the remote store has another one by then, the edit
    /// becomes a `TripConflict`, also for a `version` of `nil`.
    @discardableResult
    public func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await requireComplete(id, viewer: user)
        return try await mutex.withLock {
            guard case .complete(let before) = try await local.knowledge(of: id) else {
                throw TravelError.notFound(.trip(id))
            }
            // Whoever does not see it, does not learn that it is there.
            if before.author.id != user { _ = try await local.trip(id, viewer: user) }
            try before.requireAuthor(user)
            try before.requireVersion(version)
            guard let after = try change(before)?.revision(of: before) else {
                return try await write(.remove(id, replacing: before.version, by: user), over: before) {
                    try await local.update(id, expecting: before.version, by: user, adding: []) { _ in nil }
                }
            }
            let apply = {
                try await self.local.update(id, expecting: before.version, by: user, adding: images) { _ in after }
            }
            if after == before { return try await apply() }
            let shown = Set(after.images)
            let sent = images.filter { shown.contains($0.id) }
            return try await write(.update(after, replacing: before.version, images: sent), over: before, apply)
        }
    }
}

extension CachedTripRepository: TripObservingRepository {
    /// Observes one page of a search: first the result of the local store, and then that of the remote store, if it
    /// differs, and what changes there while ``follow()`` runs. The first value waits for the remote store if the local one
    /// finds nothing and has no earlier answer to the query.
    public func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        DeferredSequence<TripPage, TripPage> {
            try await self.preparePage(of: query)
            return FollowedSequence(self.local.observe(query), .search(query), in: self.followed)
        }
    }

    /// Observes one trip, as the local store knows it, which learns of changes while ``follow()`` runs. The sequence throws
    /// the errors of ``trip(_:viewer:)``.
    public func observeTrip(
        _ id: Trip.ID, viewer: User.ID?
    ) -> any AsyncSequence<Trip, any Error> & Sendable {
        DeferredSequence<Trip, Trip> {
            try await self.prepareTrip(id, viewer: viewer)
            return FollowedSequence(
                self.local.observeTrip(id, viewer: viewer), .trip(id, viewer: viewer), in: self.followed)
        }
    }

    /// Observes the timeline of a trip, or one day of it, as the local store knows it. The sequence throws the errors of
    /// ``timeline(of:viewer:)``.
    public func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        DeferredSequence<[TimelineEntry], [TimelineEntry]> {
            try await self.prepareTimeline(of: id, viewer: viewer)
            return FollowedSequence(
                self.local.observeTimeline(of: id, day: day, viewer: viewer), .trip(id, viewer: viewer),
                in: self.followed)
        }
    }

    /// Fetches the page into the local store if that finds nothing; otherwise renews it.
    private func preparePage(of query: TripQuery) async throws {
        let request = TripRequest.search(query)
        var isKnown = try await local.lastAnswer(to: request.key) != nil
        if !isKnown { isKnown = try await !local.search(query).trips.isEmpty }
        if !isKnown {
            // Without an answer, the page is what the local store finds, until the remote store answers in the
            // background.
            do { return try await fetch(request) } catch  where isOutage(error) {}
            await state.enqueue(request)
        } else {
            try await renew(request)
        }
    }
}
