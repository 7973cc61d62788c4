internal import SQLiteStore
import TravelDataShared
import TravelDomain

/// A search for one page.
///
/// The filters and the keyword determine the *matches*: the intersection of stored sets (``RowSets``). The search walks
/// an index in the order of the page, and takes the trips that are matches, until the page is full. If there are so
/// few matches that this would take long, it reads and sorts all of them instead.
///
/// A keyword is looked for in titles first. Only if these do not fill the page, a second search of the same kind finds the
/// trips that have it in an entry, and not in their title.
struct TripSearch {
    let query: TripQuery
    let viewer: Viewer
    let effort: SearchEffort
    /// What the keyword is looked for in.
    private var rank = TripMatch.Rank.title
    /// The number of trips to find.
    private var needed: Int
    /// The entries with the keyword, by the keys of their trips.
    private var entries: [Int64: MatchedEntry] = [:]

    init(query: TripQuery, viewer: Viewer, effort: SearchEffort) {
        (self.query, self.viewer, self.effort) = (query, viewer, effort)
        needed = query.limit + 1
    }

    /// The keys of the page's trips in order, each with the entry by which it was found, and one more if the page is not the
    /// last.
    mutating func results(_ db: Connection) throws -> [(key: Int64, entry: MatchedEntry?)] {
        var titled: [Int64] = []
        if query.cursor?.rank ?? .title == .title { titled = try keys(db) }
        guard query.criteria.keyword != nil, titled.count < needed else { return titled.map { ($0, nil) } }
        rank = .entry
        needed -= titled.count
        return titled.map { ($0, nil) } + (try keys(db)).map { ($0, entries[$0]) }
    }

    /// The keys of the trips of a rank in order.
    private mutating func keys(_ db: Connection) throws -> [Int64] {
        guard let users = try Users(query.criteria, db) else { return [] }
        if let likingUser = users.likingUser, users.author == nil, query.criteria.sort == .newest {
            return Array(try inOrder(newestLikes(of: likingUser, db), db).prefix(needed))
        }
        var matches = try Matches(query.criteria, by: rank, likedBy: users.likingUser, for: viewer, db)
        var patience = effort.patience
        if users.author != nil {
            // The trips of one author are walked to the end.
            patience = .max
        } else if effort.estimates, try matches.seemRare(needed, among: patience, db) {
            patience = 0
        }
        var (page, few): ([Int64], [Int64]?) = ([], nil)
        var runs = SeasonRuns(query.criteria, after: cursor, isOfAuthor: users.author != nil)
        while few == nil, page.count < needed, let days = try runs.next(db) {
            try db.forEach(walk(by: users.author, on: days)) { row, stop in
                if patience == 0 { few = try matches.few(for: needed, effort, db) }
                guard few == nil else { return stop = true }
                patience -= 1
                let key: Int64 = try row[0]
                if try matches.contains(key, db), try isShown(key, db) { page.append(key) }
                stop = page.count == needed
            }
        }
        return try few.map { try shown(inOrder($0, db), atMost: needed, db) } ?? page
    }

    /// The position in the order of the rank after which the page begins; `nil` for the first of its trips.
    private var cursor: TripCursor? { query.cursor.flatMap { $0.rank == rank ? $0 : nil } }

    /// The first of these trips that the viewer sees and that have the keyword.
    private mutating func shown(_ keys: [Int64], atMost count: Int, _ db: Connection) throws -> [Int64] {
        var shown: [Int64] = []
        for key in keys where shown.count < count {
            if try isShown(key, db) { shown.append(key) }
        }
        return shown
    }

    /// The trips with these keys that come after the cursor, in the order of the page.
    private func inOrder(_ keys: [Int64], _ db: Connection) throws -> [Int64] {
        var trips: [(rank: Int, createdAt: Double, id: Trip.ID, key: Int64)] = []
        trips.reserveCapacity(keys.count)
        try db.forEach(select(keys)) { row in
            trips.append(try row.read { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) })
        }
        // Faster than in SQLite, which compares records.
        return trips.sorted { ($0.rank, $0.createdAt, $0.id) > ($1.rank, $1.createdAt, $1.id) }.map(\.key)
    }

    /// The matches of the page among the trips that a user likes, and all that were recorded at the same time as
    /// the last or as the trip of the cursor: the index does not order those.
    private mutating func newestLikes(of user: Int64, _ db: Connection) throws -> [Int64] {
        var matches = try Matches(query.criteria, by: rank, likedBy: nil, for: viewer, db)
        let start = cursor?.order.createdAt ?? .infinity
        var (keys, count, last): ([Int64], Int, Double) = ([], 0, start)
        try db.forEach(likes(of: user, from: start)) { row, stop in
            let (key, time): (Int64, Double) = try row.read { (try $0.next(), try $0.next()) }
            stop = count >= needed && time < last
            guard !stop, try matches.contains(key, db), try isShown(key, db) else { return }
            keys.append(key)
            last = time
            if time < start { count += 1 }
        }
        return keys
    }

    /// Selects the trips that a user likes, recorded at that time or before.
    func likes(of user: Int64, from time: Double) -> SQL {
        """
        SELECT trip, created_at FROM liked INDEXED BY liked_newest
        WHERE app_user = \(user) AND created_at <= \(time) ORDER BY created_at DESC
        """
    }

    /// Whether the viewer sees the trip, and it has the keyword in its title, or only in an entry.
    private mutating func isShown(_ key: Int64, _ db: Connection) throws -> Bool {
        let keyword = query.criteria.keyword
        let isCandidate = try db.fetchOne("SELECT \(Viewer.columns), title FROM trip WHERE key = \(key)") { row in
            try row.read { columns in
                guard try viewer.sees(&columns, db) else { return false }
                guard let keyword else { return true }
                return keyword.matches(text: try columns.next()) == (rank == .title)
            }
        }
        guard isCandidate == true else { return false }
        guard rank == .entry, let keyword else { return true }
        entries[key] = try EntryRecord.first(of: key, with: keyword, db)
        return entries[key] != nil
    }

    /// Selects the trips after the cursor in the order of the page; with `author`, only theirs, and only those that
    /// begin on these days (since 1970), in the order of dates.
    func walk(by author: Int64? = nil, on days: ClosedRange<Int> = SeasonRuns.allDays) -> SQL {
        let index: SQL =
            switch (author, query.criteria.sort) {
            case (nil, .newest): "trip_newest"
            case (nil, .mostLiked): "trip_most_liked"
            case (nil, .tripDate): "trip_by_date"
            case (_, .newest): "trip_author_newest"
            case (_, .mostLiked): "trip_author_most_liked"
            case (_, .tripDate): "trip_author_by_date"
            }
        var condition: SQL = "TRUE"
        if let author {
            condition = "author = \(author)"
        } else if query.criteria.sort == .tripDate, days != SeasonRuns.allDays {
            condition = "first_day BETWEEN \(days.lowerBound) AND \(days.upperBound)"
        }
        let first: SQL = sortedColumn.map { "\($0) DESC, " } ?? ""
        return """
            SELECT trip.key FROM trip INDEXED BY \(index) WHERE \(condition) AND \(afterCursor)
            ORDER BY \(first)trip.created_at DESC, trip.id DESC
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

    /// Selects the trips with these keys that come after the cursor, in any order.
    func select(_ keys: [Int64]) -> SQL {
        """
        SELECT \(sortedColumn ?? "0"), trip.created_at, trip.id, trip.key
        FROM json_each(\(json: keys)) CROSS JOIN trip ON trip.key = value WHERE \(afterCursor)
        """
    }

    /// The condition that a trip comes after the cursor.
    private var afterCursor: SQL {
        guard let cursor else { return "TRUE" }
        let (value, time) = cursor.order
        guard let column = sortedColumn, let value else {
            return "(trip.created_at, trip.id) < (\(time), \(cursor.id))"
        }
        return "(\(column), trip.created_at, trip.id) < (\(value), \(time), \(cursor.id))"
    }
}

/// The parts of a walk by date on whose days trips of the chosen seasons begin, the latest first.
///
/// Seasons follow from dates: a walk would visit all trips of the other seasons between two runs of a chosen one. Any
/// other search is one walk over all days.
struct SeasonRuns {
    static let allDays = Int(Int32.min)...Int(Int32.max)

    private let seasons: Set<Season>
    /// The last day that was not walked yet; `nil` at the end.
    private var last: Int?

    init(_ criteria: TripCriteria, after cursor: TripCursor?, isOfAuthor: Bool) {
        let isDivided = criteria.sort == .tripDate && !isOfAuthor
        // All seasons are none.
        seasons = isDivided && criteria.seasons.count < Season.allCases.count ? criteria.seasons : []
        last = Self.allDays.upperBound
        if isDivided, case .firstDay(let day, _)? = cursor?.position { last = day.daysSince1970 }
    }

    /// The next days; `nil` when there are no more trips.
    mutating func next(_ db: Connection) throws -> ClosedRange<Int>? {
        if seasons.isEmpty {
            defer { last = nil }
            return last.map { _ in Self.allDays }
        }
        while let day = try last.flatMap({ try Self.firstDay(notAfter: $0, db) }) {
            let date = CalendarDay(daysSince1970: day)
            let start = min(day, Self.startOfSeason(around: date))
            last = start - 1
            if seasons.contains(Season(of: date)) { return start...day }
        }
        last = nil
        return nil
    }

    /// The first day of the season in which the day is; winter begins in December of the year before.
    private static func startOfSeason(around date: CalendarDay) -> Int {
        let month = Season(of: date).months[0]
        // The winter of the first year begins before the calendar.
        let start = try? CalendarDay(year: date.month < month ? date.year - 1 : date.year, month: month, day: 1)
        return (start ?? CalendarDay(daysSince1970: .min)).daysSince1970
    }

    /// The latest first day that is not after `day`.
    private static func firstDay(notAfter day: Int, _ db: Connection) throws -> Int? {
        try db.fetchOne(
            Int.self,
            """
            SELECT first_day FROM trip INDEXED BY trip_by_date WHERE first_day <= \(day)
            ORDER BY first_day DESC LIMIT 1
            """)
    }
}

/// The rule of `Visibility` for one viewer, in terms of keys of rows.
struct Viewer {
    private let user: Int64?
    private let key: LinkKey?

    /// - Parameter key: The key of the link that the viewer follows; `nil` for none, and in searches.
    init(_ id: User.ID?, key: LinkKey? = nil, _ db: Connection) throws {
        user = try id.flatMap { try UserRecord.key(of: $0, db) }
        self.key = key
    }

    /// The sets of which a trip that the viewer sees has one; links that they follow open trips, and do not show them in searches.
    var sets: [RowSets.Number] { TripSets.visible(to: user) }

    /// The columns of a trip that decide whether it is shown, in the order of ``sees(_:_:)``.
    static let columns: SQL = "author, report_count, audience"

    /// Whether the viewer sees the trip of which the next columns are ``columns``.
    func sees(_ columns: inout ColumnCursor, _ db: Connection) throws -> Bool {
        let (author, reports) = (try columns.next() as Int64, try columns.next() as Int)
        return try sees(tripBy: author, to: try columns.next(), reports: reports, db)
    }

    func sees(tripBy author: Int64, to audience: Audience, reports: Int, _ db: Connection) throws -> Bool {
        guard author != user else { return true }
        guard audience.admits(key), reports <= Visibility.toleratedReports else { return false }
        guard let user else { return true }
        let block: SQL = "SELECT EXISTS (SELECT 1 FROM blocked WHERE app_user = \(user) AND author = \(author))"
        return try db.fetchOne(Bool.self, block) == false
    }
}

extension ColumnCursor {
    /// The audience of a trip in the next column.
    mutating func next() throws -> Audience {
        let text: String = try next()
        return try readingValues { try Audience(text: text) }
    }
}
