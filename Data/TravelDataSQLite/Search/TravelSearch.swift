#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// A search for one page.
///
/// The filters and the keyword determine the *matches*: the intersection of stored sets (``RowSets``). The search walks
/// an index in the order of the page, and takes the travels that are matches, until the page is full. If there are so
/// few matches that this would take long, it reads and sorts all of them instead.
struct TravelSearch {
    let query: TravelQuery
    let viewer: Viewer
    let effort: SearchEffort

    /// The keys of the page's travels in order, and one more if the page is not the last.
    func keys(_ db: Connection) throws -> [Int64] {
        guard let people = try People(query.criteria, db) else { return [] }
        if let liker = people.liker, people.author == nil, query.criteria.sort == .newest {
            return try page(select(newestLikes(of: liker, db)), db) { _ in true }
        }
        var matches = try Matches(query.criteria, likedBy: people.liker, db)
        var few: [Int64]?
        var visited = 0
        let page = try page(walk(by: people.author), db) { key in
            visited += 1
            if visited == effort.patience, people.author == nil {
                few = try matches.few(for: query.limit + 1, effort, db)
                if few != nil { return nil }
            }
            return try matches.contains(key, db) && isShown(key, db)
        }
        return try few.map { try self.page(select($0), db) { try isShown($0, db) } } ?? page
    }

    /// The first of the selected travels that belong to the page; `nil` ends the page.
    private func page(_ select: SQL, _ db: Connection, where belongs: (Int64) throws -> Bool?) throws -> [Int64] {
        var page: [Int64] = []
        try db.forEach(select) { row, stop in
            let key: Int64 = try row[0]
            guard let belongs = try belongs(key) else { return stop = true }
            if belongs { page.append(key) }
            stop = page.count > query.limit
        }
        return page
    }

    /// The matches of the page among the travels that a person likes, and all that were recorded at the same time as
    /// the last or as the travel of the cursor: the index does not order those.
    private func newestLikes(of person: Int64, _ db: Connection) throws -> [Int64] {
        var matches = try Matches(query.criteria, likedBy: nil, db)
        var start = Double.infinity
        if case .createdAt(let date)? = query.cursor?.position { start = date.timeIntervalSinceReferenceDate }
        var (keys, count, last): ([Int64], Int, Double) = ([], 0, start)
        try db.forEach(likes(of: person, from: start)) { row, stop in
            let (key, time): (Int64, Double) = (try row[0], try row[1])
            stop = count > query.limit && time < last
            guard !stop, try matches.contains(key, db), try isShown(key, db) else { return }
            keys.append(key)
            last = time
            if time < start { count += 1 }
        }
        return keys
    }

    /// Selects the travels that a person likes, recorded at that time or before.
    func likes(of person: Int64, from time: Double) -> SQL {
        """
        SELECT travel, created_at FROM liked INDEXED BY liked_newest
        WHERE person = \(person) AND created_at <= \(time) ORDER BY created_at DESC
        """
    }

    /// Whether the viewer sees the travel, and its title contains the keyword.
    private func isShown(_ key: Int64, _ db: Connection) throws -> Bool {
        try db.fetchOne("SELECT author, report_count, title FROM travel WHERE key = \(key)") { row in
            guard try viewer.sees(travelBy: row[0], reports: row[1], db) else { return false }
            guard let keyword = query.criteria.keyword else { return true }
            return keyword.matches(folded: Keyword.folded(try row[2]))
        } ?? false
    }

    /// Selects the travels after the cursor in the order of the page; with `author`, only theirs.
    func walk(by author: Int64? = nil) -> SQL {
        switch (author, query.criteria.sort) {
        case (nil, .newest): select(from: "travel INDEXED BY travel_newest", "TRUE")
        case (nil, .mostLiked): select(from: "travel INDEXED BY travel_most_liked", "TRUE")
        case (let author, .newest): select(from: "travel INDEXED BY travel_author_newest", "author = \(author)")
        case (let author, .mostLiked): select(from: "travel INDEXED BY travel_author_most_liked", "author = \(author)")
        }
    }

    /// Selects the travels with these keys that come after the cursor, in order.
    func select(_ keys: [Int64]) -> SQL {
        select(from: "travel NOT INDEXED", "key IN (SELECT value FROM json_each(\(json: keys)))")
    }

    private func select(from table: SQL, _ condition: SQL) -> SQL {
        let order: SQL =
            switch query.criteria.sort {
            case .newest: "travel.created_at DESC, travel.id DESC"
            case .mostLiked: "like_count DESC, travel.created_at DESC, travel.id DESC"
            }
        return "SELECT travel.key FROM \(table) WHERE \(condition) AND \(afterCursor) ORDER BY \(order)"
    }

    /// The condition that a travel comes after the cursor.
    private var afterCursor: SQL {
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
