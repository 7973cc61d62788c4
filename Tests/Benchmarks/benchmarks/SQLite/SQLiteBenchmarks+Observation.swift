import CSQLite
import Dispatch
import SQLiteStore
import Synchronization

extension SQLiteBenchmarks {
    /// Measures the time from the beginning of a write to its value at an observer on another thread, one write at a
    /// time.
    static func observeLatency(_ report: inout Report, _ world: World) async throws {
        let rounds = report.scaled(1000)
        let notes = Note.make(rounds)
        let c = CObserver(path: world.path)
        defer { c.stop() }
        func column(_ name: String, _ database: Database) -> Report.Column {
            .part(name) {
                try await database.write { db in try db.execute("DELETE FROM notes") }
                let observation = database.observe { db in
                    try db.fetchOne(Int.self, "SELECT COALESCE(MAX(id), 0) FROM notes")
                }
                let arrivals = Arrivals()
                let observer = Task.detached {
                    for try await id in observation {
                        arrivals.send((id ?? 0, DispatchTime.now().uptimeNanoseconds))
                    }
                }
                _ = await arrivals.next()
                // On the main actor, each wait would end by way of another thread, which competes with the observer's.
                let writer = Task.detached {
                    var (total, checksum) = (0 as UInt64, 0)
                    for note in notes {
                        let start = DispatchTime.now().uptimeNanoseconds
                        try await database.write { db in try note.insert(db) }
                        var arrival = await arrivals.next()
                        while arrival.id != note.id { arrival = await arrivals.next() }
                        total += arrival.time - start
                        checksum += arrival.id
                    }
                    return Report.Column.Result(checksum: checksum, nanoseconds: Double(total))
                }
                defer { observer.cancel() }
                return try await writer.value
            }
        }
        let statements = ["BEGIN IMMEDIATE", "COMMIT", Note.insertSQL].map(world.c.prepare)
        defer { for statement in statements { sqlite3_finalize(statement) } }
        try await report.measure(
            "observeLatency", element: "write", count: rounds, goal: 2,
            column("SQLiteStore", world.standard),
            column("SQLiteStore, inline", world.inline),
            .part("C") {
                world.c.execute("DELETE FROM notes")
                var (total, checksum) = (0 as UInt64, 0)
                for note in notes {
                    let start = DispatchTime.now().uptimeNanoseconds
                    sqlite3_step(statements[0])
                    sqlite3_reset(statements[0])
                    note.insert(statements[2])
                    check(sqlite3_step(statements[1]))
                    sqlite3_reset(statements[1])
                    let arrival = c.observe(note.id)
                    total += arrival.time - start
                    checksum += arrival.id
                }
                return Report.Column.Result(checksum: checksum, nanoseconds: Double(total))
            })
    }
}

/// Passes arrivals to the measuring task. To wait for an element of an `AsyncStream`, the task would change threads while
/// the observer fetches.
private final class Arrivals: Sendable {
    typealias Arrival = (id: Int, time: UInt64)

    private let state = Mutex<(arrived: [Arrival], waiter: UnsafeContinuation<Arrival, Never>?)>(([], nil))

    func send(_ arrival: Arrival) {
        let waiter = state.withLock { state in
            if state.waiter == nil { state.arrived.append(arrival) }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: arrival)
    }

    func next() async -> Arrival {
        await withUnsafeContinuation { waiter in
            let arrival = state.withLock { state -> Arrival? in
                if state.arrived.isEmpty { state.waiter = waiter }
                return state.arrived.isEmpty ? nil : state.arrived.removeFirst()
            }
            if let arrival { waiter.resume(returning: arrival) }
        }
    }
}

/// A thread that waits for a signal, fetches, and records the time.
///
/// `@unchecked Sendable`: one thread writes mutable state before it signals, and the other reads it after waiting.
private final class CObserver: @unchecked Sendable {
    private let changed = DispatchSemaphore(value: 0)
    private let seen = DispatchSemaphore(value: 0)
    private var expected = 0
    private var arrival: (id: Int, time: UInt64) = (0, 0)

    init(path: String) {
        let connection = CConnection(path: path, readOnly: true)
        DispatchQueue(label: "observer").async { [self] in
            let statement = connection.prepare("SELECT COALESCE(MAX(id), 0) FROM notes")
            while true {
                changed.wait()
                if expected < 0 { break }
                sqlite3_step(statement)
                let id = Int(sqlite3_column_int64(statement, 0))
                precondition(id == expected)
                sqlite3_reset(statement)
                arrival = (id, DispatchTime.now().uptimeNanoseconds)
                seen.signal()
            }
            sqlite3_finalize(statement)
        }
    }

    /// Returns the value that the observer fetched after the write of `id`, and the time.
    func observe(_ id: Int) -> (id: Int, time: UInt64) {
        expected = id
        changed.signal()
        seen.wait()
        return arrival
    }

    func stop() {
        expected = -1
        changed.signal()
    }
}
