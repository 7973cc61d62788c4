import CSQLite
import Dispatch
import SQLiteStore

extension SQLiteBenchmarks {
    /// Inserts 100,000 rows of 6 columns in one transaction.
    static func insertBatch(_ report: inout Report, _ world: World) async throws {
        let notes = Note.make(report.scaled(100_000))
        let statement = world.c.prepare(Note.insertSQL)
        defer { sqlite3_finalize(statement) }
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
            },
            .part("SQLiteStore, literals") {
                empty(world)
                return try await timed(world) {
                    try await world.standard.write { db in
                        for note in notes { try note.insert(db) }
                    }
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
    static func insertSingles(_ report: inout Report, _ world: World) async throws {
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
        try await report.measure(
            "insertSingles", element: "transaction", count: notes.count,
            column("SQLiteStore", world.standard),
            column("SQLiteStore, inline", world.inline),
            .part("C") {
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
            })
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
