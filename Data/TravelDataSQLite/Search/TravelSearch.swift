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
            return Array(try inOrder(newestLikes(of: liker, db), db).prefix(query.limit + 1))
        }
        var matches = try Matches(query.criteria, likedBy: people.liker, db)
        let needed = query.limit + 1
        var patience = effort.patience
        if people.author != nil {
            // The travels of one author are walked to the end.
            patience = .max
        } else if effort.estimates, try matches.seemRare(needed, among: patience, db) {
            patience = 0
        }
        var (page, few): ([Int64], [Int64]?) = ([], nil)
        try db.forEach(walk(by: people.author)) { row, stop in
            if patience == 0 { few = try matches.few(for: needed, effort, db) }
            guard few == nil else { return stop = true }
            patience -= 1
            let key: Int64 = try row[0]
            if try matches.contains(key, db), try isShown(key, db) { page.append(key) }
            stop = page.count == needed
        }
        return try few.map { try shown(inOrder($0, db), atMost: needed, db) } ?? page
    }

    /// The first of these travels that the viewer sees and whose titles contain the keyword.
    private func shown(_ keys: [Int64], atMost count: Int, _ db: Connection) throws -> [Int64] {
        var shown: [Int64] = []
        for key in keys where shown.count < count {
            if try isShown(key, db) { shown.append(key) }
        }
        return shown
    }

    /// The travels with these keys that come after the cursor, in the order of the page.
    private func inOrder(_ keys: [Int64], _ db: Connection) throws -> [Int64] {
        var travels: [(likes: Int, createdAt: Double, id: Travel.ID, key: Int64)] = []
        travels.reserveCapacity(keys.count)
        try db.forEach(select(keys)) { row in
            let likes = query.criteria.sort == .mostLiked ? try row[0] : 0
            travels.append((likes, try row[1], try Travel.ID(row, 2), try row[3]))
        }
        // Faster than in SQLite, which compares records.
        return travels.sorted { ($0.likes, $0.createdAt, $0.id) > ($1.likes, $1.createdAt, $1.id) }.map(\.key)
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

    private func select(from table: SQL, _ condition: SQL) -> SQL {
        let order: SQL =
            switch query.criteria.sort {
            case .newest: "travel.created_at DESC, travel.id DESC"
            case .mostLiked: "like_count DESC, travel.created_at DESC, travel.id DESC"
            }
        return "SELECT travel.key FROM \(table) WHERE \(condition) AND \(afterCursor) ORDER BY \(order)"
    }

    /// Selects the travels with these keys that come after the cursor, in any order.
    func select(_ keys: [Int64]) -> SQL {
        """
        SELECT like_count, travel.created_at, travel.id, travel.key
        FROM json_each(\(json: keys)) CROSS JOIN travel ON travel.key = value WHERE \(afterCursor)
        """
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
