import Synchronization
import TravelDomain

extension CachedTripRepository {
    /// Follows at the remote store what is observed here, until the task is cancelled: what changes there reaches the
    /// observers as soon as ``run()`` has asked for it.
    ///
    /// Without it, an observed page or trip shows what has changed elsewhere when it is read again. A screen that is open for
    /// long, such as that of an app, wants it; a command does not. Each page and each trip is followed once, however many
    /// observe it. While the remote store does not answer, it is tried again as by ``run()``.
    ///
    /// ```swift
    /// group.addTask { await trips.run() }
    /// group.addTask { await trips.follow() }
    /// ```
    public func follow() async {
        await withDiscardingTaskGroup { group in
            var followers: [TripRequest: AsyncStream<Void>.Continuation] = [:]
            for await requests in followed.changes() {
                for (request, ending) in followers where !requests.contains(request) {
                    ending.finish()
                    followers[request] = nil
                }
                for request in requests where followers[request] == nil {
                    let (end, ending) = AsyncStream<Void>.makeStream()
                    followers[request] = ending
                    group.addTask {
                        await withTaskGroup { group in
                            group.addTask { await self.follow(request) }
                            group.addTask { for await _ in end {} }
                            await group.next()
                            group.cancelAll()
                        }
                    }
                }
            }
        }
    }

    /// Follows one request, until the remote store says that there is nothing to follow, or the task is cancelled.
    private func follow(_ request: TripRequest) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                switch request {
                case .search(let query):
                    for try await page in remote.observe(query) {
                        failures = 0
                        if try await local.search(query) != page { await state.enqueue(request) }
                    }
                case .trip(let id, let viewer):
                    for try await trip in remote.observeTrip(id, viewer: viewer) {
                        failures = 0
                        try await ask(for: trip, viewer: viewer)
                    }
                case .timeline, .user, .blocked: break
                }
                return
            } catch {
                if !isOutage(error), (error as? TravelError) != .signedOut {
                    // The answer says what has become of it.
                    if !Task.isCancelled { await state.enqueue(request) }
                    return
                }
                failures += 1
                await pause(after: failures)
            }
        }
    }

    /// Asks for what the local store has of a trip in another form.
    private func ask(for trip: Trip, viewer: User.ID?) async throws {
        let knowledge = try await local.knowledge(of: trip.id)
        if case .complete(let known) = knowledge, known.version != trip.version {
            await state.enqueue(.timeline(trip.id, viewer: viewer))
        } else if try await local.trip(trip.id, viewer: viewer) != trip {
            await state.enqueue(.trip(trip.id, viewer: viewer))
        }
    }
}

/// The requests whose results are observed.
final class FollowedRequests: Sendable {
    private struct State {
        var counts: [TripRequest: Int] = [:]
        var follower: AsyncStream<Set<TripRequest>>.Continuation?
    }

    private let state = Mutex(State())

    /// The requests now, and after each change.
    func changes() -> AsyncStream<Set<TripRequest>> {
        let (changes, follower) = AsyncStream<Set<TripRequest>>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            state.follower = follower
            follower.yield(Set(state.counts.keys))
        }
        return changes
    }

    fileprivate func add(_ count: Int, of request: TripRequest) {
        state.withLock { state in
            let before = state.counts[request] ?? 0
            state.counts[request] = before + count == 0 ? nil : before + count
            if before == 0 || before + count == 0 { state.follower?.yield(Set(state.counts.keys)) }
        }
    }
}

/// The values of a sequence, whose request is followed while somebody iterates it.
struct FollowedSequence<Element: Sendable>: AsyncSequence, Sendable {
    private let base: any AsyncSequence<Element, any Error> & Sendable
    private let request: TripRequest
    private let requests: FollowedRequests

    init(
        _ base: any AsyncSequence<Element, any Error> & Sendable, _ request: TripRequest, in requests: FollowedRequests
    ) {
        (self.base, self.request, self.requests) = (base, request, requests)
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), following: Following(request, in: requests))
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: any AsyncIteratorProtocol<Element, any Error>
        fileprivate let following: Following

        mutating func next() async throws -> Element? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            try await base.next(isolation: actor)
        }
    }

    fileprivate final class Following {
        private let request: TripRequest
        private let requests: FollowedRequests

        init(_ request: TripRequest, in requests: FollowedRequests) {
            (self.request, self.requests) = (request, requests)
            requests.add(1, of: request)
        }

        deinit { requests.add(-1, of: request) }
    }
}
