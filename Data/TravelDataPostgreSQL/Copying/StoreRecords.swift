#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDomain

    /// The content of a travel database in records.
    enum StoreRecords {
        /// The number of people, travels or blocks that are held in memory at a time.
        private static let batch = 500

        /// Calls `receive` with each record: people, travels and blocks.
        static func forEach(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
            // Travels are read together with these rows.
            let isIncomplete = try db.fetchOne(
                Bool.self,
                """
                SELECT EXISTS (
                    SELECT FROM travel LEFT JOIN travel_rank AS rank ON rank.travel = travel.id WHERE rank.travel IS NULL)
                """)
            if isIncomplete != false {
                throw TravelError.unavailable(
                    .init("A travel is incomplete: restore a backup.", cause: .damaged, canRetry: false))
            }
            try forEachPerson(db, receive)
            try forEachTravel(db) { record, stored in
                let images = try stored.recorded.images.map { id in
                    try image(
                        id,
                        "SELECT bytes FROM image WHERE id = \(id.rawValue) AND travel = \(record.travel.id.rawValue)",
                        db)
                }
                try receive(
                    .travel(
                        StoredTravel(
                            stored.recorded, images: images, likedBy: stored.likedBy, reportedBy: stored.reportedBy,
                            likeCount: stored.likeCount)))
            }
            let blocks = try db.fetchAll("SELECT author, person FROM blocked") { row in
                (author: User.ID(try row[0] as UUID), person: User.ID(try row[1] as UUID))
            }
            for block in blocks { try receive(.block(author: block.author, by: block.person)) }
        }

        private static func forEachPerson(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
            var last = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            var isFirst = true
            while true {
                let isNext: SQL = isFirst ? "person.id >= \(last)" : "person.id > \(last)"
                let people = try db.fetchAll(
                    "\(PersonRecord.select) WHERE \(isNext) ORDER BY person.id LIMIT \(batch)", PersonRecord.user)
                for person in people {
                    let avatar = try person.avatar.map { id in
                        try image(id, "SELECT bytes FROM avatar WHERE id = \(id.rawValue)", db)
                    }
                    try receive(.person(person, avatar: avatar))
                }
                guard let end = people.last?.id.rawValue else { return }
                (last, isFirst) = (end, false)
            }
        }

        /// Calls `receive` with each travel, without images, in the order of their IDs.
        static func forEachTravel(
            _ db: Connection, _ receive: (TravelRecord, StoredTravel) throws -> Void
        ) throws {
            var last = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            var isFirst = true
            while true {
                let isNext: SQL = isFirst ? "id >= \(last)" : "id > \(last)"
                let ids = try db.fetchAll(
                    UUID.self, "SELECT id FROM travel WHERE \(isNext) ORDER BY id LIMIT \(batch)")
                guard let end = ids.last else { return }
                let records = try db.fetchAll(
                    TravelRecord.self,
                    "\(TravelRecord.select(seenBy: nil)) WHERE travel.id = ANY(\(ids)) ORDER BY travel.id")
                let timelines = try timelines(of: ids, db)
                let tracks = try TrackRecord.tracks(of: ids, db)
                let likes = try people("liked", ids, db)
                let reports = try people("reported", ids, db)
                for record in records {
                    let travel = record.travel
                    let recorded = try readingValues {
                        try RecordedTravel(
                            id: travel.id, author: travel.author, createdAt: travel.createdAt,
                            updatedAt: travel.updatedAt, version: travel.version, content: travel.content,
                            timeline: timelines[travel.id] ?? [], track: tracks[travel.id])
                    }
                    try receive(
                        record,
                        StoredTravel(
                            recorded, likedBy: likes[travel.id] ?? [], reportedBy: reports[travel.id] ?? [],
                            likeCount: travel.likeCount))
                }
                (last, isFirst) = (end, false)
            }
        }

        private static func timelines(of travels: [UUID], _ db: Connection) throws -> [Travel.ID: [TimelineEntry]] {
            let select: SQL = """
                SELECT id, day, minutes, title, text, place_name, place_address, latitude, longitude, image, travel
                FROM entry WHERE travel = ANY(\(travels))
                """
            let entries = try db.fetchAll(select) { row in
                (travel: Travel.ID(try row[10] as UUID), entry: try EntryRecord(row: row).entry)
            }
            return Dictionary(grouping: entries, by: \.travel).mapValues { $0.map(\.entry) }
        }

        private static func people(_ table: String, _ travels: [UUID], _ db: Connection) throws
            -> [Travel.ID: [User.ID]]
        {
            let rows = try db.fetchAll(
                "SELECT travel, person FROM \(identifier: table) WHERE travel = ANY(\(travels))"
            ) { row in (travel: Travel.ID(try row[0] as UUID), person: User.ID(try row[1] as UUID)) }
            return Dictionary(grouping: rows, by: \.travel).mapValues { $0.map(\.person) }
        }

        private static func image(_ id: TravelImage.ID, _ select: SQL, _ db: Connection) throws -> TravelImage {
            guard let bytes = try db.fetchOne(Data.self, select) else {
                throw TravelError.unavailable(
                    .init("An image is missing: restore a backup.", cause: .damaged, canRetry: false))
            }
            return try readingValues { try TravelImage(id: id, bytes: bytes) }
        }
    }
#endif
