import StreamsTesting
import TestTurns
import Testing
import TravelDomainTesting

@testable import TravelPresentation

@Suite("Home: search and filters", .takesTurns)
struct HomeSearchTests {
    private let world = HomeWorld()
    private let home: ScreenRun<HomeFlow>

    init() {
        home = ScreenRun(on: world.scheduler, HomeFlow(world.useCases, person: world.person.asObservable()))
        home.send(.appeared, for: 150)
    }

    private func keyword(_ text: String) throws -> Keyword { try #require(Keyword(text)) }

    @Test("an empty search field shows the recent keywords, newest first")
    func recentKeywords() throws {
        for text in ["Trip 1", "Trip 2"] { home.send(.searchTyped(text), .searchSubmitted, for: 150) }
        home.send(.keywordCleared, for: 150)
        home.send(.searchOpened, for: 50)
        #expect(home.state.search.suggestions == nil)
        home.pass(100)
        #expect(home.state.search.suggestions == .recent([try keyword("Trip 2"), try keyword("Trip 1")]))
    }

    @Test("suggestions follow 300 ms after the last key, and only for the last text")
    func debounce() throws {
        home.send(.searchOpened, for: 150)
        for text in ["T", "Tr", "Trip 4", "Trip 45"] { home.send(.searchTyped(text), for: 200) }
        #expect(!world.calls.contains { $0.hasPrefix("suggest 'T") })
        home.pass(100)
        #expect(world.calls.last == "suggest 'Trip 45'")
        home.pass(100)
        #expect(home.state.search.suggestions == .titles([try Title("Trip 45")]))
    }

    @Test("an answer for an earlier text never replaces that of the newest")
    func newestAnswer() throws {
        home.send(.searchTyped("Trip 1"), for: 350)
        home.send(.searchTyped("Trip 45"), for: 500)
        #expect(world.cancelled == ["suggest 'Trip 1'"])
        #expect(home.state.search.suggestions == .titles([try Title("Trip 45")]))
    }

    @Test("emptying the search field shows the recent keywords without a pause")
    func emptied() {
        home.send(.searchTyped("Trip"), for: 500)
        home.send(.searchTyped(" "))
        #expect(home.state.search.suggestions == nil)
        home.pass(110)
        #expect(home.state.search.suggestions == .recent([]))
    }

    @Test("suggestions that fail say so, and typing on asks again")
    func failedSuggestions() {
        world.fail("suggest 'Trip'")
        home.send(.searchTyped("Trip"), for: 500)
        #expect(home.state.search.failure == .busy)
        home.send(.searchTyped("Trip 45"), for: 500)
        #expect(home.state.search.failure == nil)
        #expect(home.state.search.suggestions != nil)
    }

    @Test("submitting searches for the text, closes the field, and remembers the keyword")
    func submission() throws {
        home.send(.searchTyped(" Trip 45 "), .searchSubmitted, for: 500)
        #expect(home.state.criteria.keyword == Keyword("Trip 45"))
        #expect(!home.state.search.isActive)
        #expect(home.state.rows.map(\.travel.title.text) == ["Trip 45"])
        #expect(world.recent == ["Trip 45"])
        #expect(!world.calls.contains { $0.hasPrefix("suggest") })
    }

    @Test(
        "a text that names a region proposes its filter, which replaces the keyword",
        arguments: ["서울", " seoul ", "ＳＥＯＵＬ", "서울시"])
    func proposedFilter(text: String) {
        home.send(.keywordPicked(text), for: 150)
        #expect(home.state.proposedFilter == nil)
        home.send(.searchOpened)
        #expect(home.state.proposedFilter == .region(.seoul))
        home.send(.filterPicked(.region(.seoul)), for: 150)
        #expect(home.state.criteria == TravelCriteria(regions: [.seoul]))
        #expect(!home.state.search.isActive && home.state.rows.count == 20)
        home.send(.searchTyped(text))
        #expect(home.state.proposedFilter == nil)
    }

    @Test("a text that names no region proposes nothing, and a picked filter keeps another keyword")
    func otherKeyword() {
        home.send(.keywordPicked("Trip"), for: 150)
        for text in ["", "부", "시", "Busanese", "부산 밤바다"] {
            home.send(.searchTyped(text))
            #expect(home.state.proposedFilter == nil)
        }
        home.send(.filterPicked(.region(.busan)), for: 150)
        #expect(home.state.criteria == TravelCriteria(keyword: Keyword("Trip"), regions: [.busan]))
    }

    @Test("submitting blanks searches without a keyword and remembers nothing")
    func blankSubmission() {
        home.send(.keywordPicked("Trip 45"), for: 150)
        home.send(.searchTyped("  "), .searchSubmitted, for: 150)
        #expect(home.state.criteria.keyword == nil)
        #expect(home.state.rows.count == 20)
        #expect(world.recent == ["Trip 45"])
    }

    @Test("closing the search field keeps the list and cancels the suggestions")
    func closing() {
        home.send(.searchTyped("Trip"), for: 350)
        home.send(.searchClosed, for: 500)
        #expect(world.cancelled == ["suggest 'Trip'"])
        #expect(home.state.search == .init())
        #expect(home.state.rows.count == 20)
    }

    @Test("a recent keyword disappears immediately, and returns when it could not be removed")
    func forgetting() throws {
        home.send(.keywordPicked("Trip 1"), for: 150)
        home.send(.keywordPicked("Trip 2"), for: 150)
        home.send(.keywordCleared, .searchOpened, for: 150)
        home.send(.keywordForgotten(try keyword("trip 2")))
        #expect(home.state.search.suggestions == .recent([try keyword("Trip 1")]))
        home.pass(150)
        #expect(world.recent == ["Trip 1"])

        world.fail("forget")
        home.send(.keywordForgotten(try keyword("Trip 1")), for: 110)
        #expect(home.state.search.suggestions == .recent([]))
        home.pass(110)
        #expect(home.state.search.suggestions == .recent([try keyword("Trip 1")]))
        #expect(home.events == [.notice(.failed(.busy))])
    }

    @Test("the filter sheet applies all its choices together, or none")
    func sheet() {
        home.send(.chipTapped(.region), .sheetOptionTapped(.region(.busan)), .sheetOptionTapped(.region(.jeju)))
        home.send(.sheetKindPicked(.period), .sheetOptionTapped(.period(.dayTrip)), .sheetClosed, for: 150)
        #expect(home.state.criteria == TravelCriteria())
        #expect(world.calls == ["first"])

        home.send(.chipTapped(.region), .sheetOptionTapped(.region(.seoul)), .sheetOptionTapped(.period(.dayTrip)))
        home.send(.sheetApplied, for: 150)
        #expect(home.state.criteria == TravelCriteria(regions: [.seoul], period: .dayTrip))
        #expect(home.state.sheet == nil)
        #expect(world.calls == ["first", "first"])

        home.send(.chipCleared(.period), for: 150)
        #expect(home.state.criteria == TravelCriteria(regions: [.seoul]))
        home.send(.filtersCleared, for: 150)
        #expect(home.state.chips.allSatisfy { $0.options.isEmpty })
    }

    @Test("a filter sheet that changes nothing loads nothing")
    func unchangedSheet() {
        home.send(.chipTapped(.theme), .sheetOptionTapped(.theme(.art)), .sheetOptionTapped(.theme(.art)))
        home.send(.sheetApplied, .sortPicked(.newest), .filtersCleared, for: 150)
        #expect(world.calls == ["first"])
    }

    @Test("another order starts the list anew and keeps filters and keyword")
    func sort() {
        home.send(.keywordPicked("Trip"), .sortPicked(.mostLiked), for: 150)
        #expect(home.state.criteria == TravelCriteria(keyword: Keyword("Trip"), sort: .mostLiked))
        #expect(home.state.rows.count == 20)
    }

    @Test("a value of every filter can be chosen and removed", arguments: FilterKind.allCases)
    func options(kind: FilterKind) {
        var criteria = TravelCriteria()
        for option in kind.options {
            #expect(option.kind == kind)
            criteria.toggle(option)
            #expect(criteria.contains(option))
        }
        let isMultiple = [.region, .theme, .companion, .season].contains(kind)
        #expect(criteria.options(of: kind) == (isMultiple ? kind.options : kind.options.suffix(1)))
        criteria.clear(kind)
        #expect(criteria == TravelCriteria())
    }

    @Test("a chip shows its filter, its one value, or the first of several")
    func chips() {
        func text(_ criteria: TravelCriteria, _ language: Language) -> String { criteria.chips[0].text(in: language) }
        #expect(text(TravelCriteria(), .korean) == "지역")
        #expect(text(TravelCriteria(regions: [.busan]), .korean) == "부산")
        #expect(text(TravelCriteria(regions: [.jeju, .busan, .seoul]), .english) == "Seoul +2")
        #expect(TravelCriteria().chips.map(\.kind) == FilterKind.allCases)
    }
}
