#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// Searches for the travels of an author, and for those that a person likes.
///
/// Both are ranges of an index, so that a page begins at its cursor and the cost does not depend on the number of
/// travels in the database. There is one exception: the order of a person's likes by number of likes would have to be
/// updated for everyone who likes a travel with each like. It is instead the sorted list of their likes if these are few,
/// or else the order of all travels, in which these are then frequent.
extension TravelSearch {
    /// The page's keys, if the criteria name an author or someone who likes the travels.
    func keysOfPeople(_ db: Connection) throws -> [Int64]? {
        let criteria = query.criteria
        guard criteria.author != nil || criteria.likedBy != nil else { return nil }
        let (author, person) = (try key(criteria.author, db), try key(criteria.likedBy, db))
        // An unknown person has recorded and likes nothing.
        guard author != .unknown, person != .unknown else { return [] }
        var page = PartialPage()
        return try keys(among: candidates(author, person, db), &page, db)
    }

    /// A person whom the criteria name.
    private enum Person: Equatable {
        case any, unknown
        case known(Int64)
    }

    private func key(_ id: User.ID?, _ db: Connection) throws -> Person {
        guard let id else { return .any }
        return try PersonRecord.key(of: id, db).map { .known($0) } ?? .unknown
    }

    private func candidates(_ author: Person, _ person: Person, _ db: Connection) throws -> SQL {
        switch (author, person) {
        case (.known(let author), .known(let person)): ofAuthor(author, likedBy: person)
        case (.known(let author), _): ofAuthor(author)
        case (_, .known(let person)) where query.criteria.sort == .newest: ofLikes(by: person)
        case (_, .known(let person)):
            try hasFewLikes(person, db) ? sortedLikes(of: person) : mostLiked(likedBy: person)
        default: preconditionFailure("the criteria name no person")
        }
    }

    /// Selects the travels of an author, in order.
    func ofAuthor(_ author: Int64, likedBy person: Int64? = nil) -> SQL {
        let index: SQL = query.criteria.sort == .newest ? "travel_author_newest" : "travel_author_most_liked"
        return """
            SELECT \(Self.columns) FROM travel INDEXED BY \(index)
            WHERE author = \(author) AND \(afterCursor) AND \(mayMatch) AND \(person.map(isLiked) ?? "TRUE")
            ORDER BY \(order)
            """
    }

    /// Selects the travels that a person likes, the newest first.
    func ofLikes(by person: Int64) -> SQL {
        let isAfter: SQL =
            if case .createdAt(let date)? = query.cursor?.position {
                // The index begins at the time of the cursor; `afterCursor` then compares the IDs.
                "liked.created_at <= \(date.timeIntervalSinceReferenceDate)"
            } else {
                "TRUE"
            }
        return """
            SELECT \(Self.columns) FROM liked INDEXED BY liked_newest CROSS JOIN travel ON travel.key = liked.travel
            WHERE liked.person = \(person) AND \(isAfter) AND \(afterCursor) AND \(mayMatch)
            ORDER BY liked.created_at DESC, travel.id DESC
            """
    }

    /// Selects the travels that a person likes, the most liked first, by sorting them.
    func sortedLikes(of person: Int64) -> SQL {
        """
        SELECT \(Self.columns) FROM liked INDEXED BY liked_newest CROSS JOIN travel ON travel.key = liked.travel
        WHERE liked.person = \(person) AND \(afterCursor) AND \(mayMatch) ORDER BY \(order)
        """
    }

    /// Selects the travels that a person likes, the most liked first, from all travels in this order.
    func mostLiked(likedBy person: Int64) -> SQL {
        """
        SELECT \(Self.columns) FROM travel INDEXED BY travel_most_liked
        WHERE \(afterCursor) AND \(mayMatch) AND \(isLiked(by: person)) ORDER BY \(order)
        """
    }

    private func isLiked(by person: Int64) -> SQL {
        "EXISTS (SELECT 1 FROM liked WHERE liked.travel = travel.key AND liked.person = \(person))"
    }

    /// Whether sorting the likes of a person costs less than finding them among all travels.
    private func hasFewLikes(_ person: Int64, _ db: Connection) throws -> Bool {
        let few = costs.fewLikes
        let likes: SQL = "SELECT 1 FROM liked WHERE person = \(person) LIMIT \(few + 1)"
        return try db.fetchOne(Bool.self, "SELECT count(*) <= \(few) FROM (\(likes))") ?? true
    }
}
