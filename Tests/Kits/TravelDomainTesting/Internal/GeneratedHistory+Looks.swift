import TravelDomain

extension GeneratedHistory {
    mutating func compareSearch(of store: TravelStore, viewer: User.ID?) async throws {
        let (criteria, limit) = (samples.criteria(), random(1...6))
        var cursor: TravelCursor?
        repeat {
            let query = try TravelQuery(criteria, viewer: viewer, after: cursor, limit: limit)
            let page = model.search(query)
            try expect(try await store.search(query), equals: page, "\(place), a page of \(criteria)")
            cursor = page.next
        } while cursor != nil
    }

    func compareTravel(_ id: Travel.ID, in store: TravelStore, viewer: User.ID?) async throws {
        let travel = Result { () throws(TravelError) in try model.travel(id, viewer: viewer) }
        try await expectSame("a travel", travel) { try await store.travel(id, viewer: viewer) }
        let timeline = Result { () throws(TravelError) in try model.timeline(of: id, viewer: viewer) }
        try await expectSame("a timeline", timeline) { try await store.timeline(of: id, viewer: viewer) }
    }

    func compareImage(_ id: TravelImage.ID, in store: TravelStore, viewer: User.ID?) async throws {
        let image = Result { () throws(TravelError) in try model.image(id, viewer: viewer) }
        try await expectSame("an image", image) { try await store.image(id, viewer: viewer) }
    }

    mutating func compareTitles(of store: TravelStore, viewer: User.ID?) async throws {
        guard let text = SampleText.keywords.randomElement(using: &samples.random).flatMap({ Keyword($0) }) else {
            return
        }
        let limit = random(1...12)
        try await TitleRepositoryContract.expectTitles(
            containing: text, viewer: viewer, limit: limit, among: model.titles(seenBy: viewer), in: store)
    }

    func comparePerson(_ id: User.ID, in store: TravelStore) async throws {
        let person = Result { () throws(TravelError) in try model.user(id) }
        try await expectSame("a person", person) { try await store.user(id) }
        let blocked = Result { () throws(TravelError) in try model.blocked(by: id) }
        try await expectSame("who is blocked", blocked) { try await store.blocked(by: id) }
    }

    mutating func compareNickname(in store: TravelStore) async throws {
        let (person, nickname) = (personID(), try samples.person().nickname)
        let isTaken = !model.holders(of: nickname, except: person).isEmpty
        try expect(
            try await store.isTaken(nickname, exceptBy: person), equals: isTaken,
            "\(place), whether a nickname is taken")
    }
}
