internal import SQLiteStore
public import TravelDomain

/// Recent keywords kept in a SQLite file, as ``TravelDatabase`` opens it.
public struct SQLiteRecentKeywordRepository: RecentKeywordRepository {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The recent keywords.
    public func recentKeywords() async throws -> RecentKeywords {
        try await database.readTravels { db in try Self.recentKeywords(db) }
    }

    /// Changes the recent keywords, in one transaction.
    public func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws {
        try await database.writeTravels { db in
            var recent = try Self.recentKeywords(db)
            change(&recent)
            try db.execute("DELETE FROM recent_keyword")
            for (position, keyword) in recent.keywords.enumerated() {
                try db.execute("INSERT INTO recent_keyword (position, text) VALUES (\(position), \(keyword.text))")
            }
        }
    }

    private static func recentKeywords(_ db: Connection) throws -> RecentKeywords {
        let texts = try db.fetchAll(String.self, "SELECT text FROM recent_keyword ORDER BY position")
        return RecentKeywords(texts.compactMap { Keyword($0) })
    }
}
