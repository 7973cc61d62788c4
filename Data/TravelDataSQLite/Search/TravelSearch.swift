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
/// page is full. Where matches are many, that is soon. Where the first thousands show that they are few, the search
/// goes on among the travels that another index knows as candidates, if those are few: by the keyword's grams, or by
/// the kind of trip. So the cost depends on the page, hardly on the number of travels.
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
        var candidates: SQL?
        try db.forEach(walk) { row, isEnough in
            visited += 1
            if visited == effort.patience, let few = try fewCandidates(db, found: found.count) {
                candidates = few
                isEnough = true
            } else {
                try visit(row, db, &found)
                isEnough = found.count > query.limit
            }
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

    /// The travels among which all matches are, in order, if some index knows them to be few; `found` is the number
    /// of matches on the way so far.
    private func fewCandidates(_ db: Connection, found: Int) throws -> SQL? {
        // To read and sort a candidate takes about as long as to visit four travels on the way.
        let visits = found == 0 ? Int.max : effort.patience * (query.limit + 1 - found) / found
        if let grams {
            let few = min(effort.keywordCandidates, visits / 4)
            let count = try db.fetchOne(
                Int.self,
                """
                SELECT count(*) FROM (
                    SELECT 1 FROM title_gram WHERE title_gram MATCH \(grams.match) LIMIT \(few + 1))
                """)
            if let count, count <= few { return withGrams(grams) }
        }
        if let kinds = filter.kindCondition {
            let (list, count) =
                try db.fetchOne("SELECT json_group_array(kind), total(travels) FROM travel_kind_count WHERE \(kinds)") {
                    (try $0[0] as String, try $0[1] as Double)
                } ?? ("[]", 0)
            if count <= Double(min(effort.kindCandidates, visits / 4)) { return ofKinds(list) }
        }
        return nil
    }

    /// The travels whose titles have the grams.
    func withGrams(_ grams: TitleGrams) -> SQL {
        """
        SELECT traits, title_bits, travel.key FROM title_gram CROSS JOIN travel ON travel.key = title_gram.rowid
        WHERE title_gram MATCH \(grams.match) AND \(filter.condition) AND \(afterCursor) ORDER BY \(order)
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
