import TravelDataInMemory
import TravelDomain

/// A repository with one flaw; it forwards everything else to a correct repository.
actor FlawedTravelRepository: TravelRepository {
    enum Flaw: CaseIterable {
        case widthMatters, spacesMatter, invisibleMatters, percentIsAWildcard, caseMatters, onlyASCIIFolds,
            spellingMatters, scalarsMatch, keywordIsIgnored
        case authorIsIgnored, likerIsIgnored, viewerIsTheLiker
        case allThemesMustHold, untoldHeadcountMatches, seasonOfTheLastDay, weekHasSixDays
        case cursorIsInclusive, cursorIgnoresTies, cursorIsAnOffset, lastPagePromisesMore, pagesAreShort
        case tiesAreUnordered, likesAreNotSorted, equallyLikedAreInNoOrder, datesAreNotSorted
        case halfABatchStays, conflictsAreIgnored, lastNicknameCounts
        case likesAddUp, unlikesAreIgnored, anyoneMayLike, everyoneLikes, everythingIsMine
        case timelineAsWritten, missingTimelineIsEmpty
        case versionsAreLost, timesOfChangeAreLost, titlesAreComposed, coordinatesAreShort, namesNeedCoordinates,
            tracksAreLost, elevationsAreLost, momentsAreShort
        case cancellationIsIgnored
    }

    private let flaw: Flaw?
    private let sound = InMemoryTravelRepository()
    private var extraLikes: [Travel.ID: Int] = [:]
    private var offsets: [TravelCursor: Int] = [:]
    private var written: [Travel.ID: [TimelineEntry]] = [:]
    private var authors: [User.ID: User] = [:]

    init(_ flaw: Flaw?) { self.flaw = flaw }

    func search(_ query: TravelQuery) async throws -> TravelPage {
        if flaw != .cancellationIsIgnored { try Task.checkCancellation() }
        let sort = query.criteria.sort
        let all = try await everything(for: query.viewer, query.criteria).filter { matches(query.criteria, $0) }
            .sorted { precedes($0, $1, in: sort) }
        let rest =
            if flaw == .cursorIsAnOffset {
                Array(all.dropFirst(query.cursor.flatMap { offsets[$0] } ?? 0))
            } else {
                all.filter { travel in query.cursor.map { follows(travel, $0) } ?? true }
            }
        let page = rest.prefix(flaw == .pagesAreShort ? max(query.limit - 1, 1) : query.limit)
        let promisesMore = rest.count > page.count || flaw == .lastPagePromisesMore && page.count == query.limit
        let next = promisesMore ? page.last.map { TravelCursor(after: $0, in: sort) } : nil
        if let next { offsets[next] = all.count - rest.count + page.count }
        return TravelPage(travels: Array(page), next: next)
    }

    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try seen(try await soundly { [sound] in try await sound.travel(id, viewer: viewer) })
    }

    func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await soundly { [sound] in try await sound.track(of: id, viewer: viewer) }
    }

    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        do {
            let timeline = try await soundly { [sound] in try await sound.timeline(of: id, viewer: viewer) }
            return flaw == .timelineAsWritten ? written[id] ?? [] : timeline
        } catch TravelError.notFound where flaw == .missingTimelineIsEmpty {
            return []
        }
    }

    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        let travels = try travels.map(stored)
        switch flaw {
        case .halfABatchStays: for travel in travels { try await sound.add([travel], images: images) }
        case .conflictsAreIgnored:
            do { try await sound.add(travels, images: images) } catch TravelError.conflict {}
        default: try await soundly { [sound] in try await sound.add(travels, images: images) }
        }
        for travel in travels {
            authors[travel.author.id] = travel.author
            written[travel.id] = travel.timeline.sorted { $0.title.text.count > $1.title.text.count || $0.id > $1.id }
        }
    }

    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        if flaw == .unlikesAreIgnored, !isLiked { return }
        do {
            try await soundly { [sound] in try await sound.setLiked(isLiked, travel: id, by: user) }
        } catch TravelError.notFound(.user) where flaw == .anyoneMayLike {}
        if flaw == .likesAddUp, isLiked { extraLikes[id, default: -1] += 1 }
    }

    /// Calls the correct repository; with the flaw `cancellationIsIgnored`, in a task that is not cancelled.
    private func soundly<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        flaw == .cancellationIsIgnored ? try await Task.detached { try await body() }.value : try await body()
    }

    private func everything(for viewer: User.ID?, _ criteria: TravelCriteria) async throws -> [Travel] {
        let people = TravelCriteria(
            author: flaw == .authorIsIgnored ? nil : criteria.author,
            likedBy: flaw == .likerIsIgnored
                ? nil
                : flaw == .viewerIsTheLiker && viewer != nil && criteria.likedBy != nil
                    ? viewer : criteria.likedBy)
        var travels: [Travel] = []
        var cursor: TravelCursor?
        repeat {
            let query = try TravelQuery(people, viewer: viewer, after: cursor, limit: 100)
            let page = try await soundly { [sound] in try await sound.search(query) }
            travels += try page.travels.map(seen)
            cursor = page.next
        } while cursor != nil
        return travels
    }

    private func seen(_ travel: Travel) throws -> Travel {
        try Travel(
            id: travel.id,
            author: flaw == .lastNicknameCounts ? authors[travel.author.id] ?? travel.author : travel.author,
            content: travel.content, createdAt: travel.createdAt,
            updatedAt: flaw == .timesOfChangeAreLost ? nil : travel.updatedAt,
            version: flaw == .versionsAreLost ? .first : travel.version,
            likeCount: travel.likeCount + max(extraLikes[travel.id] ?? 0, 0),
            isLiked: flaw == .everyoneLikes ? travel.likeCount > 0 : travel.isLiked,
            isMine: flaw == .everythingIsMine || travel.isMine, thumbnail: travel.thumbnail)
    }

    private func matches(_ criteria: TravelCriteria, _ travel: Travel) -> Bool {
        var rest = criteria
        rest.keyword = nil
        var isMatch = criteria.keyword.map { matches($0, travel.title.text) } ?? true
        switch flaw {
        case .allThemesMustHold:
            rest.themes = []
            isMatch = isMatch && criteria.themes.isSubset(of: travel.content.themes)
        case .untoldHeadcountMatches where travel.content.headcount == nil: rest.headcount = nil
        case .seasonOfTheLastDay:
            rest.seasons = []
            isMatch = isMatch && (criteria.seasons.isEmpty || criteria.seasons.contains(Season(of: travel.days.last)))
        case .weekHasSixDays where travel.days.count == 6:
            isMatch = isMatch && (criteria.period == nil || criteria.period == .weekOrMore)
            rest.period = nil
        default: break
        }
        return isMatch && rest.matches(travel.content)
    }

    private func matches(_ keyword: Keyword, _ title: String) -> Bool {
        switch flaw {
        case .keywordIsIgnored: true
        case .widthMatters:
            keyword.matches(folded: Keyword.folded(title)) && isWide(title) == isWide(keyword.text)
        case .spacesMatter: Keyword.folded(title).contains(keyword.folded) && hasSpace(title) == hasSpace(keyword.text)
        case .invisibleMatters:
            keyword.matches(folded: Keyword.folded(title)) && !title.unicodeScalars.contains("\u{200B}")
        case .percentIsAWildcard:
            keyword.folded.split(separator: "%").allSatisfy { Keyword.folded(title).contains($0) }
        case .caseMatters: title.contains(keyword.text)
        case .onlyASCIIFolds: folded(title).contains(folded(keyword.text))
        case .spellingMatters:
            keyword.matches(folded: Keyword.folded(title)) && containsScalars(Keyword.folded(title), keyword.folded)
        case .scalarsMatch: containsScalars(Keyword.folded(title), keyword.folded)
        default: keyword.matches(folded: Keyword.folded(title))
        }
    }

    private func isWide(_ text: String) -> Bool {
        text.unicodeScalars.contains { (0xFF01...0xFF5E).contains($0.value) }
    }

    private func hasSpace(_ text: String) -> Bool { text.contains(" ") }

    private func folded(_ text: String) -> String {
        String(text.map { $0.isASCII ? Character($0.lowercased()) : $0 })
    }

    private func containsScalars(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.unicodeScalars), Array(part.unicodeScalars))
        return text.count >= part.count && (0...text.count - part.count).contains { text[$0...].starts(with: part) }
    }

    private func precedes(_ a: Travel, _ b: Travel, in sort: TravelSort) -> Bool {
        switch flaw {
        case .tiesAreUnordered where sort == .newest: (a.createdAt, b.id) > (b.createdAt, a.id)
        case .likesAreNotSorted where sort == .mostLiked: TravelSort.newest.precedes(a, b)
        case .datesAreNotSorted where sort == .tripDate: TravelSort.newest.precedes(a, b)
        case .equallyLikedAreInNoOrder where sort == .mostLiked: (a.likeCount, a.id) > (b.likeCount, b.id)
        default: sort.precedes(a, b)
        }
    }

    private func follows(_ travel: Travel, _ cursor: TravelCursor) -> Bool {
        switch (flaw, cursor.position) {
        case (.cursorIsInclusive, _): travel.id == cursor.id || cursor.precedes(travel)
        case (.cursorIgnoresTies, .createdAt(let date)): travel.createdAt < date
        default: cursor.precedes(travel)
        }
    }

    private func stored(_ travel: RecordedTravel) throws -> RecordedTravel {
        var content = travel.content
        if flaw == .titlesAreComposed, content.title.text.unicodeScalars.contains("\u{301}") {
            content.title = try Title("caf\u{E9}")
        }
        let seconds = travel.createdAt.timeIntervalSinceReferenceDate
        let timeline = try travel.timeline.map { entry in
            guard let place = entry.place else { return entry }
            let stored: Place?
            switch (flaw, place.coordinate) {
            case (.namesNeedCoordinates, nil): stored = nil
            case (.coordinatesAreShort, let coordinate?):
                stored = try Place(
                    name: place.name, address: place.address,
                    coordinate: Coordinate(
                        latitude: Double(Float(coordinate.latitude)), longitude: Double(Float(coordinate.longitude))))
            default: return entry
            }
            return try TimelineEntry(
                id: entry.id, day: entry.day, time: entry.time, title: entry.title, text: entry.text, place: stored)
        }
        return try RecordedTravel(
            id: travel.id, author: travel.author,
            createdAt: flaw == .momentsAreShort
                ? Date(timeIntervalSinceReferenceDate: (seconds * 1_000).rounded() / 1_000) : travel.createdAt,
            updatedAt: travel.updatedAt, version: travel.version, content: content, timeline: timeline,
            track: track(of: travel))
    }

    private func track(of travel: RecordedTravel) throws -> TrackGeometry? {
        switch flaw {
        case .tracksAreLost: nil
        case .elevationsAreLost: try travel.track.map { try TrackGeometry($0.segments) }
        default: travel.track
        }
    }
}
