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
/// an index in the order of the page, and takes the travels that are matches, until the page is full. If there are so few
/// matches that this would take long, it reads and sorts all of them instead.
struct TravelSearch {
    let query: TravelQuery
    private let viewer: Viewer
    private let effort: SearchEffort

    init(_ query: TravelQuery, seenBy viewer: Viewer, effort: SearchEffort) {
        self.query = query
        self.viewer = viewer
        self.effort = effort
    }

    /// The keys of the page's travels in order, and one more if the page is not the last.
    func keys(_ db: Connection) throws -> [Int64] {
        guard let people = try People(query.criteria, db) else { return [] }
        let order = Order(query.criteria, people)
        var matches = try Matches(query.criteria, likedBy: order.contains(people.liker) ? nil : people.liker, db)
        var page: [Int64] = []
        var sorted: SQL?
        var visited = 0
        try db.forEach(walk(order)) { row, stop in
            visited += 1
            if visited == effort.patience, order.isOfAll, let few = try matches.few(for: query.limit + 1, effort, db) {
                sorted = select(few)
                return stop = true
            }
            let key: Int64 = try row[0]
            if try matches.contains(key, db), try isShown(key, db) { page.append(key) }
            stop = page.count > query.limit
        }
        guard let sorted else { return page }
        page = []
        try db.forEach(sorted) { row, stop in
            let key: Int64 = try row[0]
            if try isShown(key, db) { page.append(key) }
            stop = page.count > query.limit
        }
        return page
    }

    /// Whether the viewer sees the travel, and its title contains the keyword.
    private func isShown(_ key: Int64, _ db: Connection) throws -> Bool {
        try db.fetchOne("SELECT author, report_count, title FROM travel WHERE key = \(key)") { row in
            guard try viewer.sees(travelBy: row[0], reports: row[1], db) else { return false }
            guard let keyword = query.criteria.keyword else { return true }
            return keyword.matches(folded: Keyword.folded(try row[2]))
        } ?? false
    }

    /// What to walk.
    enum Order {
        case all
        case author(Int64)
        case likes(Int64)

        /// Chooses the fewest travels of which the order is indexed.
        ///
        /// The likes of a person are indexed by the time of recording. Their order by number of likes would have to be
        /// updated for everyone who likes a travel with each like.
        init(_ criteria: TravelCriteria, _ people: People) {
            if let author = people.author {
                self = .author(author)
            } else if let liker = people.liker, criteria.sort == .newest, TravelSets.groups(criteria).isEmpty {
                self = .likes(liker)
            } else {
                self = .all
            }
        }

        /// Whether the order is that of all travels, not only those of a person.
        var isOfAll: Bool { if case .all = self { true } else { false } }

        /// Whether the order has only travels that this person likes.
        func contains(_ liker: Int64?) -> Bool { if case .likes(let person) = self { person == liker } else { false } }
    }

    /// Selects the travels after the cursor in the order of the page.
    func walk(_ order: Order) -> SQL {
        let isNewest = query.criteria.sort == .newest
        return switch order {
        case .all where isNewest: select(from: "travel INDEXED BY travel_newest", "TRUE")
        case .all: select(from: "travel INDEXED BY travel_most_liked", "TRUE")
        case .author(let author) where isNewest:
            select(from: "travel INDEXED BY travel_author_newest", "author = \(author)")
        case .author(let author): select(from: "travel INDEXED BY travel_author_most_liked", "author = \(author)")
        case .likes(let person): ofLikes(by: person)
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

    private func ofLikes(by person: Int64) -> SQL {
        let isAfter: SQL =
            if case .createdAt(let date)? = query.cursor?.position {
                // The index begins at the time of the cursor; `afterCursor` then compares the IDs.
                "liked.created_at <= \(date.timeIntervalSinceReferenceDate)"
            } else {
                "TRUE"
            }
        return """
            SELECT travel.key FROM liked INDEXED BY liked_newest CROSS JOIN travel ON travel.key = liked.travel
            WHERE liked.person = \(person) AND \(isAfter) AND \(afterCursor)
            ORDER BY liked.created_at DESC, travel.id DESC
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
