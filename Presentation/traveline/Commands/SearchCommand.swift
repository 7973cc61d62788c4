import TravelDomain
import TravelPresentation

/// `traveline search`: lists the trips that meet the criteria.
struct SearchCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "search", summary: Text("lists trips by keyword and filters", "검색어와 필터로 여행 찾기"),
        usage: ["search [TEXT] [filters] [--sort ORDER] [--limit N] [--after ID] [--json]"],
        notes: [
            Text(
                "TEXT is the same as --keyword: part of the title of a trip, or of the title or the place of an entry, which is "
                    + "shown below the trip. A trip must match every filter. Options with several values can be "
                    + "repeated, or take a list separated by commas; Korean names work as well. Each line begins with an "
                    + "ID that other commands accept.",
                "TEXT는 --keyword와 같습니다. 여행 제목이나 기록의 제목과 장소에서 찾으며, 찾은 기록은 여행 아래에 나옵니다. "
                    + "모든 필터에 맞는 여행을 찾습니다. 값을 여럿 쓰는 옵션은 되풀이하거나 쉼표로 나누며, 한국어 이름도 쓸 수 있습니다. 각 "
                    + "줄의 첫 글자들은 다른 명령에 쓰는 ID입니다.")
        ],
        options: TripFilters.help + ListOptions.help,
        examples: [
            ("search 바다", Text("trips with 바다 in their title, then in an entry", "제목에 바다가 있는 여행, 다음은 기록에 있는 여행")),
            (
                "search --region busan,jeju --season summer --sort liked",
                Text("summer trips to Busan or Jeju, most liked first", "부산이나 제주의 여름 여행을 좋아요순으로")
            ),
            ("search --companion family --limit 5 --json", Text("five family trips as JSON", "가족 여행 다섯 개를 다른 프로그램에")),
        ])

    let criteria: TripCriteria
    let list: ListOptions
    let store: StoreOptions

    init(_ arguments: Arguments) throws {
        var criteria = try TripFilters.criteria(arguments)
        if let keyword = Keyword(arguments.words.joined(separator: " ")) {
            if criteria.keyword != nil {
                throw UsageError(
                    "the text '\(keyword.text)' and --keyword say the same; leave one out",
                    "'\(keyword.text)'와(과) --keyword는 같은 뜻입니다. 하나만 쓰세요")
            }
            criteria.keyword = keyword
        }
        self.criteria = criteria
        list = try ListOptions(arguments)
        store = try StoreOptions(arguments)
    }

    func run() async throws {
        let (page, language) = try await App.run(store) { app in
            (try await ListedTrips(criteria, list, in: app), app.language)
        }
        try page.write(list, in: language)
        if let region = proposedRegion {
            Standard.note(
                language.say(
                    "for all trips in \(region.name(in: .english)), whatever their title: --region \(region.rawValue)",
                    "제목과 관계없이 \(region.name(in: .korean)) 여행 모두 보기: --region \(region.rawValue)"))
        }
    }

    /// The region that the keyword names, unless it is chosen: its trips need not have the name in their titles.
    var proposedRegion: Region? {
        guard let region = criteria.keyword.flatMap(Region.init(namedBy:)) else { return nil }
        return criteria.regions.contains(region) ? nil : region
    }
}

/// The options of a command that lists trips: how many, from where, and in which form.
struct ListOptions: Sendable {
    let limit: Int
    let after: Identification?
    let isJSON: Bool

    static let help: [OptionHelp] = [
        OptionHelp(
            "--limit", "N",
            Text("at most N trips, \(SearchTrips.pageSize) by default", "최대 N개, 기본은 \(SearchTrips.pageSize)개")),
        OptionHelp(
            "--after", "ID", completes: .trips, Text("continue after this trip in the same list", "같은 목록에서 이 여행 다음부터")),
        .jsonArray,
    ]

    init(_ arguments: Arguments) throws {
        limit = try arguments.positiveNumber("--limit") ?? SearchTrips.pageSize
        after = try arguments.identification("--after")
        isJSON = arguments.has("--json")
    }
}

/// A part of a list of trips, and how many there are in all.
struct ListedTrips: Sendable {
    let trips: [Trip]
    /// The entries by which trips were found.
    let entries: [Trip.ID: MatchedEntry]
    /// The short forms of their IDs.
    let ids: [Trip.ID: String]
    let hasMore: Bool
    /// The number of trips in all, counted up to ``maximumCount``; `nil` where these are all.
    let count: Int?

    /// How far trips are counted: counting further would take longer than anybody waits for a list.
    static let maximumCount = 1_000

    /// Searches for the part of the list that the options select.
    init(_ criteria: TripCriteria, _ options: ListOptions, in app: App) async throws {
        let viewer = try await app.session.session()?.user
        var cursor: TripCursor?
        if let after = options.after {
            let last = try await app.store.trip(try await app.trip(after), viewer: viewer)
            // In a list by keyword, any other trip was found by an entry.
            let isTitled = criteria.keyword?.matches(last.title) ?? true
            cursor = TripCursor(after: last, in: criteria.sort, rank: isTitled ? .title : .entry)
        }
        let isFirst = cursor == nil
        var trips: [Trip] = []
        var entries: [Trip.ID: MatchedEntry] = [:]
        repeat {
            let page = try await app.searchTrips(criteria, after: cursor)
            trips += page.trips
            entries.merge(page.matchedEntries) { _, new in new }
            cursor = page.next
        } while cursor != nil && trips.count < options.limit
        hasMore = cursor != nil || trips.count > options.limit
        self.trips = Array(trips.prefix(options.limit))
        self.entries = entries
        // A program gets IDs in full.
        ids = try await app.shortIDs(of: options.isJSON ? self.trips.suffix(1) : self.trips)
        count = isFirst && !hasMore ? nil : try await Self.count(criteria, viewer, in: app)
    }

    private static func count(_ criteria: TripCriteria, _ viewer: User.ID?, in app: App) async throws -> Int {
        var count = 0
        var cursor: TripCursor?
        repeat {
            let limit = TripQuery.limits.upperBound
            let page = try await app.store.search(TripQuery(criteria, viewer: viewer, after: cursor, limit: limit))
            count += page.trips.count
            cursor = page.next
        } while cursor != nil && count <= maximumCount
        return count
    }

    /// Prints the trips, and on standard error how many there are and how to go on.
    func write(_ options: ListOptions, in language: Language) throws {
        if options.isJSON {
            try Standard.write(TripJSON.text(trips, foundBy: entries))
        } else if trips.isEmpty {
            try Standard.write(language.say("No trips found.\n", "찾은 여행이 없습니다.\n"))
        } else {
            try Standard.write(
                TripList(trips: trips, entries: entries, ids: ids, language: language, page: .standard).text)
        }
        if let note = note(in: language) { Standard.note(note) }
    }

    /// `20 of 79 trips; for more: --after 6f1c2c1e`; `nil` where all were shown.
    func note(in language: Language) -> String? {
        guard let count, let last = trips.last else { return nil }
        let shown =
            count > Self.maximumCount
            ? language.say("\(trips.count) of more than 1,000 trips", "1,000개가 넘는 여행 중 \(trips.count)개")
            : language.say("\(trips.count) of \(language[.trips(count)])", "여행 \(count)개 중 \(trips.count)개")
        guard hasMore else { return shown }
        let id = ids[last.id] ?? "\(last.id)"
        return shown + language.say("; for more: --after \(id)", ", 더 보기: --after \(id)")
    }
}
