import PostgreSQLStore
import PostgreSQLStoreTesting
import Testing

// The example of the article:
nonisolated struct Note: RowDecodable, Equatable, Sendable {
    var id: Int
    var text: String

    init(row: borrowing Row) throws {
        id = try row["id"]
        text = try row["text"]
    }
}

nonisolated func keepNotes(at location: Database.Location) async throws -> (
    texts: [String], count: Int?, first: [Note]?
) {
    let database = try await Database.open(
        location,
        migrations: [Migration("notes", script: "CREATE TABLE notes (id bigint PRIMARY KEY, text text NOT NULL)")])

    try await database.write { db in  // all of it, or nothing; again after a serialization failure
        try db.execute("INSERT INTO notes VALUES (\(1), \("sea"))")  // parameters, not text
        db.notify("notes")
    }
    let (texts, count) = try await database.read { db in
        (
            try db.fetchAll(String.self, "SELECT text FROM notes"),
            try db.fetchOne(Int.self, "SELECT count(*) FROM notes")
        )
    }
    do {
        try await database.write { db in try db.execute("INSERT INTO notes VALUES (1, 'again')") }
    } catch let error as PostgreSQLError where error.code == .uniqueViolation {
        // There is a note with this key: nothing was written.
    }
    var first: [Note]?
    for try await notes in database.observe(["notes"], rows: Note.self, "SELECT id, text FROM notes") {
        first = notes  // now, and after each write that notifies
        break
    }
    await database.close()
    return (texts, count, first)  // ["sea"], 1, and the note
}
// Its results:

@Suite("The ten names of PostgreSQLStore", .enabled(if: PostgreSQLServer.isAvailable, "needs initdb"))
struct TenNamesTests {
    @Test("notes are written, read and observed")
    func example() async throws {
        try await withTemporarySchema { location in
            let notes = try await keepNotes(at: location)
            #expect(notes.texts == ["sea"] && notes.count == 1 && notes.first?.map(\.id) == [1])
        }
    }
}
