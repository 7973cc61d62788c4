import CSQLite
import Dispatch
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import SQLiteStore

extension SQLiteBenchmarks {
    /// Inserts 100,000 rows of 6 columns in one transaction: by a statement with parameters, and by literals.
    static func insertBatch(_ report: inout Report, _ world: World) async throws {
        let notes = Note.make(report.scaled(100_000))
        let statement = world.c.prepare(Note.insertSQL)
        defer { sqlite3_finalize(statement) }
        let c = Report.Column.part("C") {
            empty(world)
            return await timed(world) {
                world.c.execute("BEGIN IMMEDIATE")
                for note in notes { note.insert(statement) }
                world.c.execute("COMMIT")
            }
        }
        try await report.measure(
            "insertBatch", element: "row", count: notes.count,
            .part("SQLiteStore") {
                empty(world)
                return try await timed(world) {
                    _ = try await world.standard.write { db in
                        try db.execute(SQL(raw: Note.insertSQL), forEach: notes) { note, values in
                            try values.bind(note.id)
                            try values.bind(note.author)
                            try values.bind(note.title)
                            try values.bind(note.text)
                            try values.bind(note.score)
                            try values.bind(note.place)
                        }
                    }
                }
            }, c)
        try await report.measure(
            "insertByLiteral", element: "row", count: notes.count, goal: 1.2,
            .part("SQLiteStore") {
                empty(world)
                return try await timed(world) {
                    try await world.standard.write { db in
                        for note in notes { try note.insert(db) }
                    }
                }
            }, c)
    }

    /// Inserts 20,000 records by their coding keys in one transaction.
    static func records(_ report: inout Report, _ world: World) async throws {
        let notes = Note.make(report.scaled(20_000))
        let statement = world.c.prepare(Note.insertSQL)
        defer { sqlite3_finalize(statement) }
        try await report.measure(
            "insertRecords", element: "row", count: notes.count, goal: 4,
            .part("SQLiteStore") {
                empty(world)
                return try await timed(world) {
                    try await world.standard.write { db in try db.insert(contentsOf: notes) }
                }
            },
            .part("C") {
                empty(world)
                return await timed(world) {
                    world.c.execute("BEGIN IMMEDIATE")
                    for note in notes { note.insert(statement) }
                    world.c.execute("COMMIT")
                }
            })
    }

    /// Inserts 2,000 rows, each in its own transaction.
    static func singles(_ report: inout Report, _ world: World) async throws {
        let notes = Note.make(report.scaled(2000))
        let statements = ["BEGIN IMMEDIATE", "COMMIT", Note.insertSQL].map(world.c.prepare)
        defer { for statement in statements { sqlite3_finalize(statement) } }
        func column(_ name: String, _ database: Database) -> Report.Column {
            .part(name) {
                empty(world)
                return try await timed(world) {
                    for note in notes { try await database.write { db in try note.insert(db) } }
                }
            }
        }
        let c = Report.Column.part("C") {
            empty(world)
            return await timed(world) {
                for note in notes {
                    sqlite3_step(statements[0])
                    sqlite3_reset(statements[0])
                    note.insert(statements[2])
                    check(sqlite3_step(statements[1]))
                    sqlite3_reset(statements[1])
                }
            }
        }
        try await report.measure(
            "singleAsync", element: "transaction", count: notes.count, goal: 1.2,
            column("SQLiteStore", world.standard), column("SQLiteStore, inline", world.inline), c)
        try await report.measure(
            "singleBlocking", element: "transaction", count: notes.count, goal: 1.1,
            .part("SQLiteStore") {
                empty(world)
                return try await timed(world) { try blockingSingles(world.standard, notes) }
            }, c)
    }

    private static func blockingSingles(_ database: Database, _ notes: [Note]) throws {
        for note in notes { try database.blockingWrite { db in try note.insert(db) } }
    }

    /// Writes a blob of 10 MB and reads it back.
    static func blob(_ report: inout Report, _ world: World) async throws {
        let bytes = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        world.third.execute("CREATE TABLE IF NOT EXISTS blobs (id INTEGER PRIMARY KEY, content BLOB NOT NULL)")
        let insert = world.c.prepare("REPLACE INTO blobs VALUES (1, ?)")
        let select = world.c.prepare("SELECT content FROM blobs WHERE id = 1")
        defer { for statement in [insert, select] { sqlite3_finalize(statement) } }
        func sum(_ data: Data) -> Int { data.count + Int(data[data.count / 3]) }
        func emptied(_ run: @escaping () async throws -> Int) -> () async throws -> Report.Column.Result {
            {
                world.third.execute("DELETE FROM blobs; PRAGMA wal_checkpoint(TRUNCATE)")
                let start = DispatchTime.now().uptimeNanoseconds
                let checksum = try await run()
                let nanoseconds = Double(DispatchTime.now().uptimeNanoseconds - start)
                return Report.Column.Result(checksum: checksum, nanoseconds: nanoseconds)
            }
        }
        try await report.measure(
            "blob10MB", element: "blob", count: 1, goal: 1.05,
            .part(
                "SQLiteStore",
                emptied {
                    try await world.standard.write { db in _ = try db.execute("REPLACE INTO blobs VALUES (1, \(bytes))")
                    }
                    let read = try await world.standard.read { db in
                        try db.fetchOne(Data.self, "SELECT content FROM blobs WHERE id = 1") ?? Data()
                    }
                    return sum(read)
                }),
            .part(
                "C",
                emptied {
                    bytes.withUnsafeBytes { bytes in
                        check(sqlite3_bind_blob64(insert, 1, bytes.baseAddress, UInt64(bytes.count), nil))
                        check(sqlite3_step(insert))
                        sqlite3_reset(insert)
                    }
                    precondition(sqlite3_step(select) == SQLITE_ROW)
                    defer { sqlite3_reset(select) }
                    let count = Int(sqlite3_column_bytes(select, 0))
                    return sum(Data(bytes: sqlite3_column_blob(select, 0), count: count))
                }))
    }

    /// Empties the table and the log before each run, through a third connection, so that the caches of the compared
    /// connections are equally cold.
    private static func empty(_ world: World) {
        world.third.execute("DELETE FROM notes")
        world.third.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Measures only the writes, and returns a checksum of the table afterwards.
    private static func timed(_ world: World, _ body: () async throws -> Void) async rethrows -> Report.Column.Result {
        let start = DispatchTime.now().uptimeNanoseconds
        try await body()
        let nanoseconds = Double(DispatchTime.now().uptimeNanoseconds - start)
        let checksum = world.third.integer(
            """
            SELECT SUM(id + author + length(title) + length(text) + CAST(score AS INTEGER) + length(IFNULL(place, '')))
            FROM notes
            """)
        return Report.Column.Result(checksum: checksum, nanoseconds: nanoseconds)
    }
}
