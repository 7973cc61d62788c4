import CSQLite
import Dispatch
import SQLiteStore

extension SQLiteBenchmarks {
    /// From the beginning of a write to its value at an observer on another thread, one write at a time.
    static func observeLatency(_ report: inout Report, _ world: World) async throws {
        let rounds = 1000
        let notes = Note.make(rounds)
        let c = CObserver(path: world.path)
        defer { c.stop() }
        func column(_ name: String, _ database: Database) -> Report.Column {
            .part(name) {
                try await database.write { db in try db.execute("DELETE FROM notes") }
                let observation = database.observe { db in
                    try db.fetchOne(Int.self, "SELECT COALESCE(MAX(id), 0) FROM notes")
                }
                let (arrivals, arrived) = AsyncStream.makeStream(of: (id: Int, time: UInt64).self)
                let observer = Task.detached {
                    for try await id in observation {
                        arrived.yield((id ?? 0, DispatchTime.now().uptimeNanoseconds))
                    }
                }
                var iterator = arrivals.makeAsyncIterator()
                _ = await iterator.next()
                var total: UInt64 = 0
                for note in notes {
                    let start = DispatchTime.now().uptimeNanoseconds
                    try await database.write { db in try note.insert(db) }
                    while let arrival = await iterator.next() {
                        guard arrival.id == note.id else { continue }
                        total += arrival.time - start
                        break
                    }
                }
                observer.cancel()
                return Double(total)
            }
        }
        let statements = ["BEGIN IMMEDIATE", "COMMIT", Note.insertSQL].map(world.c.prepare)
        defer { for statement in statements { sqlite3_finalize(statement) } }
        try await report.measure(
            "observeLatency", element: "write", count: rounds,
            column("SQLiteStore", world.inline),
            column("SQLiteStore, threads", world.threads),
            .part("C") {
                world.c.execute("DELETE FROM notes")
                var total: UInt64 = 0
                for note in notes {
                    let start = DispatchTime.now().uptimeNanoseconds
                    sqlite3_step(statements[0])
                    sqlite3_reset(statements[0])
                    note.insert(statements[2])
                    check(sqlite3_step(statements[1]))
                    sqlite3_reset(statements[1])
                    total += c.observe(note.id) - start
                }
                return Double(total)
            })
    }
}

/// A thread that waits for a signal, fetches, and notes the time.
///
/// `@unchecked Sendable`: what is mutable is written by one side before it signals and read by the other after it waited.
private final class CObserver: @unchecked Sendable {
    private let changed = DispatchSemaphore(value: 0)
    private let seen = DispatchSemaphore(value: 0)
    private var expected = 0
    private var time: UInt64 = 0

    init(path: String) {
        let connection = CConnection(path: path, readOnly: true)
        DispatchQueue(label: "observer").async { [self] in
            let statement = connection.prepare("SELECT COALESCE(MAX(id), 0) FROM notes")
            while true {
                changed.wait()
                if expected < 0 { break }
                sqlite3_step(statement)
                precondition(sqlite3_column_int64(statement, 0) == Int64(expected))
                sqlite3_reset(statement)
                time = DispatchTime.now().uptimeNanoseconds
                seen.signal()
            }
            sqlite3_finalize(statement)
        }
    }

    /// When the observer had fetched `id`.
    func observe(_ id: Int) -> UInt64 {
        expected = id
        changed.signal()
        seen.wait()
        return time
    }

    func stop() {
        expected = -1
        changed.signal()
    }
}
