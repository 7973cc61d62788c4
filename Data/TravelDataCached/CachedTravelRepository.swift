#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
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
/// let travels = try await CachedTravelRepository.open(
///     local: cache.travels, remote: server, outbox: FileOutbox(folder: "/home/mina/outbox"), now: { Date() })
///
/// try await withThrowingTaskGroup { group in
///     group.addTask { await travels.run() }
///     try await runApp(travels)
///     group.cancelAll()    // stops sending; unsent writes wait for the next start
/// }
/// ```
///
/// ## Reading
///
/// - A request that the remote store has answered before, and a travel, timeline or person that the local store knows,
///   is answered from the local store immediately. The remote store is asked in the background, and observers receive
///   the changed value.
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
/// it. The outbox is sent in order. A write that the remote store refuses becomes a ``TravelConflict``, and the local
/// store gets the remote version. <doc:HowItWorksInside> lists the guarantees.
///
/// A travel of the person that the remote store no longer has is removed from the local store, too, and becomes a
/// ``VanishedTravel``.
///
/// If the remote store answers that nobody is signed in, reads continue as if it did not answer, those without a local
/// answer throw `TravelError.signedOut`, and writes stay pending: sign in, and call ``reconnect()``.
///
/// Every function throws `TravelError` or `CancellationError`.
public final class CachedTravelRepository: TravelRepository, Sendable {
    let local: any TravelStore & TravelCache
    let remote: any TravelStore
    let outbox: any Outbox
    let state: CacheState
    /// Serialises the changes of the local store.
    let mutex = AsyncMutex()
    let now: @Sendable () -> Date
    let clock: any Clock<Duration>
    let backoff: Backoff

    private init(
        local: any TravelStore & TravelCache, remote: any TravelStore, outbox: any Outbox, items: [OutboxItem],
        backoff: Backoff, clock: any Clock<Duration>, now: @escaping @Sendable () -> Date
    ) {
        (self.local, self.remote, self.outbox) = (local, remote, outbox)
        state = CacheState(items)
        (self.backoff, self.clock, self.now) = (backoff, clock, now)
    }

    /// Opens the stores: reads the outbox, and applies the writes that an earlier process stored there without applying
    /// them. Items that cannot be read stay there, and are not sent: ``CacheStatus/damagedItems`` has their numbers.
    ///
    /// - Parameters:
    ///   - local: The local store. Only this repository writes to it.
    ///   - remote: The remote store.
    ///   - outbox: The writes that were not sent. It belongs to the local store.
    ///   - backoff: The pauses between attempts while the remote store does not answer.
    ///   - clock: The clock of these waits.
    ///   - now: Returns the current time, as the time of an answer.
    /// - Throws: `TravelError.unavailable` when the outbox or the local store cannot answer; `CancellationError`.
    public static func open(
        local: any TravelStore & TravelCache, remote: any TravelStore, outbox: any Outbox,
        backoff: Backoff = Backoff(), clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date
    ) async throws -> CachedTravelRepository {
        let travels = CachedTravelRepository(
            local: local, remote: remote, outbox: outbox, items: try await outbox.items(), backoff: backoff,
            clock: clock, now: now)
        try await travels.replay()
        // An earlier process may have ended before it removed the travel, or after it was there again.
        for travel in await travels.state.vanished where try await local.knowledge(of: travel.id) != .unknown {
            try await travels.forget(travel)
        }
        return travels
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

    /// Asks the remote store, and returns when its answer is in the local store.
    ///
    /// ```swift
    /// try await travels.refresh(.search(query))    // the person pulls the list
    /// ```
    ///
    /// - Throws: `TravelError.unavailable` when it does not answer; `CancellationError`.
    public func refresh(_ request: TravelRequest) async throws {
        try await fetch(request)
    }

    /// Ends the pause between attempts to reach the remote store: call it when the network is back.
    public func reconnect() async {
        await state.endPauses()
    }

    /// Returns the time of the last answer of the remote store to the request; `nil` if there is none.
    ///
    /// - Throws: `TravelError.unavailable` when the local store cannot answer; `CancellationError`.
    public func lastAnswer(to request: TravelRequest) async throws -> Date? {
        try await local.lastAnswer(to: request.key)
    }

    /// Returns whether the remote store answers, and the numbers of pending writes and of conflicts.
    public func status() async -> CacheStatus { await state.status }

    /// Observes the status: the current one first, and then after each change. A slow consumer receives only the
    /// latest.
    public func observeStatus() async -> AsyncStream<CacheStatus> { await state.observeStatus() }

    /// Returns the conflicts that wait for a decision, in the order of their writes.
    public func conflicts() async -> [TravelConflict] { await state.conflicts }

    /// Observes the conflicts: the current ones first, and then after each change. A slow consumer receives only the
    /// latest.
    public func observeConflicts() async -> AsyncStream<[TravelConflict]> { await state.observeConflicts() }
}
