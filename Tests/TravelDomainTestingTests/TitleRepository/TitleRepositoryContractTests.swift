import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The contract of title repositories", .takesTurns)
struct TitleRepositoryContractTests {
    enum Flaw: CaseIterable {
        case alphabetical, limitIgnored, onlyBeginnings, othersNamed, repeated
    }

    @Test(
        "a repository that breaks a promise fails the check of that promise",
        arguments: [
            (Flaw.alphabetical, "titles: finds titles that begin with the text before others"),
            (.limitIgnored, "titles: finds no more titles than the limit, those that begin with the text"),
            (.onlyBeginnings, "titles: a keyword at the end is found"),
            (.othersNamed, "titles: a keyword whose syllable is only the beginning of another is not found"),
            (.repeated, "titles: finds a title of several travels once"),
        ])
    func aBrokenPromiseIsFound(flaw: Flaw, check: String) async throws {
        let expected = try #require(TitleRepositoryContract.checks.first { $0.id == check }, "there is no such check")
        await #expect("\(flaw) goes unnoticed") {
            try await expected.run { FlawedTitles(flaw) }
        } throws: { error in
            (error as? ContractViolation)?.check == check
        }
    }

    @Test("generated checks find every one of these flaws", arguments: Flaw.allCases)
    func generatedChecksFindFlaws(flaw: Flaw) async throws {
        let violations = try await TitleRepositoryContract.generated(seeds: 1...3).violations { FlawedTitles(flaw) }
        #expect(!violations.isEmpty)
    }

    @Test("no two checks have the same name")
    func namesAreUnique() {
        let names = TitleRepositoryContract.checks.map(\.id) + RecentKeywordRepositoryContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}

/// Titles found the wrong way, in travels that are kept the right way.
private struct FlawedTitles: ForwardingStore {
    let sound = InMemoryTravelRepository()
    private let flaw: TitleRepositoryContractTests.Flaw
    private let added = Added()

    private actor Added {
        var titles: [Title] = []
        func add(_ new: [Title]) { titles += new }
    }

    init(_ flaw: TitleRepositoryContractTests.Flaw) { self.flaw = flaw }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        let all = try await sound.titles(containing: text, viewer: viewer, limit: .max)
        let added = await added.titles
        switch flaw {
        case .alphabetical: return Array(all.sorted { $0.text > $1.text }.prefix(limit))
        case .limitIgnored: return all
        case .onlyBeginnings: return Array(all.filter(text.begins).prefix(limit))
        case .othersNamed: return Array((all + Set(added).subtracting(all)).prefix(limit))
        case .repeated:
            return Array(
                (added.filter(text.begins) + added.filter { text.matches($0) && !text.begins($0) }).prefix(limit))
        }
    }

    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await sound.add(travels, images: images)
        await added.add(travels.map(\.content.title))
    }
}
