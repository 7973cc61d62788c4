import SQLiteStore
import Testing

// The example of the article:
nonisolated struct Note: Record, Codable, Equatable, Sendable {
    static let table = "notes"
    var id: Int
    var text: String
    var stars = 0
}

nonisolated func keepNotes() async throws -> (texts: [String], stars: Int?, first: [String]?) {
    let database = try await Database.open(
        .inMemory,
        migrations: [
            Migration("notes", script: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, stars INTEGER)")
        ])

    try await database.write { db in  // all of it, or nothing
        try db.insert(Note(id: 1, text: "sea"))
        try db.execute("UPDATE notes SET stars = \(5) WHERE text = \("sea")")  // parameters, not text
    }
    let (texts, stars) = try await database.read { db in
        (try db.fetchAll(String.self, "SELECT text FROM notes"), try db.fetchOne(Int.self, "SELECT stars FROM notes"))
    }
    do {
        try await database.write { db in try db.insert(Note(id: 1, text: "again")) }
    } catch let error as SQLiteError where error.code == .constraint {
        // There is a note with this key: nothing was written.
    }
    var first: [String]?
    for try await texts in database.observe(String.self, "SELECT text FROM notes") {  // now, and after each change
        first = texts
        break
    }
    await database.close()
    return (texts, stars, first)  // ["sea"], 5, ["sea"]
}
// Its results:

@Suite("The ten names of SQLiteStore")
struct TenNamesTests {
    @Test("notes are written, read and observed")
    func example() async throws {
        let notes = try await keepNotes()
        #expect(notes.texts == ["sea"] && notes.stars == 5 && notes.first == ["sea"])
    }
}
