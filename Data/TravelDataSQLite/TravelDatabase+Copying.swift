internal import SQLiteStore
package import TravelDataShared
import TravelDomain

extension TravelDatabase: CopiedStore {
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
        ) { row in (author: try row[0] as User.ID, person: try row[1] as User.ID) }
        for block in blocks { try receive(.block(author: block.author, by: block.person)) }
    }

    private func forEachPerson(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        var last: User.ID?
        while true {
            let next: SQL = """
                SELECT id FROM person WHERE (\(last) IS NULL OR id > \(last)) AND \(PersonRecord.isKnown)
                ORDER BY id LIMIT \(Self.batch)
                """
            let people = try PersonRecord.users("person.id IN (\(next))", db)
            let passwords = try AccountRecord.passwords("person.id IN (\(next))", db)
            for person in people {
                let avatar = try person.avatar.flatMap { try image($0, db) }
                try receive(.person(person, avatar: avatar, password: passwords[person.id]))
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
                WHERE \(last) IS NULL OR id > \(last) ORDER BY id LIMIT \(Self.batch)
                """
            let keys = try db.fetchAll(next) { row in (key: try row[0] as Int64, id: try row[1] as Travel.ID) }
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
        let details = try TravelRecord.details(of: travel, key, db)
        let recorded = try readingValues { try details.recorded }
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
        return try db.fetchAll(select) { try $0[0] }
    }

    /// The image with its bytes; `nil` when another store has them and this one has never seen them.
    private func image(_ id: TravelImage.ID, _ db: Connection) throws -> TravelImage? {
        guard let record = try db.fetchOne(ImageRecord.self, ImageRecord.select(id)) else { return nil }
        guard let bytes = try record.bytes(in: folder) else { throw ImageRecord.missing }
        return try readingValues { try TravelImage(id: id, bytes: bytes) }
    }
}

extension TravelDatabase {
    package func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws {
        let folder = travels.imageFolder
        try await travels.write { _, write, db in
            try prepare(policy, &write, db)
            try RecordBatch.forEach(of: next, limit: 500) { try $0.write(to: folder, &write, db) }
            guard let check else { return }
            // Of what is stored, not of what was sent.
            var summary = StoreSummary()
            try StoreRecords(folder: folder).forEach(db) { summary.add($0) }
            try check(summary)
        }
    }

    /// Makes sure that the database is empty, or makes it so.
    private func prepare(_ policy: CopyPolicy, _ write: inout ImageWrite, _ db: Connection) throws {
        switch policy {
        case .add: return
        case .requireEmpty:
            let isEmpty: SQL = "SELECT NOT EXISTS (SELECT 1 FROM person) AND NOT EXISTS (SELECT 1 FROM travel)"
            if try db.fetchOne(Bool.self, isEmpty) != true { throw StoreNotEmpty() }
        case .replace:
            try TravelRecord.remove(where: "1", &write, db)
            write.abandon(try AvatarRecord.files("1", db))
            for table in ["avatar", "blocked", "person"] { try db.execute("DELETE FROM \(identifier: table)") }
        }
    }
}

extension RecordBatch {
    fileprivate func write(to folder: ImageFolder, _ write: inout ImageWrite, _ db: Connection) throws {
        try folder.add(people.compactMap(\.avatar) + travels.flatMap(\.images), &write)
        for (user, avatar, password) in people {
            let key = try PersonRecord.save(user, db)
            if let avatar { try AvatarRecord.set(avatar, of: key, &write, db) }
            if let password { try AccountRecord.insert(password, of: key, db) }
        }
        var new = try NewImages(travels.flatMap(\.images))
        try TravelRecord.add(travels.map(\.recorded), &new, &write, db)
        for travel in travels { try add(likesAndReportsOf: travel, db) }
        for (author, person) in blocks {
            try db.execute(
                """
                INSERT INTO blocked (person, author)
                VALUES (\(try PersonRecord.requireKey(of: person, db)), \(try PersonRecord.requireKey(of: author, db)))
                """)
        }
    }

    private func add(likesAndReportsOf travel: StoredTravel, _ db: Connection) throws {
        guard !travel.likedBy.isEmpty || !travel.reportedBy.isEmpty,
            let key = try db.fetchOne(Int64.self, "SELECT key FROM travel WHERE id = \(travel.recorded.id)")
        else { return }
        for person in travel.likedBy { try LikeRecord.insert(key, by: PersonRecord.requireKey(of: person, db), db) }
        for person in travel.reportedBy {
            let person = try PersonRecord.requireKey(of: person, db)
            try db.execute("INSERT INTO reported (travel, person) VALUES (\(key), \(person))")
        }
    }
}
