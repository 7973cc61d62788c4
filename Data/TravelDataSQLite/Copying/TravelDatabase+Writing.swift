internal import SQLiteStore
internal import Synchronization
package import TravelDomain

extension TravelDatabase {
    /// Writes records of another store in one transaction, with their versions and times.
    ///
    /// `next` and `check` run on a thread of the database, and may block it. When this throws, or the process ends,
    /// nothing has changed.
    ///
    /// - Parameters:
    ///   - policy: What happens to the content of this database.
    ///   - next: Returns the records one after the other, and then `nil`.
    ///   - check: Called before the commit with a summary of everything that the database holds then, for which
    ///     all of it is read; `nil` to read nothing.
    /// - Throws: `StoreNotEmpty` for a database that has to be empty and is not; `TravelError.conflict` for a
    ///   travel, entry or image that it has already; `TravelError.unavailable` when it cannot answer; the errors of
    ///   `next` and `check`; `CancellationError`.
    package func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws {
        let folder = travels.imageFolder
        // Kept outside of the access, which may fail at any step. One for each batch: a write registers its files once.
        let writes = Mutex<[ImageWrite]>([])
        try await mappingErrors {
            do {
                try await database.write { db in
                    var written: [ImageWrite] = []
                    defer { writes.withLock { $0 = written } }
                    try PartWriter.prepare(policy, &written, db)
                    var batch = PartWriter()
                    while let record = try next() {
                        batch.append(record)
                        if batch.isFull { try batch.write(to: folder, &written, db) }
                    }
                    try batch.write(to: folder, &written, db)
                    if let check {
                        // Of what is stored, not of what was sent.
                        var summary = StoreSummary()
                        try StoreRecords(folder: folder).forEach(db) { summary.add($0) }
                        try check(summary)
                    }
                    for index in written.indices { try folder.prepareCommit(&written[index]) }
                }
            } catch {
                // Files that cannot be removed keep their markers.
                writes.withLock { for write in $0 { try? folder.undo(write) } }
                throw error
            }
            let hasMarked = writes.withLock { writes in
                var hasMarked = false
                for index in writes.indices where writes[index].endMarking() { hasMarked = true }
                return hasMarked
            }
            // Files that cannot be removed now stay for a later sweep.
            if hasMarked { try? await folder.sweep(database) }
        }
    }
}

/// Writes records in batches.
private struct PartWriter {
    private var people: [(user: User, avatar: TravelImage?)] = []
    private var travels: [StoredTravel] = []
    private var blocks: [(author: User.ID, person: User.ID)] = []
    private var imageBytes = 0

    var isFull: Bool {
        people.count + travels.count + blocks.count >= 500 || imageBytes >= 4 * TravelImage.maximumSize
    }

    /// Makes sure that the database is empty, or makes it so.
    static func prepare(_ policy: CopyPolicy, _ writes: inout [ImageWrite], _ db: Connection) throws {
        switch policy {
        case .add: return
        case .requireEmpty:
            let isEmpty: SQL = "SELECT NOT EXISTS (SELECT 1 FROM person) AND NOT EXISTS (SELECT 1 FROM travel)"
            if try db.fetchOne(Bool.self, isEmpty) != true { throw StoreNotEmpty() }
        case .replace:
            var write = ImageWrite()
            try TravelRecord.remove(where: "1", &write, db)
            write.abandon(try AvatarRecord.files("1", db))
            for table in ["avatar", "blocked", "person"] { try db.execute("DELETE FROM \(identifier: table)") }
            writes.append(write)
        }
    }

    mutating func append(_ record: StoreRecord) {
        switch record {
        case .person(let user, let avatar):
            people.append((user, avatar))
            imageBytes += avatar?.bytes.count ?? 0
        case .travel(let travel):
            travels.append(travel)
            imageBytes += travel.images.reduce(0) { $0 + $1.bytes.count }
        case .block(let author, let person): blocks.append((author, person))
        }
    }

    /// Writes what has been appended.
    mutating func write(to folder: ImageFolder, _ writes: inout [ImageWrite], _ db: Connection) throws {
        let images = people.compactMap(\.avatar) + travels.flatMap(\.images)
        writes.append(ImageWrite())
        let last = writes.count - 1
        try folder.add(images, &writes[last])
        for (user, avatar) in people {
            let key = try PersonRecord.save(user, db)
            if let avatar { try AvatarRecord.set(avatar, of: key, &writes[last], db) }
        }
        var new = try NewImages(travels.flatMap(\.images))
        try TravelRecord.add(travels.map(\.recorded), &new, &writes[last], db)
        for travel in travels { try add(likesAndReportsOf: travel, db) }
        for (author, person) in blocks {
            try db.execute(
                """
                INSERT INTO blocked (person, author)
                VALUES (\(try PersonRecord.requireKey(of: person, db)), \(try PersonRecord.requireKey(of: author, db)))
                """)
        }
        self = PartWriter()
    }

    private func add(likesAndReportsOf travel: StoredTravel, _ db: Connection) throws {
        guard !travel.likedBy.isEmpty || !travel.reportedBy.isEmpty,
            let key = try db.fetchOne(Int64.self, "SELECT key FROM travel WHERE id = \(travel.recorded.id.bytes)")
        else { return }
        for person in travel.likedBy { try LikeRecord.insert(key, by: PersonRecord.requireKey(of: person, db), db) }
        for person in travel.reportedBy {
            let person = try PersonRecord.requireKey(of: person, db)
            try db.execute("INSERT INTO reported (travel, person) VALUES (\(key), \(person))")
        }
    }
}
