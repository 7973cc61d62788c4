#if PostgreSQL
internal import PostgreSQLStore
import TravelDataShared
import TravelDomain

/// A search for one page.
///
/// The trips of a user, and those that someone likes, are a range of an index. A rare keyword is looked up in
/// the index of terms, and what it finds is sorted. Other searches look for their page in the next few thousand
/// trips of the order, where those with many results find it. Otherwise several filters are looked up in the
/// index of cells. Only if there is too much of it, the order is read until the page is full. Each step is a
/// statement of its own, because the server cannot know which of them is the best.
///
/// A keyword is looked for in titles first. Only if these do not fill the page, the trips that have it in an entry, and not in
/// their title, are looked up in the index of the terms of entries. Those of common terms are found among the next trips of the
/// order first, and in the rest of it if they are too many to be looked up.
struct TripSearch {
    private let query: TripQuery
    private let effort: SearchEffort
    private let commonTerms: CommonTerms
    private let commonEntryTerms: CommonTerms
    private let filter: TraitFilter
    private let terms: [Int32]
    /// The terms of the keyword in an entry.
    private let entryTerms: [Int32]
    /// What the keyword is looked for in.
    private var rank = TripMatch.Rank.title
    /// The number of trips to find.
    private var needed: Int

    init(_ query: TripQuery, effort: SearchEffort, commonTerms: CommonTerms, commonEntryTerms: CommonTerms) {
        (self.query, self.effort) = (query, effort)
        (self.commonTerms, self.commonEntryTerms) = (commonTerms, commonEntryTerms)
        needed = query.limit + 1
        filter = TraitFilter(query.criteria)
        terms = query.criteria.keyword.map { TripTerms.grams(of: $0) } ?? []
        entryTerms = query.criteria.keyword.map { TripTerms.grams(ofEntriesBy: $0) } ?? []
    }

    /// The trips of the page in order, and one more if the page is not the last.
    mutating func results(_ db: Connection) throws -> [FoundTrip] {
        let titled = query.cursor?.rank == .entry ? [] : try trips(db)
        guard query.criteria.keyword != nil, titled.count < needed else { return titled }
        rank = .entry
        needed -= titled.count
        return titled + (try trips(db))
    }

    /// The position in the order of the rank after which the page begins; `nil` for the first of its trips.
    private var cursor: TripCursor? { query.cursor.flatMap { $0.rank == rank ? $0 : nil } }

    /// The trips of a rank in order.
    private func trips(_ db: Connection) throws -> [FoundTrip] {
        var trips: [FoundTrip] = []
        var source = isSelective ? Source.recent : .order
        var (rest, isLookedUp): (ArraySlice<Trip.ID>, Bool) = ([], rank == .title)
        if isSelective, rank == .entry {
            if try !commonEntryTerms.rare(among: entryTerms, db).isEmpty {
                isLookedUp = true
                if let found = try lookUpEntries(db) { source = .trips(found) }
            }
        } else if isSelective, let found = try lookUp(by: commonTerms.rare(among: terms, db), db) {
            if found.isEmpty { return [] }
            // The newest fill the first page, unless they are filtered or hidden.
            let first = filter.isEmpty && query.criteria.sort == .newest ? 2 * (query.limit + 1) : found.count
            source = .trips(Array(found.prefix(first)))
            rest = found.dropFirst(first)
        }
        var cursor = cursor
        while true {
            let found = try db.fetchAll(TripRecord.self, select(from: source, after: cursor)).map(\.trip)
            trips += try matches(among: found, db)
            if trips.count >= needed { return Array(trips.prefix(needed)) }
            if found.count > query.limit, let last = found.last {
                cursor = TripCursor(after: last, in: query.criteria.sort)
            } else if case .recent = source {
                let found = isLookedUp ? nil : try lookUpEntries(db)
                source = try found.map { .trips($0) } ?? furtherSource(found: trips.count, db)
                (trips, cursor) = ([], self.cursor)
            } else if !rest.isEmpty {
                source = .trips(Array(rest))
                rest = []
            } else {
                return trips
            }
        }
    }

    /// Those of these trips that have the keyword: the terms only show that a text may contain it.
    private func matches(among trips: [Trip], _ db: Connection) throws -> [FoundTrip] {
        guard let keyword = query.criteria.keyword else { return trips.map { FoundTrip($0, .title) } }
        if rank == .title { return trips.filter { keyword.matches($0.title) }.map { FoundTrip($0, .title) } }
        let others = trips.filter { !keyword.matches($0.title) }
        let entries = others.isEmpty ? [:] : try EntryRecord.first(of: others.map(\.id), with: keyword, entryTerms, db)
        return others.compactMap { trip in entries[trip.id].map { FoundTrip(trip, .entry($0)) } }
    }

    /// Returns the trips with an entry that has the terms of the keyword; `nil` if they are many.
    private func lookUpEntries(_ db: Connection) throws -> [Trip.ID]? {
        let limit = effort.entryCount
        let select: SQL = "SELECT trip FROM entry WHERE terms @> \(entryTerms) LIMIT \(raw: String(limit + 1))"
        let trips = try db.fetchAll(Trip.ID.self, select.planned(.generic))
        return trips.count > limit ? nil : Array(Set(trips))
    }

    /// Where a page is looked for.
    private enum Source {
        case recent
        case trips([Trip.ID])
        case cells([ClosedRange<Int32>])
        case order
    }

    /// Whether there are filters or a keyword, and no user to whose trips the search is restricted.
    private var isSelective: Bool {
        let criteria = query.criteria
        return criteria.author == nil && criteria.likedBy == nil && (criteria.keyword != nil || !filter.isEmpty)
    }

    /// Returns where the page is when it is not among the next trips of the order, of which `count` belong to it.
    private func furtherSource(found count: Int, _ db: Connection) throws -> Source {
        if let cells = TraitCell.ranges(meeting: filter, atMost: effort.cellCount) {
            // The more there were, the sooner the order has the others.
            let size = cells.reduce(0) { $0 + $1.count }
            if size <= effort.cellSize, count * size <= effort.cellEffort { return .cells(cells) }
        }
        // Few titles may have several terms, each of which many have. Few of the next trips of the order had them,
        // unless that was because of the filters.
        if rank == .title, terms.count > (filter.isEmpty ? 1 : 3), let trips = try lookUp(by: terms, db) {
            return .trips(trips)
        }
        return .order
    }

    /// Returns the trips whose titles have the terms of the keyword, at least those after the cursor, the newest
    /// first; `nil` if they are many. The index is asked for `some` of the terms.
    private func lookUp(by some: [Int32], _ db: Connection) throws -> [Trip.ID]? {
        guard !some.isEmpty else { return nil }
        let limit = filter.isEmpty ? effort.sortedCount : effort.filteredCount
        let select: SQL = """
            SELECT id, created_at FROM trip WHERE terms @> \(some) AND \(Self.hasTerms(terms, "trip"))
            LIMIT \(raw: String(limit + 1))
            """
        var trips = try db.fetchAll(select.planned(.generic)) { row in
            try row.read { (id: try $0.next() as Trip.ID, createdAt: try $0.next() as Double) }
        }
        guard trips.count <= limit else { return nil }
        if let cursor, case .createdAt(let date) = cursor.position {
            let last = (date.timeIntervalSinceReferenceDate, cursor.id)
            trips.removeAll { ($0.createdAt, $0.id) >= last }
        }
        return trips.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }.map(\.id)
    }

    /// Selects the trips of `source` after the cursor that meet all conditions: as many as the page has, and one
    /// more.
    private func select(from source: Source, after cursor: TripCursor?) -> SQL {
        """
        \(TripRecord.select(seenBy: query.viewer))
            JOIN (\(page(from: source, after: cursor)) LIMIT \(raw: String(query.limit + 1))) AS page
                ON page.trip = rank.trip
        ORDER BY \(order(of: "rank"))
        """
    }

    private func page(from source: Source, after cursor: TripCursor?) -> SQL {
        let criteria = query.criteria
        var conditions: [SQL] = [filter.condition, Viewer(query.viewer).sees]
        if let author = criteria.author { conditions.append("rank.author = \(author)") }
        var (titles, keyword): (SQL, Keyword?) = ("", criteria.keyword)
        // These were found by the terms of the keyword.
        if case .trips = source { keyword = nil }
        var hasEntry: SQL?
        if rank == .entry, keyword != nil {
            keyword = nil
            hasEntry =
                "EXISTS (SELECT FROM entry WHERE entry.trip = rank.trip AND \(Self.hasTerms(entryTerms, "entry")))"
        }
        if let keyword {
            let signature = TripTerms.signature(of: keyword)
            conditions.append("rank.signature & \(signature) = \(signature)")
            titles = " JOIN trip AS titled ON titled.id = rank.trip AND \(Self.hasTerms(terms, "titled"))"
        }
        var (ranks, ordering): (SQL, SQL) = ("trip_rank AS rank", "rank")
        if let user = criteria.likedBy {
            ranks = "liked AS likes JOIN trip_rank AS rank ON rank.trip = likes.trip"
            conditions.append("likes.app_user = \(user)")
            // The likes of a user are in the order of the trips.
            if criteria.sort == .newest { ordering = "likes" }
        }
        switch source {
        case .recent where hasEntry != nil:
            // Only the entries of these trips are read.
            ranks = """
                (SELECT rank.* FROM \(inOrder(after: cursor, atMost: effort.recentCount))
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order(of: "rank"))
                LIMIT \(raw: String(effort.recentEntryCount))) AS rank
                """
            conditions = []
        case .recent: ranks = inOrder(after: cursor, atMost: effort.recentCount)
        case .order where isSelective: ranks = inOrder(after: cursor, atMost: .max)
        case .trips(let ids): conditions.append("rank.trip = ANY(\(ids))")
        case .cells, .order: break
        }
        if let hasEntry { conditions.append(hasEntry) }
        if let cursor { conditions.append(isAfter(cursor, in: ordering)) }
        if case .cells(let cells) = source {
            // Sorted before their titles are read, so that few of these are. `OFFSET 0` keeps the server from a join
            // that would read the whole table.
            let count = keyword == nil ? query.limit + 1 : Int.max
            ranks = """
                (SELECT rank.trip, rank.created_at, rank.like_count, rank.first_day
                FROM unnest(
                    \(cells.map(\.lowerBound))::integer[], \(cells.map(\.upperBound))::integer[]) AS cells (low, high)
                CROSS JOIN LATERAL (
                    SELECT trip, created_at, like_count, first_day FROM trip_rank AS rank
                    WHERE cell BETWEEN cells.low AND cells.high AND \(conditions.joined(separator: " AND ")) OFFSET 0
                ) AS rank
                ORDER BY \(order(of: "rank")) LIMIT \(raw: String(count))) AS rank
                """
            conditions = ["TRUE"]
        }
        return """
            SELECT rank.trip FROM \(ranks)\(titles) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY \(order(of: ordering))
            """
    }

    /// The condition that a row of `trip` has these terms, without use of their index.
    ///
    /// Appending nothing keeps the server from the index of terms: it takes terms for independent, expects a few
    /// titles where there are thousands, and would begin with them.
    static func hasTerms(_ terms: [Int32], _ table: SQL) -> SQL {
        "(\(table).terms || '{}'::integer[]) @> \(terms)"
    }

    /// The next rows of `trip_rank`, called `rank`.
    ///
    /// The limit keeps the server from applying conditions before: it would expect few rows, and sort the whole
    /// table.
    private func inOrder(after cursor: TripCursor?, atMost limit: Int) -> SQL {
        let column: SQL = sortedColumn.map { "\($0), " } ?? ""
        let condition: SQL = cursor.map { "WHERE \(isAfter($0, in: "rank"))" } ?? ""
        return """
            (SELECT trip, created_at, \(column)traits, signature, author, report_count FROM trip_rank AS rank
            \(condition) ORDER BY \(order(of: "rank")) LIMIT \(raw: String(limit))) AS rank
            """
    }

    /// The column by which an order sorts before the time of recording, if there is one.
    private var sortedColumn: SQL? {
        switch query.criteria.sort {
        case .newest: nil
        case .mostLiked: "like_count"
        case .tripDate: "first_day"
        }
    }

    private func order(of table: SQL) -> SQL {
        let first: SQL = sortedColumn.map { "\(table).\($0) DESC, " } ?? ""
        return "\(first)\(table).created_at DESC, \(table).trip DESC"
    }

    private func isAfter(_ cursor: TripCursor, in table: SQL) -> SQL {
        let (value, time) = cursor.order
        let columns: SQL = "\(table).created_at, \(table).trip"
        guard let column = sortedColumn, let value else { return "(\(columns)) < (\(time), \(cursor.id))" }
        // A cursor from elsewhere can have more likes than the column holds.
        return "(\(table).\(column), \(columns)) < (\(min(value, Int(Int32.max))), \(time), \(cursor.id))"
    }
}

/// The rule of `Visibility` for one viewer, as SQL.
struct Viewer {
    private let id: User.ID?
    private let key: LinkKey?

    /// - Parameter key: The key of the link that the viewer follows; `nil` for none, and in searches.
    init(_ id: User.ID?, key: LinkKey? = nil) { (self.id, self.key) = (id, key) }

    /// The condition that a search shows a row of `trip_rank`, called `rank`, whose `report_count` is large for a trip that
    /// is not public (`StoredReport.weightOfAudience`). Nobody blocks themselves.
    var sees: SQL {
        let isTolerated: SQL = "rank.report_count <= \(Visibility.toleratedReports)"
        guard let id else { return isTolerated }
        return """
            (\(isTolerated) OR rank.author = \(id)) AND NOT EXISTS (
                SELECT 1 FROM blocked WHERE blocked.app_user = \(id) AND blocked.author = rank.author)
            """
    }

    /// The columns that decide whether a trip is shown to someone who looks it up.
    static let columns: SQL = "rank.author, rank.report_count, trip.audience"

    /// Whether the viewer sees the trip of which the next columns are ``columns``; returns its author as well.
    func sees(_ columns: inout ColumnCursor, _ db: Connection) throws -> (author: User.ID, isSeen: Bool) {
        let (author, count) = (try columns.next() as User.ID, try columns.next() as Int)
        let text: String = try columns.next()
        let audience = try readingValues { try Audience(text: text) }
        let reports = count - StoredReport.weight(of: audience)
        return (author, try sees(tripBy: author, to: audience, reports: reports, db))
    }

    func sees(tripBy author: User.ID, to audience: Audience, reports: Int, _ db: Connection) throws -> Bool {
        guard author != id else { return true }
        guard audience.admits(key), reports <= Visibility.toleratedReports else { return false }
        guard let id else { return true }
        let blocks: SQL = """
            SELECT EXISTS (SELECT 1 FROM blocked WHERE app_user = \(id) AND author = \(author))
            """
        return try db.fetchOne(Bool.self, blocks) == false
    }
}

/// Where a search changes from one way to the next; tests choose it so that few trips need all of them.
struct SearchEffort: Sendable {
    /// The number of trips that are read in order first.
    var recentCount = 4_000
    /// The number of those of them whose entries are read, apart from those that filters reject and the viewer does not see.
    var recentEntryCount = 1_000
    /// The maximum number of trips with a rare keyword that are sorted.
    var sortedCount = 1_000
    /// The same of a search with filters, which would read more of the order.
    var filteredCount = 3_000
    /// The maximum number of entries with a keyword whose trips are sorted. Reading the order instead would visit more of
    /// them.
    var entryCount = 4_000
    /// The maximum number of ranges of cells that are read, each by a look-up in the index.
    var cellCount = 2_500
    /// The maximum number of cells that are read, a quarter of all: with more of them the order is read as fast.
    var cellSize = TraitCell.count / 4
    /// The maximum number of cells that are read, times the number of results among the next trips of the order:
    /// with 1,000,000 trips, where both ways take as long.
    var cellEffort = 3_000
}
#endif
