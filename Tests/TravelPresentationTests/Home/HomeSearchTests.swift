import StreamsTesting
import Testing
import TestConcurrency
import TravelDomainTesting
@testable import TravelPresentation

@Suite("Home: search and filters", .limitedConcurrency)
struct HomeSearchTests {
    private let world = HomeWorld()
    private let home: ScreenRun<HomeFlow>

    init() {
        home = ScreenRun(on: world.scheduler, HomeFlow(world.useCases, user: world.user.asObservable()))
        home.send(.appeared, for: 150)
    }

    private func keyword(_ text: String) throws -> Keyword { try #require(Keyword(text)) }

    @Test("an empty search field shows the recent keywords, newest first")
    func recentKeywords() throws {
        for text in ["Trip 1", "Trip 2"] { home.send(.search(.typed(text)), .search(.submitted), for: 150) }
        home.send(.search(.keywordCleared), for: 150)
        home.send(.search(.opened), for: 50)
        #expect(home.state.search.suggestions == nil)
        home.pass(100)
        #expect(home.state.search.suggestions == .recent([try keyword("Trip 2"), try keyword("Trip 1")]))
    }

    @Test("suggestions follow 300 ms after the last key, and only for the last text")
    func debounce() throws {
        home.send(.search(.opened), for: 150)
        for text in ["T", "Tr", "Trip 4", "Trip 45"] { home.send(.search(.typed(text)), for: 200) }
        #expect(!world.calls.contains { $0.hasPrefix("suggest 'T") })
        home.pass(100)
        #expect(world.calls.last == "suggest 'Trip 45'")
        home.pass(100)
        #expect(home.state.search.suggestions == .titles([try Title("Trip 45")]))
    }

    @Test("an answer for an earlier text never replaces that of the newest")
    func newestAnswer() throws {
        home.send(.search(.typed("Trip 1")), for: 350)
        home.send(.search(.typed("Trip 45")), for: 500)
        #expect(world.cancelled == ["suggest 'Trip 1'"])
        #expect(home.state.search.suggestions == .titles([try Title("Trip 45")]))
    }

    @Test("emptying the search field shows the recent keywords without a pause")
    func emptied() {
        home.send(.search(.typed("Trip")), for: 500)
        home.send(.search(.typed(" ")))
        #expect(home.state.search.suggestions == nil)
        home.pass(110)
        #expect(home.state.search.suggestions == .recent([]))
    }

    @Test("suggestions that fail say so, and typing on asks again")
    func failedSuggestions() {
        world.fail("suggest 'Trip'")
        home.send(.search(.typed("Trip")), for: 500)
        #expect(home.state.search.failure == .busy)
        home.send(.search(.typed("Trip 45")), for: 500)
        #expect(home.state.search.failure == nil)
        #expect(home.state.search.suggestions != nil)
    }

    @Test("submitting searches for the text, closes the field, and remembers the keyword")
    func submission() throws {
        home.send(.search(.typed(" Trip 45 ")), .search(.submitted), for: 500)
        #expect(home.state.criteria.keyword == Keyword("Trip 45"))
        #expect(!home.state.search.isActive)
        #expect(home.state.rows.map(\.trip.title.text) == ["Trip 45"])
        #expect(world.recent == ["Trip 45"])
        #expect(!world.calls.contains { $0.hasPrefix("suggest") })
    }

    @Test(
        "a text that names a region proposes its filter, which replaces the keyword",
        arguments: ["서울", " seoul ", "ＳＥＯＵＬ", "서울시"])
    func proposedFilter(text: String) {
        home.send(.search(.keywordPicked(text)), for: 150)
        #expect(home.state.proposedFilter == nil)
        home.send(.search(.opened))
        #expect(home.state.proposedFilter == .region(.seoul))
        home.send(.search(.filterPicked(.region(.seoul))), for: 150)
        #expect(home.state.criteria == TripCriteria(regions: [.seoul]))
        #expect(!home.state.search.isActive && home.state.rows.count == 20)
        home.send(.search(.typed(text)))
        #expect(home.state.proposedFilter == nil)
    }

    @Test("a text that names no region proposes nothing, and a picked filter keeps another keyword")
    func otherKeyword() {
        home.send(.search(.keywordPicked("Trip")), for: 150)
        for text in ["", "부", "시", "Busanese", "부산 밤바다"] {
            home.send(.search(.typed(text)))
            #expect(home.state.proposedFilter == nil)
        }
        home.send(.search(.filterPicked(.region(.busan))), for: 150)
        #expect(home.state.criteria == TripCriteria(keyword: Keyword("Trip"), regions: [.busan]))
    }

    @Test("submitting blanks searches without a keyword and remembers nothing")
    func blankSubmission() {
        home.send(.search(.keywordPicked("Trip 45")), for: 150)
        home.send(.search(.typed("  ")), .search(.submitted), for: 150)
        #expect(home.state.criteria.keyword == nil)
        #expect(home.state.rows.count == 20)
        #expect(world.recent == ["Trip 45"])
    }

    @Test("closing the search field keeps the list and cancels the suggestions")
    func closing() {
        home.send(.search(.typed("Trip")), for: 350)
        home.send(.search(.closed), for: 500)
        #expect(world.cancelled == ["suggest 'Trip'"])
        #expect(home.state.search == .init())
        #expect(home.state.rows.count == 20)
    }

    @Test("a recent keyword disappears immediately, and returns when it could not be removed")
    func forgetting() throws {
        home.send(.search(.keywordPicked("Trip 1")), for: 150)
        home.send(.search(.keywordPicked("Trip 2")), for: 150)
        home.send(.search(.keywordCleared), .search(.opened), for: 150)
        home.send(.search(.keywordForgotten(try keyword("trip 2"))))
        #expect(home.state.search.suggestions == .recent([try keyword("Trip 1")]))
        home.pass(150)
        #expect(world.recent == ["Trip 1"])

        world.fail("forget")
        home.send(.search(.keywordForgotten(try keyword("Trip 1"))), for: 110)
        #expect(home.state.search.suggestions == .recent([]))
        home.pass(110)
        #expect(home.state.search.suggestions == .recent([try keyword("Trip 1")]))
        #expect(home.events == [.notice(.failed(.busy))])
    }

    @Test("the filter sheet applies all its choices together, or none")
    func sheet() {
        home.send(
            .filter(.chipTapped(.region)), .filter(.optionTapped(.region(.busan))),
            .filter(.optionTapped(.region(.jeju))))
        home.send(.filter(.kindPicked(.period)), .filter(.optionTapped(.period(.dayTrip))), .filter(.closed), for: 150)
        #expect(home.state.criteria == TripCriteria())
        #expect(world.calls == ["first"])

        home.send(
            .filter(.chipTapped(.region)), .filter(.optionTapped(.region(.seoul))),
            .filter(.optionTapped(.period(.dayTrip))))
        home.send(.filter(.applied), for: 150)
        #expect(home.state.criteria == TripCriteria(regions: [.seoul], period: .dayTrip))
        #expect(home.state.sheet == nil)
        #expect(world.calls == ["first", "first"])

        home.send(.filter(.chipCleared(.period)), for: 150)
        #expect(home.state.criteria == TripCriteria(regions: [.seoul]))
        home.send(.filter(.cleared), for: 150)
        #expect(home.state.chips.allSatisfy { $0.options.isEmpty })
    }

    @Test("a filter sheet that changes nothing loads nothing")
    func unchangedSheet() {
        home.send(
            .filter(.chipTapped(.theme)), .filter(.optionTapped(.theme(.art))), .filter(.optionTapped(.theme(.art))))
        home.send(.filter(.applied), .filter(.sortPicked(.newest)), .filter(.cleared), for: 150)
        #expect(world.calls == ["first"])
    }

    @Test("another order starts the list anew and keeps filters and keyword")
    func sort() {
        home.send(.search(.keywordPicked("Trip")), .filter(.sortPicked(.mostLiked)), for: 150)
        #expect(home.state.criteria == TripCriteria(keyword: Keyword("Trip"), sort: .mostLiked))
        #expect(home.state.rows.count == 20)
    }

    @Test("every criterion of a search is a filter, except for the keyword, the people and the order")
    func everyCriterionIsAFilter() {
        #expect(
            FilterKind.allCases.map(\.rawValue) + ["author", "likedBy", "sort"]
                == TripCriteria.names.filter { $0 != "keyword" })
    }

    @Test("a value of every filter can be chosen and removed", arguments: FilterKind.allCases)
    func options(kind: FilterKind) {
        var criteria = TripCriteria()
        for option in kind.options {
            #expect(option.kind == kind)
            criteria.toggle(option)
            #expect(criteria.contains(option))
        }
        let isMultiple = [.region, .theme, .companion, .season].contains(kind)
        #expect(criteria.options(of: kind) == (isMultiple ? kind.options : kind.options.suffix(1)))
        criteria.clear(kind)
        #expect(criteria == TripCriteria())
    }

    @Test("a chip shows its filter, its one value, or the first of several")
    func chips() {
        func text(_ criteria: TripCriteria, _ language: Language) -> String { criteria.chips[0].text(in: language) }
        #expect(text(TripCriteria(), .korean) == "지역")
        #expect(text(TripCriteria(regions: [.busan]), .korean) == "부산")
        #expect(text(TripCriteria(regions: [.jeju, .busan, .seoul]), .english) == "Seoul +2")
        #expect(TripCriteria().chips.map(\.kind) == FilterKind.allCases)
    }
}

/// The world around a home screen: a store whose answers take 100 ms each, and who is signed in.
final class HomeWorld: StoreStub, RecentKeywordRepository {
    let scheduler: TestScheduler
    let user = BehaviorRelay<User?>(value: Person.mina)
    private let state: SlowContent<State>
    private let changes = PublishSubject<[Trip]>()

    private struct State {
        var trips: [Trip]
        var recent = RecentKeywords()
    }

    /// A world with that many trips, the newest first.
    init(scheduler: TestScheduler = TestScheduler(resolution: 0.001), count: UInt64 = 45) {
        self.scheduler = scheduler
        state = SlowContent(State(trips: (0..<count).map { .sample(count - $0) }), on: scheduler)
    }

    /// The calls so far, in the order of their starts.
    var calls: [String] { state.calls }
    /// The calls that were cancelled.
    var cancelled: [String] { state.cancelled }
    var recent: [String] { state.withLock { $0.recent.keywords.map(\.text) } }

    /// The likes that are stored, with their numbers.
    var likes: [Trip.ID: TripCard.Like] {
        state.withLock { state in
            Dictionary(uniqueKeysWithValues: state.trips.map { ($0.id, TripCard($0).like) })
        }
    }

    /// The calls that fail from now on: `"page"`, `"like"`, ….
    func fail(_ calls: String...) {
        state.failures = Dictionary(uniqueKeysWithValues: calls.map { ($0, TravelError.busy) })
    }

    /// Changes what is stored and notifies the observers of first pages.
    func change(_ body: (inout [Trip]) -> Void) {
        let trips = state.withLock { state in
            body(&state.trips)
            return state.trips
        }
        scheduler.perform { changes.onNext(trips) }
        scheduler.advance(by: .zero)
    }

    var useCases: ScreenUseCases { ScreenUseCases(self, recentKeywords: self) }

    func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        Observable.task { [self] in try await page(query.criteria, nil, "first") }
            .concat(changes.map { Self.page(of: $0, query.criteria, after: nil) }).values
    }

    func search(_ query: TripQuery) async throws -> TripPage {
        try await page(query.criteria, query.cursor, "page")
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await state.call(isLiked ? "like" : "unlike") { state in
            guard let index = state.trips.firstIndex(where: { $0.id == id }) else {
                throw TravelError.notFound(.trip(id))
            }
            let count = state.trips[index].likeCount
            state.trips[index] = state.trips[index].liked(isLiked, count + (isLiked ? 1 : -1))
        }
    }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await state.call("suggest '\(text.text)'") { $0.trips.map(\.title).filter(text.matches) }
    }

    func recentKeywords() async throws -> RecentKeywords {
        try await state.call("suggest ''") { $0.recent }
    }

    func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws {
        var changed = state.withLock { $0.recent }
        let count = changed.keywords.count
        change(&changed)
        try await state.call(changed.keywords.count < count ? "forget" : "remember") { change(&$0.recent) }
    }

    private func page(_ criteria: TripCriteria, _ cursor: TripCursor?, _ name: String) async throws -> TripPage {
        try await state.call(name) { Self.page(of: $0.trips, criteria, after: cursor) }
    }

    private static func page(
        of trips: [Trip], _ criteria: TripCriteria, after cursor: TripCursor?
    ) -> TripPage {
        let found = trips.filter { criteria.matches($0.content) && cursor?.precedes($0) != false }
            .sorted { criteria.sort.precedes($0, $1) }
        let page = Array(found.prefix(20))
        return TripPage(
            trips: page, next: found.count > 20 ? page.last.map { TripCursor(after: $0, in: criteria.sort) } : nil)
    }
}

extension Trip {
    /// The same trip with another like of the viewer.
    func liked(_ isLiked: Bool, _ count: Int) -> Trip {
        do {
            return try Trip(
                id: id, author: author, content: content, createdAt: createdAt, likeCount: count, isLiked: isLiked,
                isMine: isMine)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
