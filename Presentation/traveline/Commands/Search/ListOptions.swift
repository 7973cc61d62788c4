import TravelDomain
import TravelPresentation

/// The options of a command that lists trips: how many, from where, and in which form.
struct ListOptions: Sendable {
    var limit = SearchTravels.pageSize
    var after: Identification?
    var isJSON = false

    static let help = [
        OptionHelp("--limit", "N", "at most N trips, \(SearchTravels.pageSize) by default"),
        OptionHelp("--after", "ID", completes: .travels, "continue after this trip of the same list"),
        OptionHelp("--json", "print a JSON array"),
    ]

    /// Reads one of these options; false where it is none.
    mutating func read(_ option: String, _ reader: inout ArgumentReader) throws -> Bool {
        switch option {
        case "--limit": limit = try reader.positiveNumber("N")
        case "--after": after = try Identification(reader.value("ID"))
        case "--json": isJSON = true
        default: return false
        }
        return true
    }
}

/// A part of a list of trips, and how many there are in all.
struct TripPage: Sendable {
    /// The trips.
    let travels: [Travel]
    /// The short forms of their IDs.
    let ids: [Travel.ID: String]
    /// Whether others follow.
    let hasMore: Bool
    /// The number of trips in all, counted up to ``maximumCount``; `nil` where these are all.
    let count: Int?

    /// How far trips are counted: counting further would take longer than anybody waits for a list.
    static let maximumCount = 1_000

    /// Searches for the part of the list that the options select.
    init(_ criteria: TravelCriteria, _ options: ListOptions, in app: App) async throws {
        let viewer = try await app.session.session()?.user
        var cursor: TravelCursor?
        if let after = options.after {
            let last = try await app.store.travel(try await app.travel(after), viewer: viewer)
            cursor = TravelCursor(after: last, in: criteria.sort)
        }
        let isFirst = cursor == nil
        var travels: [Travel] = []
        repeat {
            let page = try await app.searchTravels(criteria, after: cursor)
            travels += page.travels
            cursor = page.next
        } while cursor != nil && travels.count < options.limit
        hasMore = cursor != nil || travels.count > options.limit
        self.travels = Array(travels.prefix(options.limit))
        // A program gets IDs in full.
        ids = try await app.shortIDs(of: options.isJSON ? self.travels.suffix(1) : self.travels)
        count = isFirst && !hasMore ? nil : try await Self.count(criteria, viewer, in: app)
    }

    private static func count(_ criteria: TravelCriteria, _ viewer: User.ID?, in app: App) async throws -> Int {
        var count = 0
        var cursor: TravelCursor?
        repeat {
            let limit = TravelQuery.limits.upperBound
            let page = try await app.store.search(TravelQuery(criteria, viewer: viewer, after: cursor, limit: limit))
            count += page.travels.count
            cursor = page.next
        } while cursor != nil && count <= maximumCount
        return count
    }

    /// Prints the trips, and on standard error how many there are and how to go on.
    func write(_ options: ListOptions, in language: Language) throws {
        if options.isJSON {
            try Standard.write(TripJSON.text(travels))
        } else if travels.isEmpty {
            try Standard.write(language.say("No trips found.\n", "찾은 여행이 없습니다.\n"))
        } else {
            try Standard.write(TripList(travels, ids: ids, in: language, on: .standard).text)
        }
        if let note = note(in: language) { Standard.note(note) }
    }

    /// `20 of 79 trips; for more: --after 6f1c2c1e`; `nil` where all were shown.
    func note(in language: Language) -> String? {
        guard let count, let last = travels.last else { return nil }
        let shown =
            count > Self.maximumCount
            ? language.say("\(travels.count) of more than 1,000 trips", "1,000개가 넘는 여행 중 \(travels.count)개")
            : language.say("\(travels.count) of \(language.trips(count))", "여행 \(count)개 중 \(travels.count)개")
        guard hasMore else { return shown }
        let id = ids[last.id] ?? "\(last.id)"
        return shown + language.say("; for more: --after \(id)", ", 더 보기: --after \(id)")
    }
}
