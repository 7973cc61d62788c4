internal import SQLiteStore
package import TravelDomain

extension TravelDatabase {
    /// Reads everything that the database holds, as one snapshot, and calls `receive` with each record.
    ///
    /// `receive` runs on a thread of the database, and may block it.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer, or an image is missing or damaged; the
    ///   errors of `receive`; `CancellationError`.
    package func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws {
        try await mappingErrors {
            try await database.read { [folder = travels.imageFolder] db in
                // Taken before the first query, which determines the snapshot: no file of it is removed meanwhile.
                let lock = try folder.keepFiles()
                defer { withExtendedLifetime(lock) {} }
                try StoreRecords(folder: folder).forEach(db, receive)
            }
        }
    }
}

/// The content of a travel database in records.
struct StoreRecords {
    let folder: ImageFolder

    /// The number of people or travels that are held in memory at a time.
    private static let batch = 200

    func forEach(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        try forEachPerson(db, receive)
        try forEachTravel(db, receive)
        let blocks = try db.fetchAll(
            """
            SELECT author.id, person.id FROM blocked
            JOIN person AS author ON author.key = blocked.author JOIN person ON person.key = blocked.person
            WHERE \(PersonRecord.isKnown)
            """
        ) { row in (author: try User.ID(row, 0), person: try User.ID(row, 1)) }
        for block in blocks { try receive(.block(author: block.author, by: block.person)) }
    }

    private func forEachPerson(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        var last: User.ID?
        while true {
            let next: SQL = """
                SELECT id FROM person WHERE (\(last?.bytes) IS NULL OR id > \(last?.bytes)) AND \(PersonRecord.isKnown)
                ORDER BY id LIMIT \(Self.batch)
                """
            let people = try PersonRecord.users("person.id IN (\(next))", db)
            for person in people {
                let avatar = try person.avatar.flatMap { try image($0, db) }
                try receive(.person(person, avatar: avatar))
            }
            last = people.last?.id
            if people.isEmpty { return }
        }
    }

    private func forEachTravel(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        var last: Travel.ID?
        while true {
            let next: SQL = """
                SELECT key, id FROM travel
                WHERE \(last?.bytes) IS NULL OR id > \(last?.bytes) ORDER BY id LIMIT \(Self.batch)
                """
            let keys = try db.fetchAll(next) { row in (key: try row[0] as Int64, id: try Travel.ID(row, 1)) }
            let isNext: SQL = "travel.key IN (SELECT value FROM json_each(\(json: keys.map(\.key))))"
            let records = try db.fetchAll(TravelRecord.self, TravelRecord.select(seenBy: nil, where: isNext))
            let travels = Dictionary(uniqueKeysWithValues: records.map { ($0.travel.id, $0.travel) })
            for (key, id) in keys {
                if let travel = travels[id] { try receive(.travel(try stored(travel, key, db))) }
            }
            last = keys.last?.id
            if keys.isEmpty { return }
        }
    }

    private func stored(_ travel: Travel, _ key: Int64, _ db: Connection) throws -> StoredTravel {
        let timeline = try db.fetchAll(EntryRecord.self, EntryRecord.select(of: key)).map(\.entry)
        let track = try TrackRecord.track(of: key, db)
        let recorded = try readingValues {
            try RecordedTravel(
                id: travel.id, author: travel.author, createdAt: travel.createdAt, updatedAt: travel.updatedAt,
                version: travel.version, content: travel.content, timeline: timeline, track: track)
        }
        let images = try recorded.images.map { id in
            guard let image = try image(id, db) else { throw ImageRecord.missing }
            return image
        }
        return StoredTravel(
            recorded, images: images, likedBy: try people("liked", key, db),
            reportedBy: try people("reported", key, db),
            likeCount: travel.likeCount)
    }

    private func people(_ table: String, _ travel: Int64, _ db: Connection) throws -> [User.ID] {
        let select: SQL = """
            SELECT person.id FROM \(identifier: table) AS done JOIN person ON person.key = done.person
            WHERE done.travel = \(travel) AND \(PersonRecord.isKnown)
            """
        return try db.fetchAll(select) { try User.ID($0, 0) }
    }

    /// The image with its bytes; `nil` when another store has them and this one has never seen them.
    private func image(_ id: TravelImage.ID, _ db: Connection) throws -> TravelImage? {
        guard let record = try db.fetchOne(ImageRecord.self, ImageRecord.select(id)) else { return nil }
        guard let bytes = try record.bytes(in: folder) else { throw ImageRecord.missing }
        return try readingValues { try TravelImage(id: id, bytes: bytes) }
    }
}
