import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelSamples

@Suite("Searching trips", .inVirtualTime)
struct SearchTripsTests {
    let trips = InMemoryTripRepository()

    private func search(
        _ criteria: TripCriteria, viewer: User.ID? = nil, after cursor: TripCursor? = nil
    ) async throws -> TripPage {
        try await SearchTrips(trips: trips, session: InMemorySession(signedIn: viewer))(criteria, after: cursor)
    }

    private func all(_ criteria: TripCriteria, viewer: User.ID? = nil) async throws -> [TripPage] {
        var pages = [try await search(criteria, viewer: viewer)]
        while let next = pages.last?.next { pages.append(try await search(criteria, viewer: viewer, after: next)) }
        return pages
    }

    @Test(
        "pages have 20 trips, and the last page the remaining ones",
        arguments: [(0, [0]), (1, [1]), (20, [20]), (21, [20, 1]), (60, [20, 20, 20])], TripSort.allCases)
    func pages(count: (trips: Int, pages: [Int]), sort: TripSort) async throws {
        try await trips.add((0..<count.trips).map { try TripBuilder(seed: UInt64($0)).build() })
        let pages = try await all(TripCriteria(sort: sort))
        #expect(pages.map(\.trips.count) == count.pages)
        #expect(Set(pages.flatMap(\.trips).map(\.id)).count == count.trips)
    }

    @Test("the trips of a blocked author are hidden only from the user who blocked them")
    func blocks() async throws {
        try await trips.add((1...3).map { try TripBuilder(seed: $0).build() })
        let session = InMemorySession(signedIn: User.ID(seed: 2))
        let block = BlockAuthor(moderation: trips, session: session)
        #expect(try await block(User.ID(seed: 1)))
        #expect(try await !block(User.ID(seed: 1)))
        await #expect(throws: TravelError.forbidden(.user(User.ID(seed: 2)))) { try await block(User.ID(seed: 2)) }
        let blocked = BlockedAuthors(moderation: trips, session: session)
        #expect(try await blocked().map(\.id) == [User.ID(seed: 1)])
        for (viewer, count) in [(nil, 3), (User.ID(seed: 1), 3), (User.ID(seed: 2), 2), (User.ID(seed: 3), 3)] {
            #expect(try await search(TripCriteria(), viewer: viewer).trips.count == count)
        }
        try await UnblockAuthor(moderation: trips, session: session)(User.ID(seed: 1))
        #expect(try await blocked() == [])
        #expect(try await search(TripCriteria(), viewer: User.ID(seed: 2)).trips.count == 3)
    }

    @Test("a cursor from a search in another order is rejected")
    func foreignCursors() async throws {
        try await trips.add((0..<30).map { try TripBuilder(seed: $0).build() })
        let next = try await search(TripCriteria(sort: .newest)).next
        await #expect(throws: TravelError.invalid(Violation(.cursor, .foreignCursor))) {
            try await search(TripCriteria(sort: .mostLiked), after: next)
        }
    }
}

@Suite("Suggesting keywords", .inVirtualTime)
struct SuggestKeywordsTests {
    let trips = InMemoryTripRepository()
    let session = InMemorySession()
    let recent = InMemoryRecentKeywordRepository(RecentKeywords(["바다", "산"].compactMap { Keyword($0) }))

    @Test("an empty text shows the recent keywords", arguments: ["", "  ", "\n"])
    func emptyTexts(text: String) async throws {
        let suggestions = try await SuggestKeywords(titles: trips, recent: recent, session: session)(text)
        #expect(suggestions == .recent(["바다", "산"].compactMap { Keyword($0) }))
    }

    @Test("a text shows at most ten titles, those that begin with it first")
    func titles() async throws {
        try await trips.add(
            (0..<30).map { seed in
                try TripBuilder(seed: seed).with { $0.title = seed % 5 == 0 ? "바다 \(seed)" : "밤바다 \(seed)" }.build()
            })
        let suggestions = try await SuggestKeywords(titles: trips, recent: recent, session: session)(" 바다 ")
        guard case .titles(let titles) = suggestions else {
            Issue.record("\(suggestions)")
            return
        }
        #expect(titles.count == 10)
        #expect(titles.prefix(6).allSatisfy { $0.text.hasPrefix("바다") })
        #expect(titles.dropFirst(6).allSatisfy { $0.text.hasPrefix("밤바다") })
    }

    @Test("titles are suggested without duplicates, and those of hidden trips only to their author")
    func hiddenTitles() async throws {
        try await trips.add(
            try [(1, "밤바다"), (2, "밤바다"), (3, "바다 산책"), (4, "바다 여행")].map { seed, title in
                try TripBuilder(seed: seed).with { $0.title = title }.build()
            } + (10...15).map { try TripBuilder(seed: $0).build() })
        for user in UInt64(10)...15 { try await trips.report(Trip.ID(seed: 3), by: User.ID(seed: user)) }
        try await trips.block(User.ID(seed: 4), by: User.ID(seed: 1))
        let suggest = SuggestKeywords(titles: trips, recent: recent, session: session)
        for (viewer, expected) in [
            (nil, ["바다 여행", "밤바다"]), (User.ID(seed: 1), ["밤바다"]), (User.ID(seed: 3), ["바다 산책", "바다 여행", "밤바다"]),
        ] {
            try await session.setSession(viewer.map { Session(user: $0) })
            guard case .titles(let titles) = try await suggest("바다") else {
                Issue.record("no titles")
                continue
            }
            #expect(titles.map(\.text).sorted() == expected)
        }
    }
}

@Suite("Searching places", .inVirtualTime)
struct SearchPlacesTests {
    let search = SearchPlaces(places: Gazetteer.korea)

    @Test(
        "a place is found by part of its Korean or English name",
        arguments: [
            ("경복", "경복궁"), ("gyeongbok", "경복궁"), (" 해운대 ", "해운대해수욕장"), ("HAEUNDAE", "해운대해수욕장"), ("성산일출", "성산일출봉"),
        ])
    func names(text: String, name: String) async throws {
        #expect(try await search(text).first?.place.name == name)
    }

    @Test("at most 20 places are found, those whose name begins with the text first")
    func limit() async throws {
        let found = try await search("역")
        #expect(found.count == 20)
        let parks = try await search("park")
        #expect(parks.count == 20)
        let palaces = try await search("서울").map(\.place.name)
        #expect(palaces == palaces.filter { $0.hasPrefix("서울") } + palaces.filter { !$0.hasPrefix("서울") })
    }

    @Test("white space finds nothing, without a request to the repository", arguments: ["", " ", "\n\t"])
    func nothing(text: String) async throws {
        #expect(try await SearchPlaces(places: NoPlaces())(text) == [])
    }

    @Test("the nearest known place is proposed for a position, at most a kilometre away")
    func near() async throws {
        let gate = try Coordinate(latitude: 37.573, longitude: 126.9769)
        #expect(try await search(near: gate)?.place.name == "광화문광장")
        #expect(try await search(near: Coordinate(latitude: 48.8584, longitude: 2.2945)) == nil)
        await #expect(throws: NoPlaces.outage) { try await SearchPlaces(places: NoPlaces())(near: gate) }
    }

    @Test("an outage is rethrown")
    func outages() async throws {
        await #expect(throws: NoPlaces.outage) { try await SearchPlaces(places: NoPlaces())("경복") }
    }
}

/// A directory that is unavailable.
private struct NoPlaces: PlaceRepository {
    static let outage = TravelError.unavailable(.init("The directory is down.", canRetry: true))

    func search(_ text: String, limit: Int) async throws -> [KnownPlace] { throw Self.outage }
    func nearest(to coordinate: Coordinate, within meters: Double) async throws -> KnownPlace? { throw Self.outage }
}
