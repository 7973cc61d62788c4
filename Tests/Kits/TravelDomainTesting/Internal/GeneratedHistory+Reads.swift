import ContractTesting
import TravelDomain

extension GeneratedHistory {
    mutating func compareSearch(of store: any TravelRepository, viewer: User.ID?) async throws {
        let (criteria, limit) = (criteria(), random(1...6))
        var cursor: TravelCursor?
        repeat {
            let query = try TravelQuery(criteria, viewer: viewer, after: cursor, limit: limit)
            let page = try model.search(query)
            countSearch(query, page)
            noteRead("try await store.search(\(sourceText(query)))")
            try expect(try await store.search(query), equals: page, "\(place), a page")
            cursor = page.next
        } while cursor != nil
    }

    /// Random criteria; in some cases about people, and then with fewer others.
    private mutating func criteria() -> TravelCriteria {
        var criteria = samples.criteria()
        guard random(0...2) == 0 else { return criteria }
        if random(0...1) == 0 { criteria = TravelCriteria(sort: criteria.sort) }
        if random(0...1) == 0 { criteria.author = personID() }
        if random(0...1) == 0 { criteria.likedBy = personID() }
        return criteria
    }

    private mutating func countSearch(_ query: TravelQuery, _ page: TravelPage) {
        let (criteria, isFirst) = (query.criteria, query.cursor == nil)
        count("search by \(criteria.sort): \(isFirst ? "first" : "next") page")
        for stored in model.stored
        where criteria.matches(stored.recorded.content)
            && criteria.matches(author: stored.recorded.author.id, likers: stored.likers)
        {
            if stored.reporters.count > Visibility.toleratedReports { count("search: reported") }
            let author = stored.recorded.author.id
            if model.blocks.contains(where: { $0.person == query.viewer && $0.author == author }) {
                count("search: blocked")
            }
            if page.travels.contains(where: { $0.id == stored.recorded.id }) { count("search: found") }
        }
        if page.travels.contains(where: \.isLiked) { count("search: liked") }
        if page.travels.contains(where: \.isMine) { count("search: mine") }
        if page.travels.contains(where: { $0.thumbnail != nil }) { count("search: thumbnail") }
        let filters: [(name: String, isSet: Bool)] = [
            ("keyword", criteria.keyword != nil), ("region", !criteria.regions.isEmpty),
            ("theme", !criteria.themes.isEmpty), ("companion", !criteria.companions.isEmpty),
            ("season", !criteria.seasons.isEmpty), ("period", criteria.period != nil),
            ("headcount", criteria.headcount != nil), ("budget", criteria.budget != nil),
            ("transportation", criteria.transportation != nil), ("author", criteria.author != nil),
            ("likedBy", criteria.likedBy != nil),
        ]
        for filter in filters where filter.isSet && isFirst {
            count("search by \(filter.name): \(page.travels.isEmpty ? "nothing" : "something") found")
        }
    }

    mutating func compareTravel(_ id: Travel.ID, in store: any TravelRepository, viewer: User.ID?) async throws {
        noteRead("try await store.travel(\(sourceText(id)), viewer: \(sourceText(viewer as Any)))")
        let travel = Result { () throws(TravelError) in try model.travel(id, viewer: viewer) }
        try await expectSame("a travel", travel) { try await store.travel(id, viewer: viewer) }
        noteRead("try await store.timeline(of: \(sourceText(id)), viewer: \(sourceText(viewer as Any)))")
        let timeline = Result { () throws(TravelError) in try model.timeline(of: id, viewer: viewer) }
        try await expectSame("a timeline", timeline) { try await store.timeline(of: id, viewer: viewer) }
        let track = Result { () throws(TravelError) in try model.track(of: id, viewer: viewer) }
        try await expectSame("a track", track) { try await store.track(of: id, viewer: viewer) }
    }

    mutating func compareImage(_ id: TravelImage.ID, in store: any TravelStore, viewer: User.ID?) async throws {
        noteRead("try await store.image(\(sourceText(id)), viewer: \(sourceText(viewer as Any)))")
        let image = Result { () throws(TravelError) in try model.image(id, viewer: viewer) }
        try await expectSame("an image", image) { try await store.image(id, viewer: viewer) }
    }

    mutating func compareTitles(of store: any TitleRepository, viewer: User.ID?) async throws {
        guard let text = SampleText.keywords.randomElement(using: &samples.random).flatMap({ Keyword($0) }) else {
            return
        }
        let limit = random(1...12)
        let count = model.titles(seenBy: viewer).count { text.matches($0) || text.opens($0) }
        self.count("titles: \(count == 0 ? "none" : count > limit ? "more than asked for" : "all")")
        noteRead(
            "try await store.titles(containing: \(sourceText(text)), viewer: \(sourceText(viewer as Any)), limit: \(limit))"
        )
        try await TitleRepositoryContract.expectTitles(
            containing: text, viewer: viewer, limit: limit, among: model.titles(seenBy: viewer), in: store)
    }

    mutating func comparePerson(_ id: User.ID, in store: any TravelStore) async throws {
        noteRead("try await store.user(\(sourceText(id)))")
        let person = Result { () throws(TravelError) in try model.user(id) }
        try await expectSame("a person", person) { try await store.user(id) }
        noteRead("try await store.blocked(by: \(sourceText(id)))")
        let blocked = Result { () throws(TravelError) in try model.blocked(by: id) }
        try await expectSame("the blocked people", blocked) { try await store.blocked(by: id) }
    }

    mutating func compareNickname(in store: any TravelStore) async throws {
        let (person, nickname) = (personID(), try nickname())
        let isTaken = !model.holders(of: nickname, except: person).isEmpty
        count("nickname: \(isTaken ? "taken" : "free")")
        noteRead("try await store.isTaken(\(sourceText(nickname)), exceptBy: \(sourceText(person)))")
        try expect(
            try await store.isTaken(nickname, exceptBy: person), equals: isTaken,
            "\(place), whether a nickname is taken")
    }
}
