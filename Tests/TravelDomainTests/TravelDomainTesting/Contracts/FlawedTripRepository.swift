import TravelDataInMemory
import TravelDomain

/// A repository with one flaw; it forwards everything else to a correct repository.
actor FlawedTripRepository: TripRepository {
    enum Flaw: CaseIterable {
        case widthMatters, spacesMatter, invisibleMatters, percentIsAWildcard, caseMatters, onlyASCIIFolds,
            spellingMatters, scalarsMatch, keywordIsIgnored
        case entriesAreIgnored, placesAreIgnored, entryTextsMatch, lastEntryMatches, ranksAreMixed, cursorsHaveNoRank,
            titledTripsComeAgain
        case authorIsIgnored, likingUserIsIgnored, viewerIsTheOneWhoLikes
        case allThemesMustHold, untoldHeadcountMatches, seasonOfTheLastDay, weekHasSixDays
        case cursorIsInclusive, cursorIgnoresTies, cursorIsAnOffset, lastPagePromisesMore, pagesAreShort
        case cursorSkipsTheDay
        case tiesAreUnordered, likesAreNotSorted, equallyLikedAreInNoOrder, datesAreNotSorted
        case halfABatchStays, conflictsAreIgnored, lastNicknameCounts
        case likesAddUp, unlikesAreIgnored, anyoneMayLike, everyoneLikes, everythingIsMine
        case timelineByID, missingTimelineIsEmpty
        case versionsAreLost, timesOfChangeAreLost, titlesAreComposed, coordinatesAreShort, namesNeedCoordinates,
            tracksAreLost, elevationsAreLost, timesOfTracksAreLost, momentsAreShort
        case cancellationIsIgnored
    }

    private let flaw: Flaw?
    private let sound = InMemoryTripRepository()
    private var extraLikes: [Trip.ID: Int] = [:]
    private var offsets: [TripCursor: Int] = [:]
    private var authors: [User.ID: User] = [:]

    init(_ flaw: Flaw?) { self.flaw = flaw }

    func search(_ query: TripQuery) async throws -> TripPage {
        if flaw != .cancellationIsIgnored { try Task.checkCancellation() }
        let sort = query.criteria.sort
        var found: [(trip: Trip, match: TripMatch)] = []
        for trip in try await everything(for: query.viewer, query.criteria) {
            if let match = try await match(query.criteria, trip) { found.append((trip, match)) }
        }
        let entries = Dictionary(
            uniqueKeysWithValues: found.compactMap { trip, match in match.entry.map { (trip.id, $0) } })
        var all = found.map(\.trip)
        func rank(_ trip: Trip) -> TripMatch.Rank {
            flaw == .ranksAreMixed || entries[trip.id] == nil ? .title : .entry
        }
        all.sort { rank($0) == rank($1) ? precedes($0, $1, in: sort) : rank($0) < rank($1) }
        let rest =
            if flaw == .cursorIsAnOffset {
                Array(all.dropFirst(query.cursor.flatMap { offsets[$0] } ?? 0))
            } else {
                all.filter { trip in
                    guard let cursor = query.cursor else { return true }
                    if flaw != .cursorsHaveNoRank, cursor.rank != rank(trip) { return cursor.rank < rank(trip) }
                    return follows(trip, cursor)
                }
            }
        let page = rest.prefix(flaw == .pagesAreShort ? max(query.limit - 1, 1) : query.limit)
        let promisesMore = rest.count > page.count || flaw == .lastPagePromisesMore && page.count == query.limit
        let next = promisesMore ? page.last.map { TripCursor(after: $0, in: sort, rank: rank($0)) } : nil
        if let next { offsets[next] = all.count - rest.count + page.count }
        return TripPage(
            trips: Array(page), matchedEntries: entries.filter { id, _ in page.contains { $0.id == id } }, next: next)
    }

    private func match(_ criteria: TripCriteria, _ trip: Trip) async throws -> TripMatch? {
        if flaw == .titledTripsComeAgain || !matches(criteria, trip) {
            var others = criteria
            others.keyword = nil
            guard let keyword = criteria.keyword, flaw != .entriesAreIgnored, matches(others, trip) else {
                return matches(criteria, trip) ? .title : nil
            }
            let timeline = try await soundly { [sound] in try await sound.timeline(of: trip.id, viewer: trip.author.id)
            }
            let found = timeline.filter { entry in
                switch flaw {
                case .placesAreIgnored: keyword.matches(entry.title)
                case .entryTextsMatch:
                    keyword.matches(entry) || keyword.matches(folded: Keyword.folded(entry.text.text))
                default: keyword.matches(entry)
                }
            }
            let entry = flaw == .lastEntryMatches ? found.last : found.first
            return entry.map { .entry(MatchedEntry($0)) } ?? (matches(criteria, trip) ? .title : nil)
        }
        return .title
    }

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try seen(try await soundly { [sound] in try await sound.trip(id, viewer: viewer) })
    }

    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await soundly { [sound] in try await sound.track(of: id, viewer: viewer) }
    }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        do {
            let timeline = try await soundly { [sound] in try await sound.timeline(of: id, viewer: viewer) }
            guard flaw == .timelineByID else { return timeline }
            return timeline.sorted { ($0.day, $0.time, $0.id) < ($1.day, $1.time, $1.id) }
        } catch TravelError.notFound where flaw == .missingTimelineIsEmpty {
            return []
        }
    }

    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        let trips = try trips.map(stored)
        switch flaw {
        case .halfABatchStays: for trip in trips { try await sound.add([trip], images: images) }
        case .conflictsAreIgnored:
            do { try await sound.add(trips, images: images) } catch TravelError.conflict {}
        default: try await soundly { [sound] in try await sound.add(trips, images: images) }
        }
        for trip in trips {
            authors[trip.author.id] = trip.author
        }
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        if flaw == .unlikesAreIgnored, !isLiked { return }
        do {
            try await soundly { [sound] in try await sound.setLiked(isLiked, trip: id, by: user) }
        } catch TravelError.notFound(.user) where flaw == .anyoneMayLike {}
        if flaw == .likesAddUp, isLiked { extraLikes[id, default: -1] += 1 }
    }

    /// Calls the correct repository; with the flaw `cancellationIsIgnored`, in a task that is not cancelled.
    private func soundly<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        flaw == .cancellationIsIgnored ? try await Task.detached { try await body() }.value : try await body()
    }

    private func everything(for viewer: User.ID?, _ criteria: TripCriteria) async throws -> [Trip] {
        let users = TripCriteria(
            author: flaw == .authorIsIgnored ? nil : criteria.author,
            likedBy: flaw == .likingUserIsIgnored
                ? nil
                : flaw == .viewerIsTheOneWhoLikes && viewer != nil && criteria.likedBy != nil
                    ? viewer : criteria.likedBy)
        var trips: [Trip] = []
        var cursor: TripCursor?
        repeat {
            let query = try TripQuery(users, viewer: viewer, after: cursor, limit: 100)
            let page = try await soundly { [sound] in try await sound.search(query) }
            trips += try page.trips.map(seen)
            cursor = page.next
        } while cursor != nil
        return trips
    }

    private func seen(_ trip: Trip) throws -> Trip {
        try Trip(
            id: trip.id,
            author: flaw == .lastNicknameCounts ? authors[trip.author.id] ?? trip.author : trip.author,
            content: trip.content, createdAt: trip.createdAt,
            updatedAt: flaw == .timesOfChangeAreLost ? nil : trip.updatedAt,
            version: flaw == .versionsAreLost ? .first : trip.version,
            likeCount: trip.likeCount + max(extraLikes[trip.id] ?? 0, 0),
            isLiked: flaw == .everyoneLikes ? trip.likeCount > 0 : trip.isLiked,
            isMine: flaw == .everythingIsMine || trip.isMine, thumbnail: trip.thumbnail)
    }

    private func matches(_ criteria: TripCriteria, _ trip: Trip) -> Bool {
        var rest = criteria
        rest.keyword = nil
        var isMatch = criteria.keyword.map { matches($0, trip.title.text) } ?? true
        switch flaw {
        case .allThemesMustHold:
            rest.themes = []
            isMatch = isMatch && criteria.themes.isSubset(of: trip.content.themes)
        case .untoldHeadcountMatches where trip.content.headcount == nil: rest.headcount = nil
        case .seasonOfTheLastDay:
            rest.seasons = []
            isMatch = isMatch && (criteria.seasons.isEmpty || criteria.seasons.contains(Season(of: trip.days.last)))
        case .weekHasSixDays where trip.days.count == 6:
            isMatch = isMatch && (criteria.period == nil || criteria.period == .weekOrMore)
            rest.period = nil
        default: break
        }
        return isMatch && rest.matches(trip.content)
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

    private func precedes(_ a: Trip, _ b: Trip, in sort: TripSort) -> Bool {
        switch flaw {
        case .tiesAreUnordered where sort == .newest: (a.createdAt, b.id) > (b.createdAt, a.id)
        case .likesAreNotSorted where sort == .mostLiked: TripSort.newest.precedes(a, b)
        case .datesAreNotSorted where sort == .tripDate: TripSort.newest.precedes(a, b)
        case .equallyLikedAreInNoOrder where sort == .mostLiked: (a.likeCount, a.id) > (b.likeCount, b.id)
        default: sort.precedes(a, b)
        }
    }

    private func follows(_ trip: Trip, _ cursor: TripCursor) -> Bool {
        switch (flaw, cursor.position) {
        case (.cursorIsInclusive, _): trip.id == cursor.id || cursor.precedes(trip, rank: cursor.rank)
        case (.cursorIgnoresTies, .createdAt(let date)): trip.createdAt < date
        case (.cursorSkipsTheDay, .firstDay(let day, _)): trip.days.first < day
        default: cursor.precedes(trip, rank: cursor.rank)
        }
    }

    private func stored(_ trip: RecordedTrip) throws -> RecordedTrip {
        var content = trip.content
        if flaw == .titlesAreComposed, content.title.text.unicodeScalars.contains("\u{301}") {
            content.title = try Title("caf\u{E9}")
        }
        let seconds = trip.createdAt.timeIntervalSinceReferenceDate
        let timeline = try trip.timeline.map { entry in
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
        return try RecordedTrip(
            id: trip.id, author: trip.author,
            createdAt: flaw == .momentsAreShort
                ? Date(timeIntervalSinceReferenceDate: (seconds * 1_000).rounded() / 1_000) : trip.createdAt,
            updatedAt: trip.updatedAt, version: trip.version, content: content, timeline: timeline,
            track: track(of: trip))
    }

    private func track(of trip: RecordedTrip) throws -> TrackGeometry? {
        switch flaw {
        case .tracksAreLost: nil
        case .elevationsAreLost: try trip.track.map { try TrackGeometry($0.segments) }
        case .timesOfTracksAreLost: trip.track?.withoutTimes
        default: trip.track
        }
    }
}
