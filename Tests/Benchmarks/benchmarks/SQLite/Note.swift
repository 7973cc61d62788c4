import CSQLite
import SQLiteStore

/// A row of the writing benchmarks, with 6 columns.
struct Note: Record, Encodable, Sendable {
    static let table = "notes"

    let id: Int
    let author: Int
    let title: String
    let text: String
    let score: Double
    let place: String?

    static let schema = """
        CREATE TABLE notes (
            id INTEGER PRIMARY KEY, author INTEGER NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL,
            score REAL NOT NULL, place TEXT
        )
        """

    static func make(_ count: Int) -> [Note] {
        (1...count).map { id in
            Note(
                id: id, author: id % 97, title: "Note \(id)", text: "A day at the sea, and what came of it: \(id)",
                score: Double(id) / 3, place: id % 3 == 0 ? nil : "Busan")
        }
    }

    @inline(__always)
    func insert(_ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO notes (id, author, title, text, score, place)
            VALUES (\(id), \(author), \(title), \(text), \(score), \(place))
            """)
    }

    static let insertSQL = "INSERT INTO notes (id, author, title, text, score, place) VALUES (?, ?, ?, ?, ?, ?)"

    /// Inserts the note through the C API, with the texts bound in place.
    @inline(__always)
    func insert(_ statement: OpaquePointer) {
        var (title, text, place) = (title, text, place ?? "")
        title.withUTF8 { title in
            text.withUTF8 { text in
                place.withUTF8 { place in
                    sqlite3_bind_int64(statement, 1, Int64(id))
                    sqlite3_bind_int64(statement, 2, Int64(author))
                    bind(title, to: statement, 3)
                    bind(text, to: statement, 4)
                    sqlite3_bind_double(statement, 5, score)
                    if self.place == nil { sqlite3_bind_null(statement, 6) } else { bind(place, to: statement, 6) }
                    check(sqlite3_step(statement))
                    sqlite3_reset(statement)
                }
            }
        }
    }
}

@inline(__always)
private func bind(_ text: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer, _ index: Int32) {
    sqlite3_bind_text(
        statement, index, UnsafeRawPointer(text.baseAddress!).assumingMemoryBound(to: CChar.self), Int32(text.count),
        nil)
}
