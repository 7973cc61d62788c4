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
    private let filter: TraitFilter
    private let keyword: Keyword?
    private let grams: TitleGrams?
    private let effort: SearchEffort

    init(_ query: TravelQuery, effort: SearchEffort) {
        self.query = query
        self.effort = effort
        filter = TraitFilter(query.criteria)
        keyword = query.criteria.keyword
        grams = keyword.map(TitleGrams.init(in:))
    }

    /// The keys of the page's travels, in order, and one more if the page is not the last.
    func keys(_ db: Connection) throws -> [Int64] {
        var found: [Int64] = []
        var visited = 0
        var nextLook = effort.patience
        var candidates: SQL?
        var kinds: Kinds?
        try db.forEach(walk) { row, isEnough in
            if visited == nextLook {
                nextLook *= 4
                candidates = try fewCandidates(visited: visited, found: found.count, &kinds, db)
            }
            guard candidates == nil else { return isEnough = true }
            visited += 1
            try visit(row, db, &found)
            isEnough = found.count > query.limit
        }
        guard let candidates else { return found }
        found = []
        try db.forEach(candidates) { row, isEnough in
            try visit(row, db, &found)
            isEnough = found.count > query.limit
        }
        return found
    }

    private func visit(_ row: borrowing Row, _ db: Connection, _ found: inout [Int64]) throws {
        guard filter.admits(try row[0]) else { return }
        let key: Int64 = try row[2]
        if let grams, let keyword {
            guard (try row[1] as Int64) & grams.bits == grams.bits else { return }
            let title = try db.fetchOne(String.self, "SELECT title FROM travel WHERE key = \(key)")
            guard let title, keyword.matches(folded: Keyword.folded(title)) else { return }
        }
        found.append(key)
    }

    /// Every travel after the cursor, in order.
    var walk: SQL {
        "SELECT traits, title_bits, travel.key FROM travel WHERE \(afterCursor) ORDER BY \(order)"
    }

    /// The travels among which all matches are, in order, if some index knows them to be few enough: fewer than were
    /// visited in vain, and than it would take to find the rest of the page on the way.
    private func fewCandidates(visited: Int, found: Int, _ kinds: inout Kinds?, _ db: Connection) throws -> SQL? {
        let visitsLeft = found == 0 ? Int.max : visited * (query.limit + 1 - found) / found
        let few = min(visited * effort.candidatesPerVisit, visitsLeft / max(effort.costOfCandidate, 1))
        guard visitsLeft >= effort.costOfLooking else { return nil }
        if let grams, let token = try rareToken(in: grams, few, db) { return withToken(token) }
        guard let condition = filter.kindCondition else { return nil }
        let known = try kinds ?? Kinds(condition, db)
        kinds = known
        return known.travels <= few ? ofKinds(known.list) : nil
    }

    /// A token that few titles have. Each is looked for among its share of `few`: looking reads as many entries of the
    /// full-text table.
    private func rareToken(in grams: TitleGrams, _ few: Int, _ db: Connection) throws -> String? {
        let share = few / grams.tokens.count
        return try grams.tokens.first { token in
            let count = try db.fetchOne(
                Int.self,
                """
                SELECT count(*) FROM (
                    SELECT 1 FROM title_gram WHERE title_gram MATCH \(TitleGrams.match(token)) LIMIT \(share + 1))
                """)
            return (count ?? 0) <= share
        }
    }

    /// The kinds of trips that meet a condition, as a JSON array, and how many travels are of them.
    private struct Kinds {
        let list: String
        let travels: Int

        init(_ condition: SQL, _ db: Connection) throws {
            let counted = try db.fetchOne(
                "SELECT json_group_array(kind), ifnull(sum(travels), 0) FROM travel_kind_count WHERE \(condition)"
            ) { (try $0[0] as String, try $0[1] as Int) }
            (list, travels) = counted ?? ("[]", 0)
        }
    }

    /// The travels whose titles have `token`.
    func withToken(_ token: String) -> SQL {
        """
        SELECT traits, title_bits, travel.key FROM title_gram CROSS JOIN travel ON travel.key = title_gram.rowid
        WHERE title_gram MATCH \(TitleGrams.match(token)) AND \(filter.condition) AND \(afterCursor) ORDER BY \(order)
        """
    }

    /// The travels of the kinds in a JSON array.
    func ofKinds(_ kinds: String) -> SQL {
        """
        SELECT traits, title_bits, travel.key FROM json_each(\(kinds)) CROSS JOIN travel ON kind = value
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
