#if PostgreSQL
import CPostgreSQL
import Dispatch
import Foundation
import PostgreSQLStore

extension PostgreSQLBenchmarks {
    /// Eight clients fetch rows by key, each on a connection of its own, in accesses of their own.
    static func clients(_ report: inout Report, _ world: World) async throws {
        let count = report.scaled(2000)
        let connections = (0..<8).map { _ in world.c.another() }
        for c in connections { c.prepare("place", "SELECT * FROM places WHERE id = $1") }
        func column(_ name: String, _ accesses: Int) -> Report.Column {
            .whole(name) {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for client in 0..<8 {
                        group.addTask {
                            var sum = 0
                            for access in 0..<accesses {
                                let range = access * count / accesses..<(access + 1) * count / accesses
                                sum += try await world.database.writeWithoutTransaction { db in
                                    try range.reduce(0) { try $0 + fetch(Place.key($1 + client), db) }
                                }
                            }
                            return sum
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
        }
        try await report.measure(
            "clients8", element: "fetch", count: 8 * count, column("PostgreSQLStore, accesses", count),
            column("PostgreSQLStore", 1),
            .whole("C") {
                await withCheckedContinuation { continuation in
                    let (group, sums) = (DispatchGroup(), Sums())
                    for (client, c) in connections.enumerated() {
                        group.enter()
                        Thread.detachNewThread {
                            var sum = 0
                            for index in 0..<count { sum += fetch(Place.key(index + client), c) }
                            sums.add(sum)
                            group.leave()
                        }
                    }
                    group.notify(queue: .global()) { continuation.resume(returning: sums.sum) }
                }
            })
    }

    private final class Sums: @unchecked Sendable {
        private let lock = NSLock()
        private(set) var sum = 0

        func add(_ number: Int) { lock.withLock { sum += number } }
    }

    /// From the beginning of a write to the value of an observer.
    static func commitToObserver(_ report: inout Report, _ world: World) async throws {
        let count = report.scaled(1000)
        let (c, listener, reader) = (world.c, world.c.another(), world.c.another())
        listener.execute("LISTEN points")
        for connection in [c, reader] { connection.execute("TRUNCATE points") }
        try await report.measure(
            "commitToObserver", element: "commit", count: count,
            .whole("PostgreSQLStore") {
                try await world.database.writeWithoutTransaction { db in try db.executeScript("TRUNCATE points") }
                var values = world.database.observe(["points"]) { db in
                    try db.fetchOne(Int.self, "SELECT COUNT(*) FROM points") ?? 0
                }.makeAsyncIterator()
                var last = try await values.next() ?? 0
                for index in 0..<count {
                    try await world.database.write(isolation: .readCommitted) { db in
                        try db.execute("INSERT INTO points (id) VALUES (\(index))")
                        db.notify("points")
                    }
                    while last <= index { last = try await values.next() ?? 0 }
                }
                return last
            },
            .whole("C") {
                c.execute("TRUNCATE points")
                var last = 0
                for index in 0..<count {
                    c.execute("BEGIN")
                    c.execute("INSERT INTO points (id) VALUES (\(index))")
                    c.execute("SELECT pg_notify('points', 'points')")
                    c.execute("COMMIT")
                    while PQnotifies(listener.handle).map({ PQfreemem($0) }) == nil {
                        var descriptor = pollfd(fd: PQsocket(listener.handle), events: Int16(POLLIN), revents: 0)
                        poll(&descriptor, 1, -1)
                        PQconsumeInput(listener.handle)
                    }
                    let result = PQexec(reader.handle, "SELECT COUNT(*) FROM points")
                    last = Int(String(cString: PQgetvalue(result, 0, 0))) ?? 0
                    PQclear(result)
                }
                return last
            })
    }
}
#endif
