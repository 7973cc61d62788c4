#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    public import TravelDomain

    extension PostgreSQLTravelRepository: ModerationRepository {
        /// Reports a travel once.
        ///
        /// - Throws: `TravelError.notFound`, `.forbidden` for the author, and `.unavailable`; `CancellationError`.
        @discardableResult
        public func report(_ id: Travel.ID, by user: User.ID) async throws -> Bool {
            try await database.writeTravels { db in
                let author = try requireVisible(id, viewer: user, db)
                try PersonRecord.require(user, db)
                guard author != user else { throw TravelError.forbidden(.travel(id)) }
                let insert: SQL = """
                    INSERT INTO reported (travel, person) VALUES (\(id.rawValue), \(user.rawValue)) ON CONFLICT DO NOTHING
                    """
                guard try db.execute(insert) == 1 else { return false }
                try db.execute(
                    "UPDATE travel_rank SET report_count = report_count + 1 WHERE travel = \(id.rawValue)")
                return true
            }
        }

        /// Hides the travels of an author from a person.
        ///
        /// - Throws: `TravelError.notFound`, `.forbidden` for oneself, and `.unavailable`; `CancellationError`.
        @discardableResult
        public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
            try await database.writeTravels { db in
                try PersonRecord.require(author, db)
                try PersonRecord.require(user, db)
                guard author != user else { throw TravelError.forbidden(.user(author)) }
                let insert: SQL = """
                    INSERT INTO blocked (person, author) VALUES (\(user.rawValue), \(author.rawValue))
                    ON CONFLICT DO NOTHING
                    """
                return try db.execute(insert) == 1
            }
        }

        /// Shows the travels of an author again.
        ///
        /// - Throws: `TravelError.unavailable`; `CancellationError`.
        public func unblock(_ author: User.ID, by user: User.ID) async throws {
            try await database.writeTravels { db in
                _ = try db.execute(
                    "DELETE FROM blocked WHERE person = \(user.rawValue) AND author = \(author.rawValue)")
            }
        }

        /// Returns whom a person blocks, by ID.
        ///
        /// - Throws: `TravelError.unavailable`; `CancellationError`.
        public func blocked(by user: User.ID) async throws -> [User] {
            try await database.readTravels { db in
                try db.fetchAll(
                    """
                    \(PersonRecord.select) JOIN blocked ON blocked.author = person.id
                    WHERE blocked.person = \(user.rawValue) ORDER BY person.id
                    """, PersonRecord.user)
            }
        }
    }
#endif
