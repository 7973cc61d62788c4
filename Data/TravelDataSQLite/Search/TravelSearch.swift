#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// One search for one page.
///
/// The travels are visited in their order, in an index that tells what the filters and the keyword ask for, until the
/// page is full. Where matches are many, that is soon. Where they turn out to be few, the search goes on among
/// candidates, as soon as they are known to be few enough: by the titles that contain the keyword, or by the bitmaps of
/// the filters. So the cost depends on the page, hardly on the number of travels.
struct TravelSearch {
    let query: TravelQuery
    private let viewer: Viewer
    let filter: TraitFilter
    private let keyword: Keyword?
    let grams: TitleGrams?
    let effort: SearchEffort

    init(_ query: TravelQuery, seenBy viewer: Viewer, effort: SearchEffort) {
        self.query = query
        self.viewer = viewer
        self.effort = effort
        filter = TraitFilter(query.criteria)
        keyword = query.criteria.keyword
        grams = keyword.map(TitleGrams.init(in:))
    }

    /// The keys of the page's travels, in order, and one more if the page is not the last.
    func keys(_ db: Connection) throws -> [Int64] {
        var page = Page(titles: try titles(atMost: effort.rareTitles, db))
        if let titles = page.titles, let travels = try travels(of: titles, atMost: effort.rareTravels, db) {
            if travels > effort.fewTravels, query.criteria.sort == .newest {
                // The bitmaps tell which are the newest, so that not all of them need to be read.
                if let keys = try keysAmongMapped(&page, atMost: travels, db) { return keys }
            }
            return try keys(among: ofTitles(titles), &page, db)
        }
        var spent = 0
        var nextLook = effort.patience
        var keys: [Int64]?
        try db.forEach(walk) { row, isEnough in
            if try isMilestone(row) {
                spent += effort.stride
                if spent >= nextLook {
                    nextLook *= 4
                    keys = try keysAmongFew(&page, spent: spent, db)
                    if keys != nil { return isEnough = true }
                }
            }
            spent += try visit(row, &page, db)
            isEnough = page.keys.count > query.limit
        }
        return keys ?? page.keys
    }

    /// The page's keys, found among all travels that may match.
    func keys(among candidates: SQL, _ page: inout Page, _ db: Connection) throws -> [Int64] {
        let found = page.keys
        page.keys = []
        try db.forEach(candidates) { row, isEnough in
            _ = try visit(row, &page, db)
            isEnough = page.keys.count > query.limit
        }
        defer { page.keys = found }
        return page.keys
    }

    /// What was found so far.
    struct Page {
        var keys: [Int64] = []
        /// The titles that may contain the keyword, if they are few enough to be known.
        var titles: Set<Int64>?
        /// Whether the titles looked at so far contain the keyword, by their keys.
        var isMatch: [Int64: Bool] = [:]
    }

    /// Adds the travel of `row` to the page if it matches; returns what that cost.
    private func visit(_ row: borrowing Row, _ page: inout Page, _ db: Connection) throws -> Int {
        guard filter.admits(try row[0]), viewer.sees(travelBy: try row[4], reports: try row[5]) else { return 0 }
        var cost = 0
        if let grams {
            guard (try row[1] as Int64) & grams.bits == grams.bits else { return 0 }
            let title: Int64 = try row[2]
            if let titles = page.titles, !titles.contains(title) { return 0 }
            if page.isMatch[title] == nil {
                page.isMatch[title] = try contains(title, db)
                cost = effort.costOfTitle
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

    /// What a visit reads, all of it in the indexes of both orders.
    private static let columns: SQL = "traits, title_bits, title, travel.key, author, report_count"

    /// Every travel after the cursor that may match, in order, and some others that tell how far the search has got.
    var walk: SQL {
        """
        SELECT \(Self.columns) FROM travel
        WHERE \(afterCursor) AND (\(mayMatch) OR travel.key & \(effort.stride - 1) = 0) ORDER BY \(order)
        """
    }

    private func isMilestone(_ row: borrowing Row) throws -> Bool {
        (try row[3] as Int64) & Int64(effort.stride - 1) == 0
    }

    /// What must hold of a travel in an index to be worth a visit.
    var mayMatch: SQL {
        grams.map { "\(filter.condition) AND title_bits & \($0.bits) = \($0.bits)" } ?? filter.condition
    }

    /// The page's keys, found among candidates, if these are known to be so few that they cost less than to find the rest
    /// of the page on the way, judging by how that went so far.
    private func keysAmongFew(_ page: inout Page, spent: Int, _ db: Connection) throws -> [Int64]? {
        let left = spent * (query.limit + 1 - page.keys.count) / (page.keys.count + 1)
        guard left > effort.costOfLook else { return nil }
        let few = left / effort.costOfCandidate
        page.titles = try page.titles ?? titles(atMost: spent / effort.costOfTitleKey, db)
        let titled = try page.titles.flatMap { try travels(of: $0, atMost: few, db) }
        if let keys = try keysAmongMapped(&page, atMost: titled ?? few, db) { return keys }
        guard titled != nil, let titles = page.titles else { return nil }
        return try keys(among: ofTitles(titles), &page, db)
    }

    /// The titles that contain the keyword, and perhaps a few others, if there are at most `few`, as one gram can tell.
    private func titles(atMost few: Int, _ db: Connection) throws -> Set<Int64>? {
        guard let grams else { return nil }
        for token in grams.tokens {
            var titles: Set<Int64> = []
            let match = TitleGrams.match([token])
            try db.forEach("SELECT rowid FROM title_gram WHERE title_gram MATCH \(match)") { row, isEnough in
                titles.insert(try row[0])
                isEnough = titles.count > few
            }
            if titles.count <= few { return titles }
        }
        return nil
    }

    /// How many travels have these titles, if that is at most `few`.
    private func travels(of titles: Set<Int64>, atMost few: Int, _ db: Connection) throws -> Int? {
        // As many as others have, most likely: then there is no need to count.
        let average: SQL = "SELECT ifnull(max(key) / (SELECT max(key) FROM title), 0) FROM travel"
        guard titles.count * (try db.fetchOne(Int.self, average) ?? 0) <= few else { return nil }
        let isOne: SQL = "key IN (SELECT value FROM json_each(\(json: titles)))"
        let travels = try db.fetchOne(Int.self, "SELECT ifnull(sum(travels), 0) FROM title WHERE \(isOne)") ?? 0
        return travels <= few ? travels : nil
    }

    /// The travels with these titles.
    func ofTitles(_ titles: Set<Int64>) -> SQL {
        """
        SELECT \(Self.columns) FROM json_each(\(json: titles)) CROSS JOIN travel ON title = value
        WHERE \(filter.condition) AND \(afterCursor) ORDER BY \(order)
        """
    }

    /// The travels with these keys.
    func ofKeys(_ keys: [Int64]) -> SQL {
        """
        SELECT \(Self.columns) FROM travel NOT INDEXED
        WHERE travel.key IN (SELECT value FROM json_each(\(json: keys))) AND \(afterCursor) ORDER BY \(order)
        """
    }

    private var order: SQL {
        switch query.criteria.sort {
        case .newest: "created_at DESC, travel.id DESC"
        case .mostLiked: "like_count DESC, created_at DESC, travel.id DESC"
        }
    }

    private var afterCursor: SQL {
        guard let cursor = query.cursor else { return "TRUE" }
        return switch cursor.position {
        case .createdAt(let date):
            "(created_at, travel.id) < (\(date.timeIntervalSinceReferenceDate), \(cursor.id.bytes))"
        case .likeCount(let count, let date):
            """
            (like_count, created_at, travel.id) < (\(count), \(date.timeIntervalSinceReferenceDate), \(cursor.id.bytes))
            """
        }
    }
}
