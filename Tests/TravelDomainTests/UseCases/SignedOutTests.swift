import Foundation
import StreamsTesting
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Use cases and the person at hand", .inVirtualTime)
struct SignedOutTests {
    let store = InMemoryTravelRepository()
    let session = InMemorySession()
    let travel = Travel.ID(seed: 1)
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    init() async throws {
        try await store.add((1...3).map { try TravelBuilder(seed: $0).build() })
    }

    @Test("when nobody is signed in, searching and watching show what everyone sees")
    func readers() async throws {
        #expect(try await SearchTravels(travels: store, session: session)(TravelCriteria()).travels.count == 3)
        try await watch(WatchTravels(travels: store, session: session)(TravelCriteria())) { inbox in
            let page = try await inbox.next()
            #expect(page.travels.count == 3)
        }
    }

    @Test("when nobody is signed in, use cases that act for a person throw signedOut and change nothing")
    func writers() async throws {
        let content = try TravelBuilder(seed: 1).with { $0.title = "Changed" }.build().content
        let entry = try TimelineEntry(day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"), text: EntryText("Text"))
        let before = try await store.travel(travel, viewer: nil)
        let (store, session, travel, now) = (store, session, travel, now)
        let actions: [@Sendable () async throws -> Void] = [
            { try await EditTravel(travels: store, session: session, now: now)(travel, content) },
            { try await SaveEntry(travels: store, session: session, now: now)(entry, in: travel) },
            { try await DeleteEntry(travels: store, session: session, now: now)(entry.id, in: travel) },
            { try await DeleteTravel(travels: store, session: session)(travel) },
            { try await LikeTravel(travels: store, session: session)(true, travel: travel) },
            { try await ReportTravel(moderation: store, session: session)(travel) },
            { try await BlockAuthor(moderation: store, session: session)(User.ID(seed: 1)) },
            { try await UnblockAuthor(moderation: store, session: session)(User.ID(seed: 1)) },
            { _ = try await BlockedAuthors(moderation: store, session: session)() },
            { _ = try await ChangeNickname(users: store, session: session)(Nickname("Sora")) },
            { try await Withdraw(users: store, identity: session, session: session)() },
        ]
        for action in actions { await #expect(throws: TravelError.signedOut) { try await action() } }
        #expect(try await store.travel(travel, viewer: nil) == before)
        #expect(TravelError.signedOut.description == "Nobody is signed in: sign in first.")
    }

    @Test("likes and reports are those of the signed-in person")
    func actors() async throws {
        try await session.setSession(Session(user: User.ID(seed: 2)))
        try await LikeTravel(travels: store, session: session)(true, travel: travel)
        #expect(try await store.travel(travel, viewer: User.ID(seed: 2)).isLiked)
        #expect(try await store.travel(travel, viewer: User.ID(seed: 3)).likeCount == 1)
        try await LikeTravel(travels: store, session: session)(false, travel: travel)
        #expect(try await store.travel(travel, viewer: nil).likeCount == 0)
        let report = ReportTravel(moderation: store, session: session)
        #expect(try await report(travel))
        #expect(try await !report(travel))
        await #expect(throws: TravelError.forbidden(.travel(Travel.ID(seed: 2)))) {
            try await report(Travel.ID(seed: 2))
        }
    }

    @Test("a like can be taken back after blocking the author")
    func likesOfBlockedAuthors() async throws {
        try await session.setSession(Session(user: User.ID(seed: 2)))
        let like = LikeTravel(travels: store, session: session)
        try await like(true, travel: travel)
        try await BlockAuthor(moderation: store, session: session)(User.ID(seed: 1))
        try await like(false, travel: travel)
        #expect(try await store.travel(travel, viewer: nil).likeCount == 0)
        await #expect(throws: TravelError.notFound(.travel(travel))) { try await like(true, travel: travel) }
    }

    @Test("my travels and the travels that I like are searches, of any person")
    func searchesByPerson() async throws {
        try await session.setSession(Session(user: User.ID(seed: 2)))
        try await LikeTravel(travels: store, session: session)(true, travel: travel)
        let search = SearchTravels(travels: store, session: session)
        #expect(try await search(TravelCriteria(author: User.ID(seed: 2))).travels.map(\.id) == [Travel.ID(seed: 2)])
        #expect(try await search(TravelCriteria(likedBy: User.ID(seed: 2))).travels.map(\.id) == [travel])
        #expect(try await search(TravelCriteria(likedBy: User.ID(seed: 3))).travels == [])
    }

    @Test("a watched page follows the store for the person who was signed in when the iteration began")
    func watching() async throws {
        try await session.setSession(Session(user: User.ID(seed: 2)))
        let pages = WatchTravels(travels: store, session: session)(TravelCriteria(sort: .mostLiked))
        try await watch(pages) { inbox in
            #expect(try await inbox.next().travels.filter(\.isMine).map(\.id) == [Travel.ID(seed: 2)])
            try await LikeTravel(travels: store, session: session)(true, travel: travel)
            #expect(try await inbox.next().travels.first?.isLiked == true)
            try await session.setSession(nil)
            try await store.block(User.ID(seed: 3), by: User.ID(seed: 2))
            #expect(try await inbox.next().travels.count == 2)
        }
    }

    @Test("watching with a cursor from a search in another order throws")
    func foreignCursors() async throws {
        let cursor = TravelCursor(after: try await store.travel(travel, viewer: nil), in: .mostLiked)
        await #expect(throws: TravelError.invalid(Violation(.cursor, .foreignCursor))) {
            for try await _ in WatchTravels(travels: store, session: session)(TravelCriteria(), after: cursor) {}
        }
    }
}
