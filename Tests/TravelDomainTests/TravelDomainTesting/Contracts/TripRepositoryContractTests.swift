import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Contract of trip repositories", .limitedConcurrency)
struct TripRepositoryContractTests {
    typealias Flaw = FlawedTripRepository.Flaw

    @Test(
        "a trip repository with a flaw fails the check for it",
        arguments: [
            (Flaw.keywordIsIgnored, "keyword: a trip must match both a keyword and a filter"),
            (.entriesAreIgnored, "entries: an entry finds its trip by its title or its place, and is named"),
            (.placesAreIgnored, "entries: an entry finds its trip by its title or its place, and is named"),
            (.entryTextsMatch, "keyword: the texts and the addresses of a timeline do not match"),
            (.lastEntryMatches, "entries: of several entries with the keyword, the first in the timeline is named"),
            (.titledTripsComeAgain, "entries: a trip whose title has the keyword names no entry"),
            (.ranksAreMixed, "entries: titles come before entries, each sorted by newest, on pages of every size"),
            (.ranksAreMixed, "entries: titles come before entries, each sorted by mostLiked, on pages of every size"),
            (
                .cursorsHaveNoRank,
                "entries: titles come before entries, each sorted by tripDate, on pages of every size"
            ),
            (.cursorsHaveNoRank, "entries: a page can begin after any trip of either rank, sorted by newest"),
            (.authorIsIgnored, "users: an author without trips, and a user without likes, find nothing"),
            (.authorIsIgnored, "users: pages of any size contain each trip of an author once, in every order"),
            (.likingUserIsIgnored, "users: a like is found until it is taken back, only among those of its user"),
            (.likingUserIsIgnored, "users: pages of any size contain each trip that a user likes once, in every order"),
            (
                .likingUserIsIgnored,
                "users: an author and a user who likes can be combined with every other criterion, sorted by mostLiked"
            ),
            (.viewerIsTheOneWhoLikes, "users: the criteria about users hold for every viewer"),
            (.cursorIgnoresTies, "users: pages of any size contain trips that were recorded at the same time once"),
            (.allThemesMustHold, "filters: several themes find trips with any of them"),
            (.cursorIsInclusive, "paging: pages of any size, sorted by newest, contain every trip once and in order"),
            (.cursorIgnoresTies, "paging: page boundaries among ties lose no trip, sorted by newest"),
            (.cursorIsAnOffset, "trips added between pages cause neither gaps nor duplicates, sorted by newest"),
            (.lastPagePromisesMore, "paging: a full last page has no next page, sorted by mostLiked"),
            (.pagesAreShort, "paging: pages of any size, sorted by mostLiked, contain every trip once and in order"),
            (.tiesAreUnordered, "order: of trips recorded at the same time, the greater ID comes first"),
            (.likesAreNotSorted, "order: the most liked come first"),
            (.datesAreNotSorted, "order: the latest first day comes first"),
            (.datesAreNotSorted, "order: trips of some seasons are in the order of their first days on pages of"),
            (.cursorSkipsTheDay, "order: trips of some seasons are in the order of their first days on pages of every"),
            (.datesAreNotSorted, "paging: pages of any size, sorted by tripDate, contain every trip once and in order"),
            (.equallyLikedAreInNoOrder, "order: of trips with equal likes, the later ones come first"),
            (.halfABatchStays, "adding: rejects an existing trip at the end of a batch and stores nothing"),
            (.halfABatchStays, "adding: rejects the same entry in two trips and stores nothing"),
            (.conflictsAreIgnored, "adding: rejects an existing trip and stores nothing"),
            (.lastNicknameCounts, "viewer: the first of several nicknames in one batch counts"),
            (.likesAddUp, "likes: liking twice has the same effect as once"),
            (.unlikesAreIgnored, "likes: a like can be removed"),
            (.anyoneMayLike, "likes: an unknown user cannot like a trip, and nothing changes"),
            (.everyoneLikes, "viewer: a trip is marked as liked only for users who like it"),
            (.everythingIsMine, "viewer: a trip is marked as own for its author only"),
            (.timelineByID, "timeline: entries at the same time stand in the order in which they were added"),
            (.missingTimelineIsEmpty, "timeline: an unknown trip has no timeline"),
            (.momentsAreShort, "order: times that differ by less than a microsecond are distinct"),
            (.momentsAreShort, "round trip: keeps 2,000 random times to the last bit"),
            (.cancellationIsIgnored, "a like in a cancelled task throws CancellationError and changes nothing"),
        ])
    func flawIsFound(flaw: Flaw, check: String) async throws {
        try await expectViolation(of: check, among: TripRepositoryContract.checks, by: flaw) {
            FlawedTripRepository($0)
        }
    }

    @Test(
        "a trip repository with a flaw in one case fails the check of all cases, and the failure names that one",
        arguments: [
            (Flaw.percentIsAWildcard, "keyword: keywords with wildcards and SQL", "with % inside, as a wildcard"),
            (.caseMatters, "keyword: keywords in other letters", "in another case:"),
            (.caseMatters, "keyword: keywords in other letters", "with ss for ß"),
            (.widthMatters, "keyword: keywords in other letters", "in half-width letters"),
            (.spacesMatter, "keyword: keywords of parts of titles", "without a space of the title"),
            (.invisibleMatters, "keyword: keywords of parts of titles", "in a title with an invisible character"),
            (.onlyASCIIFolds, "keyword: keywords in other letters", "in another case of Cyrillic"),
            (
                .spellingMatters, "keyword: keywords of composed and decomposed characters",
                "composed, in a decomposed title"
            ),
            (
                .scalarsMatch, "keyword: keywords of composed and decomposed characters",
                "of a first consonant of a decomposed syllable"
            ),
            (.untoldHeadcountMatches, "filters: a headcount finds neither another nor an unknown one", "two:"),
            (.seasonOfTheLastDay, "filters: a season depends on the month of the first day", "spring:"),
            (.weekHasSixDays, "filters: a period depends on the number of days", "weekOrMore:"),
            (.versionsAreLost, "round trip: keeps every value", "the version and the time of the last change"),
            (.timesOfChangeAreLost, "round trip: keeps every value", "the version and the time of the last change"),
            (.titlesAreComposed, "round trip: keeps texts", "the text \"cafe\u{301}\""),
            (.coordinatesAreShort, "round trip: keeps places", "a place at latitude 1e-12, longitude -1e-12"),
            (.namesNeedCoordinates, "round trip: keeps places", "a place of which only the name is known"),
            (.tracksAreLost, "round trip: keeps tracks", "a track of two segments, to a millionth of a degree"),
            (.elevationsAreLost, "round trip: keeps tracks", "a track with elevations in one of its segments"),
        ])
    func flawOfOneCaseIsFound(flaw: Flaw, check: String, name: String) async throws {
        try await expectViolation(of: check, case: name, among: TripRepositoryContract.checks, by: flaw) {
            FlawedTripRepository($0)
        }
    }

    @Test(
        "generated operations find flaws independently of the individual checks",
        arguments: [
            Flaw.percentIsAWildcard, .entriesAreIgnored, .placesAreIgnored, .entryTextsMatch, .lastEntryMatches,
            .ranksAreMixed, .cursorsHaveNoRank, .titledTripsComeAgain, .authorIsIgnored, .likingUserIsIgnored,
            .viewerIsTheOneWhoLikes,
            .allThemesMustHold,
            .untoldHeadcountMatches, .cursorIsInclusive,
            .cursorIgnoresTies,
            .halfABatchStays, .likesAddUp, .unlikesAreIgnored, .likesAreNotSorted, .momentsAreShort, .timelineByID,
        ])
    func generatedOperationsFindFlaws(flaw: Flaw) async throws {
        let generated = TripRepositoryContract.generated(seeds: 1...40)
        #expect(try await generated.hasViolation { FlawedTripRepository(flaw) }, "\(flaw) goes unnoticed")
    }

    @Test("every area of the contract has checks")
    func areas() {
        let checks = TripRepositoryContract.checks
        #expect(
            Set(checks.map(\.area)) == [
                "filters", "keyword", "entries", "order", "paging", "users", "viewer", "adding", "likes", "timeline",
                "round trip",
                "cancellation", "generated",
            ])
    }

    @Test("an error outside of the contract is reported with its type")
    func unexpectedErrorsAreViolations() async throws {
        let check = try #require(TripRepositoryContract.checks.first { $0.area == "likes" })
        await #expect {
            try await check.run { BurningTripRepository() }
        } throws: { error in
            (error as? ContractViolation)?.description == "\(check.id): threw Fire: Fire()"
        }
    }

    @Test("an error of the factory is rethrown")
    func errorsOfTheFactoryPass() async throws {
        let check = try #require(TripRepositoryContract.checks.first)
        await #expect(throws: BurningTripRepository.Fire.self) {
            try await check.run { throw BurningTripRepository.Fire() }
        }
    }
}

/// A repository whose calls all throw an error outside of the contract.
private struct BurningTripRepository: TripRepository {
    struct Fire: Error {}

    func search(_ query: TripQuery) async throws -> TripPage { throw Fire() }
    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip { throw Fire() }
    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] { throw Fire() }
    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? { throw Fire() }
    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws { throw Fire() }
    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws { throw Fire() }
}
