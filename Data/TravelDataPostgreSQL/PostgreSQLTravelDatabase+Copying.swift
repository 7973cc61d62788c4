#if PostgreSQL
internal import PostgreSQLStore
package import TravelDataShared
import TravelDomain

extension PostgreSQLTravelDatabase: CopiedStore {
    package func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws {
        try await database.readLong { db in try StoreRecords.forEach(db, receive) }
    }

    package func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws {
        // The locks keep writers out, so that the transaction cannot fail to be serialized after all its work.
        try await database.writeLong(isolation: .readCommitted) { db in
            try db.execute("LOCK TABLE person, travel IN EXCLUSIVE MODE")
            try prepare(policy, db)
            try RecordBatch.forEach(of: next, limit: 1_000) { try $0.write(policy, db) }
            if let check {
                // Of what is stored, not of what was sent.
                var summary = StoreSummary()
                try StoreRecords.forEach(db) { summary.add($0) }
                try check(summary)
            }
        }
    }

    /// Makes sure that the database is empty, or makes it so.
    private func prepare(_ policy: CopyPolicy, _ db: Connection) throws {
        switch policy {
        case .add: return
        case .requireEmpty:
            let isUsed = try db.fetchOne(
                Bool.self, "SELECT EXISTS (SELECT FROM person) OR EXISTS (SELECT FROM travel)")
            if isUsed != false { throw StoreNotEmpty() }
        case .replace:
            for table in ["travel", "blocked", "avatar", "person"] {
                try db.execute("DELETE FROM \(identifier: table)")
            }
        }
    }
}

extension RecordBatch {
    fileprivate func write(_ policy: CopyPolicy, _ db: Connection) throws {
        for (user, avatar, password) in people {
            try PersonRecord.save(policy == .add ? withFreeNickname(user, db) : user, db)
            if let avatar { try AvatarRecord.set(avatar, of: user.id, db) }
            if let password { try AccountRecord.insert(password, of: user.id, db) }
        }
        var new = try NewImages(travels.flatMap(\.images))
        try TravelRecord.load(travels.map(\.recorded), likedBy: travels.map(\.likedBy), db)
        for travel in travels where !travel.recorded.images.isEmpty {
            try ImageRecord.insert(new.take(for: travel.recorded), travel: travel.recorded.id, db)
        }
        try addReports(db)
        try db.copy(into: "blocked", columns: ["person", "author"], blocks) { block, values in
            try values.bind(block.person, block.author)
        }
    }

    /// The person, with a number behind the nickname if someone else has it.
    private func withFreeNickname(_ user: User, _ db: Connection) throws -> User {
        var nickname = user.nickname
        var number = 1
        while try PersonRecord.holder(of: nickname, except: user.id, db) != nil {
            number += 1
            let name = user.nickname.text.prefix(Nickname.length.upperBound - "\(number)".count)
            nickname = try Nickname("\(name)\(number)")
        }
        return User(id: user.id, nickname: nickname, avatar: user.avatar)
    }

    private func addReports(_ db: Connection) throws {
        let rows = travels.flatMap { (travel: StoredTravel) -> [(Travel.ID, User.ID)] in
            travel.reportedBy.map { (travel.recorded.id, $0) }
        }
        try db.copy(into: "reported", columns: ["travel", "person"], rows) { row, values in
            try values.bind(row.0, row.1)
        }
        try db.execute(
            "UPDATE travel_rank SET report_count = $2 WHERE travel = $1",
            forEach: travels.filter { !$0.reportedBy.isEmpty }
        ) { travel, values in
            try values.bind(travel.recorded.id, travel.reportedBy.count)
        }
    }
}

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
                    "SELECT bytes FROM image WHERE id = \(id) AND travel = \(record.travel.id)",
                    db)
            }
            try receive(
                .travel(
                    StoredTravel(
                        stored.recorded, images: images, likedBy: stored.likedBy, reportedBy: stored.reportedBy,
                        likeCount: stored.likeCount)))
        }
        let blocks = try db.fetchAll("SELECT author, person FROM blocked") { row in
            (author: try row[0] as User.ID, person: try row[1] as User.ID)
        }
        for block in blocks { try receive(.block(author: block.author, by: block.person)) }
    }

    private static func forEachPerson(_ db: Connection, _ receive: (StoreRecord) throws -> Void) throws {
        var last: User.ID?
        while true {
            let isNext: SQL = last.map { "person.id > \($0)" } ?? "true"
            let people = try db.fetchAll(
                "\(PersonRecord.select) WHERE \(isNext) ORDER BY person.id LIMIT \(batch)", PersonRecord.user)
            let passwords = try AccountRecord.passwords("person.id = ANY(\(people.map(\.id)))", db)
            for person in people {
                let avatar = try person.avatar.map { id in
                    try image(id, "SELECT bytes FROM avatar WHERE id = \(id)", db)
                }
                try receive(.person(person, avatar: avatar, password: passwords[person.id]))
            }
            guard let end = people.last?.id else { return }
            last = end
        }
    }

    /// Calls `receive` with each travel, without images, in the order of their IDs.
    static func forEachTravel(
        _ db: Connection, _ receive: (TravelRecord, StoredTravel) throws -> Void
    ) throws {
        var last: Travel.ID?
        while true {
            let isNext: SQL = last.map { "id > \($0)" } ?? "true"
            let ids = try db.fetchAll(
                Travel.ID.self, "SELECT id FROM travel WHERE \(isNext) ORDER BY id LIMIT \(batch)")
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
                    try TravelDetails(
                        travel: travel, timeline: timelines[travel.id] ?? [], track: tracks[travel.id]
                    ).recorded
                }
                try receive(
                    record,
                    StoredTravel(
                        recorded, likedBy: likes[travel.id] ?? [], reportedBy: reports[travel.id] ?? [],
                        likeCount: travel.likeCount))
            }
            last = end
        }
    }

    private static func timelines(of travels: [Travel.ID], _ db: Connection) throws -> [Travel.ID: [TimelineEntry]] {
        let select: SQL = """
            SELECT id, day, minutes, title, text, place_name, place_address, latitude, longitude, image, travel
            FROM entry WHERE travel = ANY(\(travels))
            """
        let entries = try db.fetchAll(select) { row in
            (travel: try row[10] as Travel.ID, entry: try EntryRecord(row: row).entry)
        }
        return Dictionary(grouping: entries, by: \.travel).mapValues { $0.map(\.entry) }
    }

    private static func people(_ table: String, _ travels: [Travel.ID], _ db: Connection) throws
        -> [Travel.ID: [User.ID]]
    {
        let rows = try db.fetchAll(
            "SELECT travel, person FROM \(identifier: table) WHERE travel = ANY(\(travels))"
        ) { row in (travel: try row[0] as Travel.ID, person: try row[1] as User.ID) }
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
