#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    public import TravelDomain

    extension PostgreSQLTravelRepository: ImageRepository {
        /// Returns an image of a visible travel, or the picture of a person.
        ///
        /// - Throws: `TravelError.notFound` for an unknown image or that of a hidden travel, and `.unavailable`;
        ///   `CancellationError`.
        public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
            try await database.readTravels { db in
                let avatar = try db.fetchOne(Data.self, "SELECT bytes FROM avatar WHERE id = \(id.rawValue)")
                if let avatar { return try readingValues { try TravelImage(id: id, bytes: avatar) } }
                let select: SQL = """
                    SELECT image.bytes, rank.author, rank.report_count
                    FROM image JOIN travel_rank AS rank ON rank.travel = image.travel WHERE image.id = \(id.rawValue)
                    """
                let row = try db.fetchOne(select) { row in
                    (bytes: try row[0] as Data, author: User.ID(try row[1] as UUID), reports: try row[2] as Int)
                }
                guard let row, try Viewer(viewer).sees(travelBy: row.author, reports: row.reports, db)
                else {
                    throw TravelError.notFound(.image(id))
                }
                return try readingValues { try TravelImage(id: id, bytes: row.bytes) }
            }
        }
    }
#endif
