#if PostgreSQL
import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@Suite("PostgreSQL observation", .needsServer, .limitedConcurrency)
struct ObservationTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x integer)")]

    private static let insert: @Sendable (Connection) throws -> Void = { (db) throws in
        try db.execute("INSERT INTO t VALUES (1)")
        db.notify("t")
    }

    private static let count: @Sendable (Connection) throws -> Int = { (db) throws in
        try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") ?? 0
    }

    /// Tries to share the lock that observers hold; see how a commit announces its topics.
    private static let isObserved: @Sendable (Connection) throws -> Bool? = { (db) throws in
        try db.fetchOne(
            Bool.self,
            "SELECT NOT pg_try_advisory_xact_lock_shared(hashtextextended('postgresql_store ' || current_schema(), 0))")
    }

    @Test("an observer receives the current value, and a new one after each announced commit, of any process")
    func values() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let other = try await Database.open(database.location)
            var iterator = database.observe(["t"], Self.count).makeAsyncIterator()
            #expect(try await iterator.next() == 0)
            try await database.write(Self.insert)
            #expect(try await iterator.next() == 1)
            try await other.write(Self.insert)
            #expect(try await iterator.next() == 2)
            await other.close()
        }
    }

    @Test("a write that chooses another schema for itself is observed")
    func localSearchPath() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            var iterator = database.observe(["t"], Self.count).makeAsyncIterator()
            #expect(try await iterator.next() == 0)
            try await database.write { (db) throws in
                try Self.insert(db)
                try db.execute("SET LOCAL search_path = pg_catalog")
            }
            #expect(try await iterator.next() == 1)
        }
    }

    @Test("a database whose connections are prepared with a schema sees the commits in it")
    func preparedSchema() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let schema =
                try await database.read { db in try db.fetchOne(String.self, "SELECT current_schema()") } ?? ""
            let configuration = Database.Configuration().with {
                $0.prepare = { db in try db.execute("SET search_path = \(identifier: schema)") }
            }
            let observed = try await Database.open(PostgreSQLServer.shared.location, configuration: configuration)
            var iterator = observed.observe(["t"], Self.count).makeAsyncIterator()
            #expect(try await iterator.next() == 0)
            try await database.write(Self.insert)
            #expect(try await iterator.next() == 1)
            await observed.close()
        }
    }

    @Test("a database without a schema of its own is observed")
    func noSchema() async throws {
        let withoutSchema = Database.Configuration().with { $0.prepare = { try $0.execute("SET search_path = ''") } }
        try await withTemporaryDatabase(configuration: withoutSchema) { (database) async throws in
            let fetches = Counter()
            var iterator = database.observe(["t"]) { _ -> Int in
                fetches.increment()
                return fetches.value
            }.makeAsyncIterator()
            let first = try #require(try await iterator.next())
            try await database.write { db in db.notify("t") }
            #expect(try #require(try await iterator.next()) > first)
        }
    }

    @Test("an observer of a database that is closed throws instead of waiting for ever")
    func closing() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let (values, received) = AsyncStream<Int>.makeStream()
            let observation = database.observe(["t"], Self.count)
            let observer = Task {
                for try await value in observation { received.yield(value) }
            }
            for await _ in values { break }
            await database.close()
            let error = await #expect(throws: PostgreSQLError.self) { try await observer.value }
            #expect(error?.code == .closed)
        }
    }

    @Test("a commit before the first value, a rolled back write and another topic are no new value")
    func notAnnounced() async throws {
        struct Refusal: Error {}
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let fetches = Counter()
            var iterator = database.observe(["t"]) { (db) throws -> Int in
                fetches.increment()
                return try Self.count(db)
            }.makeAsyncIterator()
            #expect(try await iterator.next() == 0)
            let before = fetches.value
            await #expect(throws: Refusal.self) {
                try await database.write { (db) throws in
                    try Self.insert(db)
                    throw Refusal()
                }
            }
            try await database.write { (db) throws in
                db.notify("u")
                try? db.transaction {
                    try Self.insert(db)
                    throw Refusal()
                }
            }
            try await database.write(Self.insert)
            #expect(try await iterator.next() == 1)
            #expect(fetches.value <= before + 1)
        }
    }

    @Test("observers of equal queries share their fetches")
    func shared() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let one = database.observe(["t"], rows: Int.self, "SELECT x FROM t WHERE x > \(0)")
            let two = database.observe(["t"], rows: Int.self, "SELECT x FROM t WHERE x > \(0)")
            var (first, second) = (one.makeAsyncIterator(), two.makeAsyncIterator())
            #expect(try await first.next() == [])
            #expect(try await second.next() == [])
            #expect(database.hub.queryCount == 1)
            var iterators: [DatabaseObservation<[Int]>.Iterator] = []
            try await database.write(Self.insert)
            #expect(try await first.next() == [1])
            #expect(try await second.next() == [1])
            // Equal strings, and different texts.
            for (text, length) in [("\u{E9}", 1), ("e\u{301}", 2)] {
                var lengths = database.observe(["t"], rows: Int.self, "SELECT length(\(text))").makeAsyncIterator()
                #expect(try await lengths.next() == [length])
                iterators.append(lengths)
            }
        }
    }

    @Test("nothing is announced while nobody observes, and commits meanwhile are seen by the next observer")
    func silence() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let other = try await Database.open(database.location)
            #expect(try await other.read(Self.isObserved) == false)
            try await other.write(Self.insert)
            do {
                var iterator = database.observe(["t"], Self.count).makeAsyncIterator()
                #expect(try await iterator.next() == 1)
                #expect(try await other.read(Self.isObserved) == true)
                try await other.write(Self.insert)
                #expect(try await iterator.next() == 2)
            }
            try await waitUntil { try await other.read(Self.isObserved) == false }
            await other.close()
        }
    }

    @Test("observers of several processes see the commits of all, also after the first of them has ended")
    func severalObservers() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let other = try await Database.open(database.location)
            var second: DatabaseObservation<Int>.Iterator
            do {
                var first = database.observe(["t"], Self.count).makeAsyncIterator()
                #expect(try await first.next() == 0)
                second = other.observe(["t"], Self.count).makeAsyncIterator()
                #expect(try await second.next() == 0)
                try await database.write(Self.insert)
                #expect(try await first.next() == 1)
                #expect(try await second.next() == 1)
            }
            // The lock that announces the observer passes from the first to the second within a second or so.
            try await database.write(Self.insert)
            #expect(try await second.next() == 2)
            await other.close()
        }
    }

    @Test("an observer sees what is committed while another process ends its observation and begins a new one")
    func gapBetweenObservers() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let (other, writer) = try await (Database.open(database.location), Database.open(database.location))
            var second: DatabaseObservation<Int>.Iterator
            do {
                var first = database.observe(["t"], Self.count).makeAsyncIterator()
                #expect(try await first.next() == 0)
                second = other.observe(["t"], Self.count).makeAsyncIterator()
                #expect(try await second.next() == 0)
            }
            try await waitUntil { try await writer.read(Self.isObserved) == false }
            try await writer.write(Self.insert)
            var first = database.observe(["t"], Self.count).makeAsyncIterator()
            #expect(try await first.next() == 1)
            #expect(try await second.next() == 1)
            await other.close()
            await writer.close()
        }
    }

    @Test("an observer whose statement is cancelled by the server fetches again")
    func cancelledByTheServer() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let fetches = Counter()
            var iterator = database.observe(["t"]) { (db) throws -> Int in
                fetches.increment()
                if fetches.value == 1 {
                    try db.execute("SET LOCAL statement_timeout = 1")
                    try db.execute("SELECT pg_sleep(60)")
                }
                return try Self.count(db)
            }.makeAsyncIterator()
            #expect(try await iterator.next() == 0)
        }
    }

    @Test(
        "an observer continues after the connection was lost, and sees what was committed meanwhile",
        .needsOwnServer)
    func reconnects() async throws {
        let network = try FaultyNetwork(to: await PostgreSQLServer.shared)
        defer { network.close() }
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let schema =
                try await database.read { db in try db.fetchOne(String.self, "SELECT current_schema()") } ?? ""
            let observed = try await Database.open(network.location.inSchema(schema))
            var iterator = observed.observe(["t"], Self.count).makeAsyncIterator()
            #expect(try await iterator.next() == 0)
            for number in 1...5 {
                network.cut(afterSending: 0)
                try await database.write(Self.insert)
                #expect(try await iterator.next() == number)
            }
            await observed.close()
        }
    }

    @Test("a burst of commits ends with the newest value, and a slow observer skips the others")
    func burst() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let writer = Task { () async throws in
                for _ in 0..<100 { try await database.write(isolation: .readCommitted, Self.insert) }
            }
            var last = -1
            for try await count in database.observe(["t"], Self.count) {
                #expect(count > last)
                last = count
                if count == 100 { break }
            }
            try await writer.value
        }
    }

    @Test("the first value is read at once, and later ones follow without it", arguments: [true, false])
    func firstValue(isChangedBefore: Bool) async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let counts = database.observe(["t"], Self.count)
            let (first, later) = try await withCheckedThrowingContinuation { continuation in
                onThread { continuation.resume(with: Result { try counts.blockingFirst() }) }
            }
            #expect(first == 0)
            if isChangedBefore { try await database.write(Self.insert) }
            var values = later.makeAsyncIterator()
            async let next = isChangedBefore ? () : database.write(Self.insert)
            #expect(try await values.next() == 1)
            try await next
            let error = try await database.write { db in
                #expect(throws: PostgreSQLError.self) { try counts.blockingFirst() }
            }
            #expect(error?.code == .reentrantAccess)
        }
    }

    @Test("cancelling the task ends the iteration")
    func cancelled() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let (started, start) = AsyncStream.makeStream(of: Never.self)
            let task = Task { () async throws in
                for try await _ in database.observe(["t"], Self.count) { start.finish() }
            }
            for await _ in started {}
            task.cancel()
            try await task.value
        }
    }
}
#endif
