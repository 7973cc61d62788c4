import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The contracts of people and of observing", .timeLimit(.minutes(1)))
struct UserAndObservingContractTests {
    enum Flaw {
        case caseTellsNamesApart, withdrawalKeepsTravels, renamingIsForgotten, equalValuesRepeat, cancellationThrows
    }

    @Test(
        "a repository that breaks a promise about people fails the check of that promise",
        arguments: [
            (Flaw.caseTellsNamesApart, "users: \"mINA\" is taken where someone else is \"Mina\""),
            (
                .withdrawalKeepsTravels,
                "users: who is removed takes travels, timelines and titles along, and nobody else's"
            ),
            (.renamingIsForgotten, "users: a new nickname is on all travels, and the old one free"),
        ])
    func aBrokenPromiseAboutPeopleIsFound(flaw: Flaw, check: String) async throws {
        let expected = try #require(UserRepositoryContract.checks.first { $0.id == check }, "there is no such check")
        await #expect("\(flaw) goes unnoticed") {
            try await expected.run { FlawedPeople(flaw) }
        } throws: { error in
            (error as? ContractViolation)?.check == check
        }
    }

    @Test(
        "a repository that breaks a promise of observing fails the check of that promise",
        arguments: [
            (Flaw.equalValuesRepeat, "observing: what does not change a page does not repeat it"),
            (.cancellationThrows, "observing: a page is there at once, and again when a travel is added to it"),
        ])
    func aBrokenPromiseOfObservingIsFound(flaw: Flaw, check: String) async throws {
        let expected = try #require(TravelObservingContract.checks.first { $0.id == check }, "there is no such check")
        await #expect("\(flaw) goes unnoticed") {
            try await expected.run { FlawedPeople(flaw) }
        } throws: { error in
            (error as? ContractViolation)?.check == check
        }
    }

    @Test("the wrapper that the broken repositories share keeps every promise about people while it has no flaw")
    func withoutFlawEveryCheckPasses() async throws {
        #expect(try await UserRepositoryContract.checks.violations { FlawedPeople(nil) } == [])
        #expect(try await TravelObservingContract.checks.violations { FlawedPeople(nil) } == [])
    }

    @Test("no two checks have the same name")
    func namesAreUnique() {
        let names = UserRepositoryContract.checks.map(\.id) + TravelObservingContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}

/// A store with one flaw or none, on one without.
private struct FlawedPeople: UserRepository, TravelRepository, ModerationRepository, TitleRepository,
    TravelObservingRepository, TravelEditingRepository
{
    private let flaw: UserAndObservingContractTests.Flaw?
    private let sound = InMemoryTravelRepository()

    init(_ flaw: UserAndObservingContractTests.Flaw?) { self.flaw = flaw }

    func isTaken(_ nickname: Nickname, exceptBy user: User.ID) async throws -> Bool {
        if flaw == .caseTellsNamesApart, nickname.text != nickname.folded { return false }
        return try await sound.isTaken(nickname, exceptBy: user)
    }

    func rename(_ id: User.ID, to nickname: Nickname) async throws {
        if flaw == .renamingIsForgotten { return }
        try await sound.rename(id, to: nickname)
    }

    func removeUser(_ id: User.ID) async throws {
        if flaw == .withdrawalKeepsTravels { return }
        try await sound.removeUser(id)
    }

    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        flawed(sound.observe(query))
    }

    func observeTravel(_ id: Travel.ID, viewer: User.ID?) -> any AsyncSequence<Travel, any Error> & Sendable {
        sound.observeTravel(id, viewer: viewer)
    }

    func observeTimeline(of id: Travel.ID) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        sound.observeTimeline(of: id)
    }

    private func flawed(
        _ pages: some AsyncSequence<TravelPage, any Error> & Sendable
    ) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        guard flaw == .equalValuesRepeat || flaw == .cancellationThrows else { return pages }
        return FlawedPages(base: pages, repeatsValues: flaw == .equalValuesRepeat)
    }

    func user(_ id: User.ID) async throws -> User { try await sound.user(id) }
    func add(_ user: User) async throws { try await sound.add(user) }
    func report(_ travel: Travel.ID, by user: User.ID) async throws { try await sound.report(travel, by: user) }
    func block(_ author: User.ID, by user: User.ID) async throws { try await sound.block(author, by: user) }
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
    func update(
        _ id: Travel.ID, by user: User.ID,
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        try await sound.update(id, by: user, change)
    }
}

/// Pages that come twice each, or that end with an error when the task is cancelled.
private struct FlawedPages<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable where Base.Element == TravelPage {
    typealias Element = TravelPage
    typealias Failure = any Error

    let base: Base
    let repeatsValues: Bool

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), repeatsValues: repeatsValues)
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let repeatsValues: Bool
        var repeated: TravelPage?

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> TravelPage? {
            if let page = repeated {
                repeated = nil
                return page
            }
            let page = try await base.next(isolation: actor)
            if repeatsValues { repeated = page } else { try Task.checkCancellation() }
            return page
        }
    }
}
