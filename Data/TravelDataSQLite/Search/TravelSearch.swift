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
/// candidates, as soon as another index knows them to be few enough: by the grams of the keyword, or by the kind of
/// trip. So the cost depends on the page, hardly on the number of travels.
struct TravelSearch {
    private let query: TravelQuery
    private let viewer: Viewer
    private let filter: TraitFilter
    private let keyword: Keyword?
    private let grams: TitleGrams?
    private let effort: SearchEffort

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
        var page = Page()
        var visited = 0
        var nextLook = effort.patience
        var candidates: SQL?
        var groups = Groups()
        try db.forEach(walk) { row, isEnough in
            if visited == nextLook {
                nextLook *= 4
                candidates = try fewCandidates(visited: visited, found: page.keys.count, &groups, db)
            }
            guard candidates == nil else { return isEnough = true }
            visited += 1
            try visit(row, &page, db)
            isEnough = page.keys.count > query.limit
        }
        guard let candidates else { return page.keys }
        page.keys = []
        try db.forEach(candidates) { row, isEnough in
            try visit(row, &page, db)
            isEnough = page.keys.count > query.limit
        }
        return page.keys
    }

    /// What was found so far.
    private struct Page {
        var keys: [Int64] = []
        /// Whether the titles looked at so far contain the keyword, by their keys.
        var isMatch: [Int64: Bool] = [:]
    }

    private func visit(_ row: borrowing Row, _ page: inout Page, _ db: Connection) throws {
        guard filter.admits(try row[0]), viewer.sees(travelBy: try row[4], reports: try row[5]) else { return }
        if let grams {
            guard (try row[1] as Int64) & grams.bits == grams.bits else { return }
            let title: Int64 = try row[2]
            let isMatch = try page.isMatch[title] ?? contains(title, db)
            page.isMatch[title] = isMatch
            guard isMatch else { return }
        }
        page.keys.append(try row[3])
    }

    private func contains(_ title: Int64, _ db: Connection) throws -> Bool {
        let text = try db.fetchOne(String.self, "SELECT text FROM title WHERE key = \(title)")
        return text.flatMap { keyword?.matches(folded: Keyword.folded($0)) } ?? false
    }

    /// What a visit reads, all of it in the indexes of both orders.
    private static let columns: SQL = "traits, title_bits, title, travel.key, author, report_count"

    /// Every travel after the cursor, in order.
    var walk: SQL {
        "SELECT \(Self.columns) FROM travel WHERE \(afterCursor) ORDER BY \(order)"
    }

    /// The travels among which all matches are, in order, if some index knows them to be few enough: fewer than were
    /// visited in vain, and than it would take to find the rest of the page on the way.
    private func fewCandidates(visited: Int, found: Int, _ groups: inout Groups, _ db: Connection) throws -> SQL? {
        let visitsLeft = found == 0 ? Int.max : visited * (query.limit + 1 - found) / found
        let few = min(visited * effort.candidatesPerVisit, visitsLeft / max(effort.costOfCandidate, 1))
        guard visitsLeft >= effort.costOfLooking else { return nil }
        groups.titles = try groups.titles ?? titles(atMost: few, db)
        if let titles = groups.titles, titles.travels <= few { return ofTitles(titles.keys) }
        groups.kinds = try groups.kinds ?? kinds(db)
        if let kinds = groups.kinds, kinds.travels <= few { return ofKinds(kinds.keys) }
        return nil
    }

    /// The groups that all matches belong to, once they are known.
    private struct Groups {
        var titles: Group?
        var kinds: Group?
    }

    /// Titles or kinds of trips, as a JSON array of their keys, and how many travels have them.
    private struct Group {
        let keys: String
        let travels: Int
    }

    /// The titles that contain the keyword, if they are easily found: if few titles have one of its grams.
    ///
    /// The cost is bounded: each gram is looked for among its share of the titles that are worth as much as `few`
    /// candidates.
    private func titles(atMost few: Int, _ db: Connection) throws -> Group? {
        guard let keyword, let grams else { return nil }
        let share = few / effort.candidatesPerTitle / grams.tokens.count
        let rare = try grams.tokens.first { token in
            let count: SQL =
                "SELECT 1 FROM title_gram WHERE title_gram MATCH \(TitleGrams.match([token])) LIMIT \(share + 1)"
            return try db.fetchOne(Int.self, "SELECT count(*) FROM (\(count))") ?? 0 <= share
        }
        guard let rare else { return nil }
        var keys: [String] = []
        var travels = 0
        try db.forEach(
            """
            SELECT key, text, travels FROM title_gram CROSS JOIN title ON key = title_gram.rowid
            WHERE title_gram MATCH \(TitleGrams.match([rare]))
            """
        ) { row in
            guard keyword.matches(folded: Keyword.folded(try row[1])) else { return }
            keys.append(String(try row[0] as Int64))
            travels += try row[2]
        }
        return Group(keys: "[\(keys.joined(separator: ","))]", travels: travels)
    }

    /// The kinds of trips that meet the filters, if these say anything about the kind.
    private func kinds(_ db: Connection) throws -> Group? {
        guard let condition = filter.kindCondition else { return nil }
        return try db.fetchOne(
            "SELECT json_group_array(kind), ifnull(sum(travels), 0) FROM travel_kind_count WHERE \(condition)"
        ) { Group(keys: try $0[0], travels: try $0[1]) }
    }

    /// The travels with the titles in a JSON array.
    func ofTitles(_ titles: String) -> SQL {
        """
        SELECT \(Self.columns) FROM json_each(\(titles)) CROSS JOIN travel ON title = value
        WHERE \(filter.condition) AND \(afterCursor) ORDER BY \(order)
        """
    }

    /// The travels of the kinds in a JSON array.
    func ofKinds(_ kinds: String) -> SQL {
        """
        SELECT \(Self.columns) FROM json_each(\(kinds)) CROSS JOIN travel ON kind = value
        WHERE \(filter.condition) AND \(afterCursor) ORDER BY \(order)
        """
    }

    private var order: SQL {
        switch query.criteria.sort {
        case .newest: "created_at DESC, travel.id DESC"
        case .mostLiked: "like_count DESC, travel.id DESC"
        }
    }

    private var afterCursor: SQL {
        guard let cursor = query.cursor else { return "TRUE" }
        return switch cursor.position {
        case .createdAt(let date):
            "(created_at, travel.id) < (\(date.timeIntervalSinceReferenceDate), \(cursor.id.bytes))"
        case .likeCount(let count): "(like_count, travel.id) < (\(count), \(cursor.id.bytes))"
        }
    }
}
