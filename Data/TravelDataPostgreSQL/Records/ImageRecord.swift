#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDomain

    /// A row of `image`.
    enum ImageRecord {
        /// Inserts images, whose IDs no other image may have.
        static func insert(_ images: [TravelImage], travel: Travel.ID, _ db: Connection) throws {
            try AvatarRecord.requireNone(images, db)
            for image in images {
                try unique(.image(image.id)) {
                    try db.execute(
                        """
                        INSERT INTO image (id, travel, bytes)
                        VALUES (\(image.id.rawValue), \(travel.rawValue), \(image.bytes))
                        """)
                }
            }
        }
    }
#endif
