import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Contract of title repositories", .takesTurns)
struct TitleRepositoryContractTests {
    enum Flaw: CaseIterable {
        case alphabetical, limitIgnored, onlyBeginnings, othersNamed, repeated, unfinishedWordsIgnored, containedLast
    }

    @Test(
        "a title repository with a flaw fails the check for it",
        arguments: [
            (Flaw.alphabetical, "titles: finds titles that begin with the text before others"),
            (.limitIgnored, "titles: finds no more titles than the limit, preferring those that begin with the text"),
            (.onlyBeginnings, "titles: a keyword at the end is found"),
            (.othersNamed, "titles: a keyword with its syllables in another order is not found"),
            (.repeated, "titles: finds a title that several travels have once"),
            (
                .unfinishedWordsIgnored,
                "titles: '부ㅅ' suggests '부산 밤바다', when the last syllable has only its first consonant"
            ),
            (.unfinishedWordsIgnored, "titles: 'ㅂㅅ' suggests '부산 밤바다', by the initials of its first word"),
            (
                .containedLast,
                "titles: finds titles that begin with the text, then those that contain it, then those of which it opens a word"
            ),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        let expected = try #require(TitleRepositoryContract.checks.first { $0.id == check }, "unknown check")
        await #expect("\(flaw) goes unnoticed") {
            try await expected.run { FlawedTitles(flaw) }
        } throws: { error in
            (error as? ContractViolation)?.check == check
        }
    }

    @Test("generated title checks find every flaw", arguments: Flaw.allCases)
    func generatedChecksFindFlaws(flaw: Flaw) async throws {
        let violations = try await TitleRepositoryContract.generated(seeds: 1...3).violations { FlawedTitles(flaw) }
        #expect(!violations.isEmpty)
    }

    @Test("the names of title and keyword checks are unique")
    func namesAreUnique() {
        let names = TitleRepositoryContract.checks.map(\.id) + RecentKeywordRepositoryContract.checks.map(\.id)
        #expect(Set(names).count == names.count)
    }
}

/// A repository with incorrect title lookups and otherwise correct behaviour.
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
        case .unfinishedWordsIgnored: return Array(all.filter(text.matches).prefix(limit))
        case .containedLast:
            let contained = all.filter { text.matches($0) && !text.begins($0) }
            return Array((all.filter { !contained.contains($0) } + contained).prefix(limit))
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
