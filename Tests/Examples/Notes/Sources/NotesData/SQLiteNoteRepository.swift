import NotesDomain
import SQLiteStore

/// Notes in a SQLite database.
package struct SQLiteNoteRepository: NoteRepository {
    package static let migrations = [
        Migration(
            "notes",
            script: """
                CREATE TABLE notes (
                    id TEXT PRIMARY KEY, title TEXT NOT NULL, text TEXT NOT NULL, changed TEXT NOT NULL,
                    searchText TEXT NOT NULL
                ) STRICT
                """)
    ]

    private let database: Database

    /// - Parameter database: A database that was opened with ``migrations``.
    package init(_ database: Database) {
        self.database = database
    }

    package func note(_ id: Note.ID) async throws -> Note? {
        try await database.read { db in
            try db.fetchOne("SELECT id, title, text, changed FROM notes WHERE id = \(id)", Self.note)
        }
    }

    package func save(_ note: Note) async throws {
        try await database.write { db in
            try db.execute(
                """
                INSERT OR REPLACE INTO notes (id, title, text, changed, searchText)
                VALUES (\(note.id), \(note.title.text), \(note.text), \(note.changed), \(note.searchText))
                """)
        }
    }

    package func delete(_ id: Note.ID) async throws {
        try await database.write { db in try db.execute("DELETE FROM notes WHERE id = \(id)") }
    }

    package func watch(matching words: String) -> any AsyncSequence<[Note], any Error> & Sendable {
        let words = Note.searchText(words)
        return database.observe { db in
            try db.fetchAll(
                """
                SELECT id, title, text, changed FROM notes
                WHERE instr(searchText, \(words)) > 0 ORDER BY changed DESC
                """, Self.note)
        }
    }

    private static func note(_ row: borrowing Row) throws -> Note {
        Note(id: try row[0], title: try Note.Title(row[1]), text: try row[2], changed: try row[3])
    }
}
