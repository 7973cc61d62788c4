#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// A search for one page.
///
/// It visits the travels in order, in an index that covers the filters and the keyword's bits, until the page is full,
/// which is soon if there are many matches. If there turn out to be few, the search reads candidates instead, as soon
/// as they are known to be few enough: the travels whose titles contain the keyword, or those that the bitmaps yield.
/// The cost therefore depends on the page and hardly on the number of travels.
struct TravelSearch {
    let query: TravelQuery
    private let viewer: Viewer
    let filter: TraitFilter
    private let keyword: Keyword?
    let grams: TitleGrams?
    let costs: SearchCostModel

    init(_ query: TravelQuery, seenBy viewer: Viewer, costs: SearchCostModel) {
        self.query = query
        self.viewer = viewer
        self.costs = costs
        filter = TraitFilter(query.criteria)
        keyword = query.criteria.keyword
        grams = keyword.map(TitleGrams.init(in:))
    }

    /// The keys of the page's travels in order, and one more if the page is not the last.
    func keys(_ db: Connection) throws -> [Int64] {
        if let keys = try keysOfPeople(db) { return keys }
        var page = PartialPage(titles: try titles(atMost: costs.rareTitles, db))
        if let titles = page.titles, let travels = try travels(of: titles, atMost: costs.rareTravels, db) {
            if travels > costs.fewTravels, query.criteria.sort == .newest {
                // The bitmaps find the newest, so that not all travels need to be read.
                if let keys = try keysAmongMapped(&page, atMost: travels, db) { return keys }
            }
            return try keys(among: ofTitles(titles), &page, db)
        }
        var spent = 0
        var nextLookup = costs.initialVisits
        var keys: [Int64]?
        try db.forEach(scan) { row, stop in
            if try isSample(row) {
                spent += costs.sampleStride
                if spent >= nextLookup {
                    nextLookup *= 4
                    keys = try keysAmongFew(&page, spent: spent, db)
                    if keys != nil { return stop = true }
                }
            }
            spent += try visit(row, &page, db)
            stop = page.keys.count > query.limit
        }
        return keys ?? page.keys
    }

    /// The page's keys, found among all travels that may match.
    func keys(among candidates: SQL, _ page: inout PartialPage, _ db: Connection) throws -> [Int64] {
        let found = page.keys
        page.keys = []
        try db.forEach(candidates) { row, stop in
            _ = try visit(row, &page, db)
            stop = page.keys.count > query.limit
        }
        defer { page.keys = found }
        return page.keys
    }

    /// The results of a search so far.
    struct PartialPage {
        var keys: [Int64] = []
        /// The titles that may contain the keyword, if they are few enough to be listed.
        var titles: Set<Int64>?
        /// Whether a title contains the keyword, for the titles that were compared, by key.
        var isMatch: [Int64: Bool] = [:]
    }

    /// Adds the travel of `row` to the page if it matches, and returns the cost.
    private func visit(_ row: borrowing Row, _ page: inout PartialPage, _ db: Connection) throws -> Int {
        guard filter.admits(try row[0]), viewer.sees(travelBy: try row[4], reports: try row[5]) else { return 0 }
        var cost = 0
        if let grams {
            guard (try row[1] as Int64) & grams.bits == grams.bits else { return 0 }
            let title: Int64 = try row[2]
            if let titles = page.titles, !titles.contains(title) { return 0 }
            if page.isMatch[title] == nil {
                page.isMatch[title] = try contains(title, db)
                cost = costs.titleCost
            }
            guard page.isMatch[title] == true else { return cost }
        }
        page.keys.append(try row[3])
        return cost
    }

    private func contains(_ title: Int64, _ db: Connection) throws -> Bool {
        let text = try db.fetchOne(String.self, "SELECT text FROM title WHERE key = \(title)")
        return text.flatMap { keyword?.matches(folded: Keyword.folded($0)) } ?? false
    }

    /// The columns that a visit reads; both sort indexes cover them.
    static let columns: SQL = "traits, title_bits, title, travel.key, author, report_count"

    /// Selects all travels after the cursor that may match, in order, and samples that measure the progress.
    var scan: SQL {
        """
        SELECT \(Self.columns) FROM travel
        WHERE \(afterCursor) AND (\(mayMatch) OR travel.key & \(costs.sampleStride - 1) = 0) ORDER BY \(order)
        """
    }

    private func isSample(_ row: borrowing Row) throws -> Bool {
        (try row[3] as Int64) & Int64(costs.sampleStride - 1) == 0
    }

    /// The condition, on index columns, that a travel must meet to be visited.
    var mayMatch: SQL {
        grams.map { "\(filter.condition) AND title_bits & \($0.bits) = \($0.bits)" } ?? filter.condition
    }

    /// The page's keys, found among candidates, if they are so few that reading them costs less than completing the
    /// scan, extrapolated from its progress.
    private func keysAmongFew(_ page: inout PartialPage, spent: Int, _ db: Connection) throws -> [Int64]? {
        let left = spent * (query.limit + 1 - page.keys.count) / (page.keys.count + 1)
        guard left > costs.lookupCost else { return nil }
        let few = left / costs.candidateCost
        page.titles = try page.titles ?? titles(atMost: spent / costs.titleKeyCost, db)
        let titled = try page.titles.flatMap { try travels(of: $0, atMost: few, db) }
        if let keys = try keysAmongMapped(&page, atMost: titled ?? few, db) { return keys }
        guard titled != nil, let titles = page.titles else { return nil }
        return try keys(among: ofTitles(titles), &page, db)
    }

    /// The titles that contain the keyword, with some false positives, if one gram shows that there are at most `few`.
    private func titles(atMost few: Int, _ db: Connection) throws -> Set<Int64>? {
        guard let grams else { return nil }
        for token in grams.tokens {
            var titles: Set<Int64> = []
            let match = TitleGrams.match([token])
            try db.forEach("SELECT rowid FROM title_gram WHERE title_gram MATCH \(match)") { row, stop in
                titles.insert(try row[0])
                stop = titles.count > few
            }
            if titles.count <= few { return titles }
        }
        return nil
    }

    /// The number of travels with these titles, if it is at most `few`.
    private func travels(of titles: Set<Int64>, atMost few: Int, _ db: Connection) throws -> Int? {
        // An estimate by the average avoids counting.
        let average: SQL = "SELECT ifnull(max(key) / (SELECT max(key) FROM title), 0) FROM travel"
        guard titles.count * (try db.fetchOne(Int.self, average) ?? 0) <= few else { return nil }
        let isOne: SQL = "key IN (SELECT value FROM json_each(\(json: titles)))"
        let travels = try db.fetchOne(Int.self, "SELECT ifnull(sum(travels), 0) FROM title WHERE \(isOne)") ?? 0
        return travels <= few ? travels : nil
    }

    /// Selects the travels with these titles.
    func ofTitles(_ titles: Set<Int64>) -> SQL {
        """
        SELECT \(Self.columns) FROM json_each(\(json: titles)) CROSS JOIN travel ON title = value
        WHERE \(filter.condition) AND \(afterCursor) ORDER BY \(order)
        """
    }

    /// Selects the travels with these keys.
    func ofKeys(_ keys: [Int64]) -> SQL {
        """
        SELECT \(Self.columns) FROM travel NOT INDEXED
        WHERE travel.key IN (SELECT value FROM json_each(\(json: keys))) AND \(afterCursor) ORDER BY \(order)
        """
    }

    var order: SQL {
        switch query.criteria.sort {
        case .newest: "travel.created_at DESC, travel.id DESC"
        case .mostLiked: "like_count DESC, travel.created_at DESC, travel.id DESC"
        }
    }

    /// The condition that a travel comes after the cursor.
    var afterCursor: SQL {
        guard let cursor = query.cursor else { return "TRUE" }
        return switch cursor.position {
        case .createdAt(let date):
            "(travel.created_at, travel.id) < (\(date.timeIntervalSinceReferenceDate), \(cursor.id.bytes))"
        case .likeCount(let count, let date):
            """
            (like_count, travel.created_at, travel.id)
                < (\(count), \(date.timeIntervalSinceReferenceDate), \(cursor.id.bytes))
            """
        }
    }
}
