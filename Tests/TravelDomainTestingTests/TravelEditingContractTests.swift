import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The contracts of editing and moderation", .timeLimit(.minutes(5)))
struct TravelEditingContractTests {
    enum Flaw { case anyoneMayEdit, changesOverlap, removalHidesOnly, reportsAddUp, oneMayBlockOneself, blocksReachAll }

    @Test(
        "a repository that breaks a promise of editing fails the check of that promise",
        arguments: [
            (
                Flaw.anyoneMayEdit,
                "editing: others than the author may not, whatever they would do, and nothing changes"
            ),
            (.changesOverlap, "editing: entries that several tasks add at the same time are all there"),
            (.removalHidesOnly, "editing: a removed travel is gone, its timeline with it, and others stay"),
        ])
    func aBrokenPromiseOfEditingIsFound(flaw: Flaw, check: String) async throws {
        let expected = try #require(TravelEditingContract.checks.first { $0.id == check }, "there is no such check")
        await #expect("\(flaw) goes unnoticed") {
            try await expected.run { FlawedStore(flaw) }
        } throws: { error in
            (error as? ContractViolation)?.check == check
        }
    }

    @Test(
        "a repository that breaks a promise of moderation fails the check of that promise",
        arguments: [
            (Flaw.reportsAddUp, "moderation: a second report by the same person is refused and does not count"),
            (.oneMayBlockOneself, "moderation: nobody can block themselves"),
            (.blocksReachAll, "moderation: the travels of a blocked author are gone for the one who blocked alone"),
        ])
    func aBrokenPromiseOfModerationIsFound(flaw: Flaw, check: String) async throws {
        let expected = try #require(ModerationContract.checks.first { $0.id == check }, "there is no such check")
        await #expect("\(flaw) goes unnoticed") {
            try await expected.run { FlawedStore(flaw) }
        } throws: { error in
            (error as? ContractViolation)?.check == check
        }
    }

    @Test(
        "generated edits find flaws that no one wrote a check for", arguments: [Flaw.anyoneMayEdit, .removalHidesOnly])
    func generatedEditsFindFlaws(flaw: Flaw) async throws {
        let violations = try await TravelEditingContract.generated(seeds: 1...5).violations { FlawedStore(flaw) }
        #expect(!violations.isEmpty)
    }

    @Test("no two checks have the same name")
    func namesAreUnique() {
        let names = TravelEditingContract.checks.map(\.id) + ModerationContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}

/// A store with one flaw, on one without.
private actor FlawedStore: TravelRepository, TravelEditingRepository, TitleRepository, ModerationRepository {
    private let flaw: TravelEditingContractTests.Flaw
    private let sound = InMemoryTravelRepository()

    init(_ flaw: TravelEditingContractTests.Flaw) { self.flaw = flaw }

    func update(
        _ id: Travel.ID, by user: User.ID,
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        switch flaw {
        case .anyoneMayEdit:
            let author = try await sound.travel(id, viewer: nil).author.id
            try await sound.update(id, by: author, change)
        case .changesOverlap:
            let travel = try await sound.travel(id, viewer: nil)
            let recorded = try RecordedTravel(
                id: id, author: travel.author, createdAt: travel.createdAt, content: travel.content,
                timeline: try await sound.timeline(of: id))
            for _ in 0..<50 { await Task.yield() }
            let changed = try change(recorded)
            try await sound.update(id, by: user) { _ in changed }
        case .removalHidesOnly:
            try await sound.update(id, by: user) { travel throws(TravelError) in try change(travel) ?? travel }
        default: try await sound.update(id, by: user, change)
        }
    }

    func report(_ travel: Travel.ID, by user: User.ID) async throws {
        do {
            try await sound.report(travel, by: user)
        } catch TravelError.conflict where flaw == .reportsAddUp {}
    }

    func block(_ author: User.ID, by user: User.ID) async throws {
        if flaw == .oneMayBlockOneself, author == user { return }
        try await sound.block(author, by: user)
        guard flaw == .blocksReachAll else { return }
        for other in (0..<10).map({ User.ID(seed: $0) }) where other != author && other != user {
            try await sound.block(author, by: other)
        }
    }

    func unblock(_ author: User.ID, by user: User.ID) async throws { try await sound.unblock(author, by: user) }
    func blocked(by user: User.ID) async throws -> [User] { try await sound.blocked(by: user) }
    func search(_ query: TravelQuery) async throws -> TravelPage { try await sound.search(query) }
    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel { try await sound.travel(id, viewer: viewer) }
    func timeline(of id: Travel.ID) async throws -> [TimelineEntry] { try await sound.timeline(of: id) }
    func add(_ travels: [RecordedTravel]) async throws { try await sound.add(travels) }
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await sound.setLiked(isLiked, travel: id, by: user)
    }
    func titles(containing text: Keyword, limit: Int) async throws -> [Title] {
        try await sound.titles(containing: text, limit: limit)
    }
}
