import CSQLite
import Foundation
import SQLiteStore
import Synchronization

extension SQLiteBenchmarks {
    /// Four concurrent readers fetch pages of 20 rows, every page in its own read.
    static func readers(_ report: inout Report, _ world: World) async throws {
        let pages = report.scaled(5000)
        func column(_ name: String, _ database: Database) -> Report.Column {
            .whole(name) {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for reader in 0..<4 {
                        group.addTask {
                            var sum = 0
                            for index in 0..<pages {
                                let first = key(index + reader * 1000)
                                let page = try await database.read { db in
                                    try db.fetchAll(
                                        Order.self, "SELECT * FROM orders WHERE id >= \(first) ORDER BY id LIMIT 20")
                                }
                                for order in page { sum += checksum(order) }
                            }
                            return sum
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
        }
        let connections = (0..<4).map { _ in CConnection(path: world.path, readOnly: true) }
        try await report.measure(
            "fourReaders", element: "read", count: pages * 4, goal: 1.5,
            column("SQLiteStore", world.standard),
            column("SQLiteStore, inline", world.inline),
            .whole("C") {
                let total = Mutex(0)
                DispatchQueue.concurrentPerform(iterations: 4) { reader in
                    let statement = connections[reader].prepare(
                        "SELECT * FROM orders WHERE id >= ? ORDER BY id LIMIT 20")
                    var sum = 0
                    for index in 0..<pages {
                        sqlite3_bind_int64(statement, 1, Int64(key(index + reader * 1000)))
                        var page: [Order] = []
                        while sqlite3_step(statement) == SQLITE_ROW { page.append(Order(statement: statement)) }
                        sqlite3_reset(statement)
                        for order in page { sum += checksum(order) }
                    }
                    sqlite3_finalize(statement)
                    total.withLock { $0 += sum }
                }
                return total.withLock { $0 }
            })
    }

    /// 16 tasks fetch orders by key, and change a note every tenth time. C does the same on a thread for each processor,
    /// where nothing else waits for the processor, and on 16 threads, with a lock around its writer.
    static func mixed(_ report: inout Report, _ world: World) async throws {
        let (tasks, count, noteCount) = (16, report.scaled(3000), 1000)
        world.third.execute("DELETE FROM notes")
        try await world.standard.write { db in
            for note in Note.make(noteCount) { try note.insert(db) }
        }
        let waits = Mutex<[String: [Double]]>([:])
        /// Adds the 99th percentile of the times of a run.
        func note(_ times: [UInt64], of name: String) {
            let percentile = Double(times.sorted()[times.count * 99 / 100])
            waits.withLock { $0[name, default: []].append(percentile) }
        }
        func column(_ name: String, _ database: Database) -> Report.Column {
            .whole(name) {
                let (sum, times) = try await withThrowingTaskGroup(of: (Int, [UInt64]).self) { group in
                    for task in 0..<tasks {
                        group.addTask { try await mixed(database, task * 1000, count, noteCount) }
                    }
                    return try await group.reduce(into: (0, [UInt64]())) {
                        $0.0 += $1.0
                        $0.1 += $1.1
                    }
                }
                note(times, of: name)
                return sum
            }
        }
        let readers = (0..<tasks).map { _ in CConnection(path: world.path, readOnly: true) }
        let writer = Mutex(world.c)
        func c(
            _ name: String, _ perform: @escaping (_ work: @escaping @Sendable (Int) -> Void) -> Void
        ) -> Report.Column {
            .whole(name) {
                let result = Mutex((sum: 0, times: [UInt64]()))
                perform { task in
                    let own = mixed(readers[task], writer, task * 1000, count, noteCount)
                    result.withLock {
                        $0.sum += own.0
                        $0.times += own.1
                    }
                }
                let (sum, times) = result.withLock { $0 }
                note(times, of: name)
                return sum
            }
        }
        try await report.measure(
            "mixed16", element: "access", count: tasks * count, goal: 1 / 0.85,
            column("SQLiteStore", world.standard),
            c("C, 16 threads") { work in
                let group = DispatchGroup()
                for task in 0..<tasks {
                    group.enter()
                    Thread.detachNewThread {
                        work(task)
                        group.leave()
                    }
                }
                group.wait()
            },
            c("C") { DispatchQueue.concurrentPerform(iterations: tasks, execute: $0) })
        guard report.isWanted("mixed16") else { return }
        for (name, times) in waits.withLock({ $0 }).sorted(by: { $0.key > $1.key }) {
            report.add(shape: "mixed16, 99th percentile", column: name, element: "access", times: times)
        }
    }

    private static func mixed(
        _ database: Database, _ first: Int, _ count: Int, _ noteCount: Int
    ) async throws -> (Int, [UInt64]) {
        var (sum, times) = (0, [UInt64]())
        times.reserveCapacity(count)
        for index in 0..<count {
            let start = DispatchTime.now().uptimeNanoseconds
            let number = first + index
            if index % 10 == 9 {
                sum += try await database.write { db in
                    try db.execute("UPDATE notes SET score = \(Double(number)) WHERE id = \(number % noteCount + 1)")
                }
            } else {
                let order = try await database.read { db in
                    try db.fetchOne(Order.self, "SELECT * FROM orders WHERE id = \(key(number))")
                }
                sum += checksum(order)
            }
            times.append(DispatchTime.now().uptimeNanoseconds - start)
        }
        return (sum, times)
    }

    private static func mixed(
        _ reader: CConnection, _ writer: borrowing Mutex<CConnection>, _ first: Int, _ count: Int, _ noteCount: Int
    ) -> (Int, [UInt64]) {
        let select = reader.prepare("SELECT * FROM orders WHERE id = ?")
        let update = writer.withLock { $0.prepare("UPDATE notes SET score = ? WHERE id = ?") }
        defer { for statement in [select, update] { sqlite3_finalize(statement) } }
        var (sum, times) = (0, [UInt64]())
        times.reserveCapacity(count)
        for index in 0..<count {
            let start = DispatchTime.now().uptimeNanoseconds
            let number = first + index
            if index % 10 == 9 {
                sum += writer.withLock { writer in
                    sqlite3_bind_double(update, 1, Double(number))
                    sqlite3_bind_int64(update, 2, Int64(number % noteCount + 1))
                    check(sqlite3_step(update))
                    sqlite3_reset(update)
                    return Int(sqlite3_changes(writer.handle))
                }
            } else {
                sum += checksum(order(key(number), select))
            }
            times.append(DispatchTime.now().uptimeNanoseconds - start)
        }
        return (sum, times)
    }

    /// 15 tasks fetch orders by key while one runs a query of about half a second, at the same line of source code.
    /// Measures the longest time of a short access.
    static func longAmongShort(_ report: inout Report, _ world: World) async throws {
        let shape = "longAmongShort"
        guard report.isWanted(shape, element: "access") else { return }
        let threads = try await Database.open(
            .file(world.path), configuration: world.standard.configuration.with { $0.execution = .dedicatedThreads })
        for (name, database) in [("SQLiteStore", world.standard), ("SQLiteStore, threads", threads)] {
            var longest: [Double] = []
            for _ in 0..<(report.isQuick ? 1 : 5) {
                let isOver = Flag()
                let time = try await withThrowingTaskGroup(of: UInt64.self) { group in
                    for _ in 0..<15 {
                        group.addTask { try await longestFetch(in: database, until: isOver) }
                    }
                    group.addTask {
                        for index in 0..<200 { try await fetch(20 + index % 2, in: database) }
                        try await fetch(4_000_000, in: database)
                        isOver.value.store(true, ordering: .relaxed)
                        return 0
                    }
                    return try await group.reduce(0, max)
                }
                longest.append(Double(time))
            }
            report.add(shape: shape, column: name, element: "access", times: longest)
        }
        await threads.close()
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }

    private static func longestFetch(in database: Database, until isOver: Flag) async throws -> UInt64 {
        var longest: UInt64 = 0
        while !isOver.value.load(ordering: .relaxed) {
            let start = DispatchTime.now().uptimeNanoseconds
            try await fetch(20, in: database)
            longest = max(longest, DispatchTime.now().uptimeNanoseconds - start)
        }
        return longest
    }

    private static func fetch(_ count: Int, in database: Database) async throws {
        _ = try await database.read { db in
            try db.fetchOne(
                Int.self,
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < \(count)) SELECT SUM(x) FROM n"
            )
        }
    }
}
