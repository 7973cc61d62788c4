import TestTurns
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("The contract of travel repositories", .takesTurns)
struct TravelRepositoryContractTests {
    typealias Flaw = FlawedTravelRepository.Flaw

    @Test(
        "a repository that breaks one promise fails the check of that promise",
        arguments: [
            (Flaw.percentIsAWildcard, "keyword: a keyword with % inside, as a wildcard is not found"),
            (.caseMatters, "keyword: a keyword in another case is found"),
            (.onlyASCIIFolds, "keyword: a keyword in another case of Cyrillic is found"),
            (.spellingMatters, "keyword: a keyword composed, in a decomposed title is found"),
            (.scalarsMatch, "keyword: a keyword of a first consonant of a decomposed syllable is not found"),
            (.keywordIsIgnored, "keyword: a keyword and a filter must both hold"),
            (.allThemesMustHold, "filters: any of several themes will do"),
            (.untoldHeadcountMatches, "filters: headcount two finds neither another nor an untold one"),
            (.seasonOfTheLastDay, "filters: season spring goes by the month of the first day"),
            (.weekHasSixDays, "filters: period weekOrMore goes by the number of days"),
            (.cursorIsInclusive, "paging: pages of 7, sorted by newest, show every travel once and in order"),
            (.cursorIgnoresTies, "paging: a border of pages of 2 among equals, sorted by newest, loses none"),
            (.cursorIsAnOffset, "paging: travels added between pages, sorted by newest, hide and repeat none"),
            (.lastPagePromisesMore, "paging: a last page that is full is the last, sorted by mostLiked"),
            (.pagesAreShort, "paging: pages of 20, sorted by mostLiked, show every travel once and in order"),
            (.tiesAreUnordered, "order: of travels recorded at once the greater identity comes first"),
            (.likesAreNotSorted, "order: the most liked come first"),
            (.equallyLikedAreInNoOrder, "order: of equally liked travels the later come first"),
            (
                .halfABatchStays,
                "adding: refuses a travel that is there already, as the last of many and leaves nothing behind"
            ),
            (.halfABatchStays, "adding: refuses the same entry in two travels and leaves nothing behind"),
            (.conflictsAreIgnored, "adding: refuses a travel that is there already and leaves nothing behind"),
            (.lastNicknameCounts, "viewer: of several nicknames in one batch the first counts"),
            (.likesAddUp, "likes: saying it twice is the same as once"),
            (.unlikesAreIgnored, "likes: a like can be withdrawn"),
            (.anyoneMayLike, "likes: a person who is not there cannot like, and nothing changes"),
            (.everyoneLikes, "viewer: a travel is liked for those who like it alone"),
            (.everythingIsMine, "viewer: a travel is mine for its author alone"),
            (.timelineAsWritten, "timeline: entries of the same minute come by identity"),
            (.missingTimelineIsEmpty, "timeline: a travel that is not there has none"),
            (.titlesAreComposed, "round trip: keeps the text \"cafe\u{301}\""),
            (.coordinatesAreShort, "round trip: keeps a place at latitude 1e-12, longitude -1e-12, to the last bit"),
            (.momentsAreShort, "order: moments less than a microsecond apart are told apart"),
            (
                .cancellationIsIgnored,
                "cancellation: a like in a cancelled task ends with CancellationError and changes nothing"
            ),
        ])
    func aBrokenPromiseIsFound(flaw: Flaw, check: String) async throws {
        let checks = TravelRepositoryContract.checks
        let expected = try #require(checks.first { $0.id == check }, "there is no such check")
        await #expect("\(flaw) goes unnoticed") {
            try await expected.run { FlawedTravelRepository(flaw) }
        } throws: { error in
            (error as? ContractViolation)?.check == check
        }
    }

    @Test(
        "generated operations find broken promises that no one wrote a check for",
        arguments: [
            Flaw.percentIsAWildcard, .allThemesMustHold, .untoldHeadcountMatches, .cursorIsInclusive,
            .cursorIgnoresTies,
            .halfABatchStays, .likesAddUp, .unlikesAreIgnored, .likesAreNotSorted, .momentsAreShort, .timelineAsWritten,
        ])
    func generatedOperationsFindFlaws(flaw: Flaw) async throws {
        let generated = TravelRepositoryContract.generated(seeds: 1...40)
        #expect(try await generated.hasViolation { FlawedTravelRepository(flaw) }, "\(flaw) goes unnoticed")
    }

    @Test("the wrapper that the broken repositories share keeps every promise while it has no flaw")
    func withoutFlawEveryCheckPasses() async throws {
        let written = TravelRepositoryContract.checks.filter { $0.area != "generated" }
        #expect(try await written.violations { FlawedTravelRepository(.none) } == [])
    }

    @Test("no two checks have the same name, and every area has some")
    func namesAreUnique() {
        let checks = TravelRepositoryContract.checks
        #expect(Set(checks.map(\.id)).count == checks.count)
        #expect(
            Set(checks.map(\.area)) == [
                "filters", "keyword", "order", "paging", "viewer", "adding", "likes", "timeline", "round trip",
                "cancellation", "generated",
            ])
        #expect(checks.count > 350)
    }

    @Test("an error that no promise allows is reported with its type")
    func unexpectedErrorsAreViolations() async throws {
        let check = try #require(TravelRepositoryContract.checks.first { $0.area == "likes" })
        await #expect {
            try await check.run { BurningTravelRepository() }
        } throws: { error in
            (error as? ContractViolation)?.description == "\(check.id): threw Fire: Fire()"
        }
    }

    @Test("an error of the factory is the caller's own")
    func errorsOfTheFactoryPass() async throws {
        let check = try #require(TravelRepositoryContract.checks.first)
        await #expect(throws: BurningTravelRepository.Fire.self) {
            try await check.run { throw BurningTravelRepository.Fire() }
        }
    }
}

/// A repository of which nothing works.
private struct BurningTravelRepository: TravelRepository {
    struct Fire: Error {}

    func search(_ query: TravelQuery) async throws -> TravelPage { throw Fire() }
    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel { throw Fire() }
    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] { throw Fire() }
    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws { throw Fire() }
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws { throw Fire() }
}
