import TravelDomain
import TravelPresentation

/// `traveline search`: lists the trips that meet the criteria.
struct SearchCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "search", summary: "lists trips, found by keyword and by filters",
        usage: ["search [TEXT] [filters] [--sort ORDER] [--limit N] [--after ID] [--json]"],
        notes: [
            "TEXT is the same as --keyword. A trip has to meet every filter. Options that name several values can be repeated, or have commas between "
                + "them; Korean names are understood as well. Each line begins with an ID that other commands accept."
        ],
        options: TripFilters.help + ListOptions.help,
        examples: [
            ("search 바다", "trips with 바다 in their title"),
            (
                "search --region busan,jeju --season summer --sort liked",
                "summer trips to Busan or Jeju, most liked first"
            ),
            ("search --companion family --limit 5 --json", "five family trips for another program"),
        ])

    private(set) var criteria = TravelCriteria()
    private(set) var list = ListOptions()
    private(set) var store = StoreOptions()

    init(_ reader: inout ArgumentReader) throws {
        var words: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .option(let option):
                if try TripFilters.read(option, &reader, into: &criteria) { continue }
                if try list.read(option, &reader) { continue }
                try store.read(option, &reader, for: Self.self)
            case .word(let word): words.append(word)
            }
        }
        guard let keyword = Keyword(words.joined(separator: " ")) else { return }
        if criteria.keyword != nil {
            throw UsageError(
                "the text '\(keyword.text)' and --keyword say the same; leave one out",
                "'\(keyword.text)'와(과) --keyword는 같은 뜻입니다. 하나만 쓰세요")
        }
        criteria.keyword = keyword
    }

    func run() async throws {
        let (page, language) = try await App.run(store) { app in
            (try await TripPage(criteria, list, in: app), app.language)
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
    var limit = SearchTravels.pageSize
    var after: Identification?
    var isJSON = false

    static let help: [OptionHelp] = [
        OptionHelp("--limit", "N", "at most N trips, \(SearchTravels.pageSize) by default"),
        OptionHelp("--after", "ID", completes: .travels, "continue after this trip of the same list"),
        .jsonArray,
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
    let travels: [Travel]
    /// The short forms of their IDs.
    let ids: [Travel.ID: String]
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

/// The filters of a search on the command line.
enum TripFilters {
    static let help = [
        OptionHelp("--keyword", "TEXT", "trips whose title contains this text"),
        OptionHelp("--region", "NAME", oneOf: Region.allCases.map(\.rawValue), "in any of these regions"),
        OptionHelp("--theme", "NAME", oneOf: Theme.allCases.map(\.rawValue), "with any of these themes"),
        OptionHelp("--companion", "NAME", oneOf: Companion.allCases.map(\.rawValue), "with any of these companions"),
        OptionHelp("--season", "NAME", oneOf: Season.allCases.map(\.rawValue), "that begin in any of these seasons"),
        OptionHelp("--period", "NAME", oneOf: Period.allCases.map(\.rawValue), "of this length"),
        OptionHelp("--headcount", "N", oneOf: ["1", "2", "3", "4", "5+"], "with so many people"),
        OptionHelp("--budget", "NAME", oneOf: Budget.allCases.map(\.rawValue), "at this cost a person, in 10,000 won"),
        OptionHelp(
            "--transportation", "NAME", oneOf: Transportation.allCases.map(\.rawValue), "by this means of transport"),
        OptionHelp("--sort", "ORDER", oneOf: ["newest", "liked", "date"], "newest, most liked, or latest date first"),
    ]

    /// Reads one of these options into `criteria`; false where it is none.
    static func read(
        _ option: String, _ reader: inout ArgumentReader, into criteria: inout TravelCriteria
    ) throws -> Bool {
        switch option {
        case "--keyword": criteria.keyword = Keyword(try reader.value("TEXT"))
        case "--region": try criteria.regions.formUnion(reader.values("region"))
        case "--theme": try criteria.themes.formUnion(reader.values("theme"))
        case "--companion": try criteria.companions.formUnion(reader.values("companion"))
        case "--season": try criteria.seasons.formUnion(reader.values("season"))
        case "--period": criteria.period = try reader.value("period", of: Period.self)
        case "--headcount": criteria.headcount = try reader.headcount()
        case "--budget": criteria.budget = try reader.value("budget", of: Budget.self)
        case "--transportation":
            criteria.transportation = try reader.value("transportation", of: Transportation.self)
        case "--sort": criteria.sort = try reader.sort()
        default: return false
        }
        return true
    }
}
