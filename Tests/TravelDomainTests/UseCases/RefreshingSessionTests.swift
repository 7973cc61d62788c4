import Foundation
import StreamsTesting
import Testing
import TravelDataCached
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Sessions that expire", .inVirtualTime)
struct RefreshingSessionTests {
    let stored = InMemorySession()
    let service = SignInService()
    let mina = User.ID(seed: 1)
    let start = Date(timeIntervalSinceReferenceDate: 0)
    let clock = InVirtualTime.clock

    var session: RefreshingSession {
        RefreshingSession(stored, identity: service) { [clock, start] in
            start.addingTimeInterval(clock.now.offset / .seconds(1))
        }
    }

    private func expiring(in seconds: Double) throws -> Session {
        try Session(user: mina, expiresAt: start.addingTimeInterval(seconds))
    }

    /// An expired session, and the one that the service answers after that time.
    private func expired(refreshedAfter time: Duration) async throws -> (session: RefreshingSession, new: Session) {
        let new = try expiring(in: 600)
        await service.answer { [clock] _ in
            try await clock.sleep(for: time)
            return new
        }
        try await stored.setSession(expiring(in: 0))
        return (session, new)
    }

    @Test("a session is valid until it expires, and is then refreshed once")
    func refreshing() async throws {
        let (old, new) = (try expiring(in: 60), try expiring(in: 600))
        await service.answer { _ in new }
        let session = session
        try await session.setSession(old)
        try await clock.sleep(for: .seconds(59))
        #expect(try await session.session() == old)
        try await clock.sleep(for: .seconds(1))
        #expect(try await session.session() == new)
        #expect(try await session.session() == new)
        #expect(try await stored.session() == new)
        #expect(await service.requests == [old])
    }

    @Test("a session that does not expire is never refreshed")
    func unlimited() async throws {
        try await stored.setSession(Session(user: mina))
        try await clock.sleep(for: .seconds(1_000_000_000))
        #expect(try await session.session() == Session(user: mina))
        #expect(await service.requests == [])
    }

    @Test("tasks that ask at the same time cause one refresh")
    func concurrentTasks() async throws {
        let (session, new) = try await expired(refreshedAfter: .seconds(5))
        try await withThrowingTaskGroup(of: Session?.self) { group in
            for _ in 0..<10 { group.addTask { try await session.session() } }
            for try await answer in group { #expect(answer == new) }
        }
        #expect(await service.requests.count == 1)
    }

    @Test("a task that is cancelled while another one refreshes throws CancellationError immediately")
    func cancelledWaiting() async throws {
        let (session, new) = try await expired(refreshedAfter: .seconds(50))
        let begin = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await session.session() }
            group.addTask { [clock] in
                try await clock.sleep(for: .seconds(1))
                await withThrowingTaskGroup(of: Void.self) { waiting in
                    waiting.addTask { _ = try await session.session() }
                    waiting.addTask { [clock] in
                        try await clock.sleep(for: .seconds(1))
                        throw CancellationError()
                    }
                    while let result = await waiting.nextResult() {
                        if case .failure(let error) = result { #expect(error is CancellationError) }
                        waiting.cancelAll()
                    }
                }
                #expect(clock.now.offset - begin.offset < .seconds(10))
            }
            try await group.waitForAll()
        }
        #expect(try await stored.session() == new)
    }

    @Test("a refused refresh signs out, and so does a session of someone else", arguments: [true, false])
    func refusals(isSomeoneElse: Bool) async throws {
        await service.answer { _ in
            guard isSomeoneElse else { throw TravelError.signedOut }
            return Session(user: User.ID(seed: 2))
        }
        try await stored.setSession(expiring(in: 0))
        #expect(try await session.session() == nil)
        #expect(try await stored.session() == nil)
        await #expect(throws: TravelError.signedOut) {
            try await LikeTrip(trips: InMemoryTripRepository(), session: session)(
                true, trip: Trip.ID(seed: 1))
        }
    }

    @Test("while the provider is unavailable, the user stays signed in, and the next call tries again")
    func outages() async throws {
        let (old, new) = (try expiring(in: 0), try expiring(in: 600))
        await service.answer { _ in throw TravelError.unavailable(.init("Offline.", canRetry: true)) }
        try await stored.setSession(old)
        #expect(try await session.session() == old)
        await service.answer { _ in new }
        #expect(try await session.session() == new)
    }

    @Test("signing out during a refresh takes precedence over its result")
    func signingOutMeanwhile() async throws {
        let (session, _) = try await expired(refreshedAfter: .seconds(5))
        async let refreshed = session.session()
        try await clock.sleep(for: .seconds(1))
        try await SignOut(session: session)()
        #expect(try await refreshed == nil)
        #expect(try await stored.session() == nil)
    }

    @Test("a failed refresh lets the next task try")
    func failures() async throws {
        let new = try expiring(in: 600)
        await service.answer { _ in throw TravelError.forbidden(.user(User.ID(seed: 1))) }
        try await stored.setSession(expiring(in: 0))
        let session = session
        await #expect(throws: TravelError.forbidden(.user(mina))) { try await session.session() }
        await service.answer { _ in new }
        #expect(try await session.session() == new)
    }

    @Test("an observation emits the refreshed session instead of the expired one")
    func observing() async throws {
        let new = try expiring(in: 600)
        await service.answer { _ in new }
        let session = session
        try await watch(session.observeSession()) { inbox in
            #expect(try await inbox.next() == nil)
            try await session.setSession(expiring(in: 0))
            #expect(try await inbox.next() == new)
            try await session.setSession(nil)
            #expect(try await inbox.next() == nil)
        }
    }

    @Test("a session that expires at no moment in time is rejected")
    func rules() throws {
        #expect(throws: TravelError.self) {
            try Session(user: mina, expiresAt: Date(timeIntervalSinceReferenceDate: .nan))
        }
        #expect(try expiring(in: 10).isExpired(at: start.addingTimeInterval(10)))
        #expect(try !expiring(in: 10).isExpired(at: start.addingTimeInterval(9.999)))
        #expect(try !Session(user: mina, expiresAt: nil).isExpired(at: .distantFuture))
    }
}

/// A sign-in service whose answers a test decides.
actor SignInService: IdentityProvider {
    private(set) var requests: [Session] = []
    private var refreshing: @Sendable (Session) async throws -> Session = { $0 }

    func answer(_ refreshing: @escaping @Sendable (Session) async throws -> Session) { self.refreshing = refreshing }

    func identify() async throws -> Session { throw TravelError.signedOut }
    func reauthenticate() async throws -> User.ID { throw TravelError.signedOut }
    func refresh(_ session: Session) async throws -> Session {
        requests.append(session)
        return try await refreshing(session)
    }
}
