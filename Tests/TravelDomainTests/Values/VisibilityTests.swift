import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Visibility of travels", .inVirtualTime)
struct VisibilityTests {
    let author = User.ID(seed: 1)
    let viewer = User.ID(seed: 2)

    @Test(
        "more than five reports hide a travel from everyone but its author",
        arguments: [
            (0, true), (5, true), (6, false), (100, false),
        ])
    func reports(count: Int, isSeen: Bool) {
        #expect(Visibility(viewer: viewer, blocked: []).shows(travelBy: author, reports: count) == isSeen)
        #expect(Visibility(viewer: nil, blocked: []).shows(travelBy: author, reports: count) == isSeen)
        #expect(Visibility(viewer: author, blocked: []).shows(travelBy: author, reports: count))
    }

    @Test("a blocked author's travels are hidden, others are not")
    func blocks() {
        let visibility = Visibility(viewer: viewer, blocked: [author])
        #expect(!visibility.shows(travelBy: author, reports: 0))
        #expect(visibility.shows(travelBy: viewer, reports: 0))
        #expect(visibility.shows(travelBy: User.ID(seed: 3), reports: 0))
    }

    @Test("people cannot block themselves, and blocks of others are stored")
    func blockingAuthors() async throws {
        let travels = InMemoryTravelRepository()
        try await travels.add([TravelBuilder(seed: 1).build(), TravelBuilder(seed: 2).build()])
        let block = BlockAuthor(moderation: travels, session: InMemorySession(signedIn: viewer))
        await #expect(throws: TravelError.forbidden(.user(viewer))) { try await block(viewer) }
        try await block(author)
        #expect(try await travels.blocked(by: viewer).map(\.id) == [author])
    }

    @Test("the use case rejects blocking oneself even if the store does not")
    func authorisationIsDecidedInTheDomain() async throws {
        let block = BlockAuthor(moderation: CarelessModeration(), session: InMemorySession(signedIn: viewer))
        await #expect(throws: TravelError.forbidden(.user(viewer))) { try await block(viewer) }
        try await block(author)
    }
}

/// A store that allows everything and stores nothing.
private struct CarelessModeration: ModerationRepository {
    func report(_ travel: Travel.ID, by user: User.ID) async throws -> Bool { true }
    func block(_ author: User.ID, by user: User.ID) async throws -> Bool { true }
    func unblock(_ author: User.ID, by user: User.ID) async throws {}
    func blocked(by user: User.ID) async throws -> [User] { [] }
}
