#if PostgreSQL
    internal import PostgreSQLStore
    import TravelDomain

    /// A row of `avatar`: the picture of a person.
    enum AvatarRecord {
        /// Stores the picture of a person, or removes it.
        ///
        /// - Throws: `TravelError.conflict` when a travel or someone else has the image.
        static func set(_ image: TravelImage?, of person: User.ID, _ db: Connection) throws {
            let id = person.rawValue
            guard let image else {
                return _ = try db.execute("DELETE FROM avatar WHERE person = \(id)")
            }
            let isOfTravel = try db.fetchOne(
                Bool.self, "SELECT EXISTS (SELECT 1 FROM image WHERE id = \(image.id.rawValue))")
            guard isOfTravel == false else { throw TravelError.conflict(.image(image.id)) }
            // A repeat keeps the stored picture.
            try db.execute("DELETE FROM avatar WHERE person = \(id) AND id <> \(image.id.rawValue)")
            try db.execute(
                """
                INSERT INTO avatar (id, person, bytes) VALUES (\(image.id.rawValue), \(id), \(image.bytes))
                ON CONFLICT DO NOTHING
                """)
            let holder = try db.fetchOne(
                Bool.self, "SELECT EXISTS (SELECT 1 FROM avatar WHERE id = \(image.id.rawValue) AND person = \(id))")
            guard holder == true else { throw TravelError.conflict(.image(image.id)) }
        }

        /// Checks that no person has one of the images.
        static func requireNone(_ images: [TravelImage], _ db: Connection) throws {
            guard !images.isEmpty else { return }
            let ids = images.map(\.id.rawValue)
            let taken = try db.fetchOne("SELECT id FROM avatar WHERE id = ANY(\(ids)) ORDER BY id LIMIT 1") { row in
                TravelImage.ID(try row[0])
            }
            if let taken { throw TravelError.conflict(.image(taken)) }
        }
    }
#endif
