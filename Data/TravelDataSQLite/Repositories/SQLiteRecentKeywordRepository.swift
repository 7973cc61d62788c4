internal import SQLiteStore
public import TravelDomain

/// Stores recent keywords in the SQLite file of a ``DeviceDatabase`` or a ``TravelDatabase``.
public struct SQLiteRecentKeywordRepository: RecentKeywordRepository {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    public func recentKeywords() async throws -> RecentKeywords {
        try await database.readMappingErrors { db in try Self.recentKeywords(db) }
    }

    public func updateRecentKeywords(_ change: @escaping @Sendable (inout RecentKeywords) -> Void) async throws {
        try await database.writeMappingErrors { db in
            var recent = try Self.recentKeywords(db)
            change(&recent)
            try Self.replace(with: recent, db)
        }
    }

    static func replace(with recent: RecentKeywords, _ db: Connection) throws {
        try db.execute("DELETE FROM recent_keyword")
        for (position, keyword) in recent.keywords.enumerated() {
            try db.execute("INSERT INTO recent_keyword (position, text) VALUES (\(position), \(keyword.text))")
        }
    }

    static func recentKeywords(_ db: Connection) throws -> RecentKeywords {
        let texts = try db.fetchAll(String.self, "SELECT text FROM recent_keyword ORDER BY position")
        return RecentKeywords(texts.compactMap { Keyword($0) })
    }
}
