import Dispatch
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import TestConcurrency
import Testing

@Suite("Observation", .limitedConcurrency)
struct ObservationTests {
    private static let schema = [Migration("t", script: "CREATE TABLE t (x INTEGER PRIMARY KEY)")]

    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
        func increment() { count.add(1, ordering: .relaxed) }
    }

    private static let executions = AccessTests.executions

    private func configuration(_ execution: Database.Execution) -> Database.Configuration {
        Database.Configuration().with { $0.execution = execution }
    }

    @Test("an observation emits the current value, then one for each commit that changes it", arguments: executions)
    func values(execution: Database.Execution) async throws {
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            var values = database.observe(Int.self, "SELECT x FROM t ORDER BY x").makeAsyncIterator()
            #expect(try await values.next() == [])
            for index in 1...20 {
                try await database.write { db in try db.execute("INSERT INTO t VALUES (\(index))") }
                #expect(try await values.next() == Array(1...index))
            }
        }
    }

    @Test("changes of a database in memory are observed")
    func inMemory() async throws {
        let database = try await Database.open(.inMemory, migrations: Self.schema)
        var values = database.observe(Int.self, "SELECT x FROM t").makeAsyncIterator()
        #expect(try await values.next() == [])
        try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
        #expect(try await values.next() == [1])
    }

    @Test("nil is an ordinary value and does not end an observation")
    func nilValues() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let (seen, see) = AsyncStream.makeStream(of: Int?.self)
            let consumer = Task.detached {
                for try await value in database.observe({ db in
                    try db.fetchOne(Int.self, "SELECT MAX(x) FROM t WHERE x > 0 HAVING COUNT(*) > 0")
                }) {
                    see.yield(value)
                    if value == 7 { break }
                }
                see.finish()
            }
            var values = seen.makeAsyncIterator()
            #expect(await values.next() == .some(.none))
            try await database.write { db in try db.execute("INSERT INTO t VALUES (7)") }
            #expect(await values.next() == 7)
            try await consumer.value
        }
    }

    @Test("equal values are skipped")
    func unchanged() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            var parities = database.observe { db in
                try db.fetchOne(Bool.self, "SELECT COUNT(*) % 2 FROM t")
            }.makeAsyncIterator()
            #expect(try await parities.next() == false)
            try await database.write { db in try db.execute("INSERT INTO t VALUES (1), (2)") }
            let next = Task { [parities] in
                var parities = parities
                return try await parities.next()
            }
            try await database.write { db in try db.execute("INSERT INTO t VALUES (3)") }
            #expect(try await next.value == true)
        }
    }

    @Test("a burst of 2,000 writes causes only a few fetches")
    func burst() async throws {
        let clock = ManualClock()
        let configuration = Database.Configuration().with {
            $0.synchronous = .normal
            $0.clock = clock
        }
        try await withTemporaryDatabase(configuration: configuration, migrations: Self.schema) {
            (database) async throws in
            let fetches = Counter()
            let observation = database.observe(every: .milliseconds(500)) { db in
                fetches.increment()
                return try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") ?? 0
            }
            let consumer = Task.detached {
                for try await count in observation where count == 2_000 { return }
            }
            for index in 0..<2_000 {
                try await database.write { db in try db.execute("INSERT INTO t VALUES (\(index))") }
            }
            clock.run()
            try await consumer.value
            #expect(fetches.value <= 4)
        }
    }

    @Test("200 observers of one query share one fetch", arguments: executions)
    func sharing(execution: Database.Execution) async throws {
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            let fetches = Counter()
            let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
            let counts = database.observe { db in
                fetches.increment()
                return try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t")
            }
            let consumers = (0..<200).map { _ in
                Task.detached {
                    var values = counts.makeAsyncIterator()
                    var seen = [try await values.next()]
                    isReady.yield()
                    seen.append(try await values.next())
                    return seen
                }
            }
            var readiness = ready.makeAsyncIterator()
            for _ in consumers { await readiness.next() }
            #expect(fetches.value == 1)
            #expect(database.hub.queryCount == 1)
            try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
            for consumer in consumers { #expect(try await consumer.value == [0, 1]) }
            #expect(fetches.value == 2)
        }
    }

    @Test("an observation that begins after the fetch of an equal one has failed is fetched")
    func sharingAfterFailure() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let isFailing = Mutex(true)
            let counts = database.observe(sharing: "the count") { db in
                if isFailing.withLock({ $0 }) { throw SQLiteError(.error, "no count") }
                return try db.fetchOne(Int.self, "SELECT count(*) FROM t")
            }
            var failed = counts.makeAsyncIterator()
            await #expect(throws: SQLiteError.self) { try await failed.next() }
            isFailing.withLock { $0 = false }
            var later = counts.makeAsyncIterator()
            #expect(try await later.next() == 0)
            #expect(try await failed.next() == nil)
            #expect(database.hub.queryCount == 1)
        }
    }

    @Test("observations share fetches only with equal SQL and values")
    func sharingBySQL() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let iterators = [1, 1, 2].map { limit in
                database.observe(Int.self, "SELECT x FROM t LIMIT \(limit)").makeAsyncIterator()
            }
            withExtendedLifetime(iterators) { #expect(database.hub.queryCount == 2) }
        }
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            // Equal strings, and different texts.
            var iterators = ["\u{E9}", "e\u{301}"].map { text in
                database.observe(Int.self, "SELECT length(\(text))").makeAsyncIterator()
            }
            #expect(try await iterators[0].next() == [1])
            #expect(try await iterators[1].next() == [2])
        }
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            _ = database.observe(Int.self, "SELECT x FROM t").makeAsyncIterator()
            #expect(database.hub.queryCount == 0)
        }
    }

    @Test("cancelling the observing task ends the observation and releases the query", arguments: executions)
    func cancellation(execution: Database.Execution) async throws {
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let consumer = Task.detached {
                for try await _ in database.observe(Int.self, "SELECT x FROM t") { begin.yield() }
                return "ended"
            }
            var beginnings = begun.makeAsyncIterator()
            await beginnings.next()
            consumer.cancel()
            #expect(try await consumer.value == "ended")
            #expect(database.hub.queryCount == 0)
        }
    }

    enum CommitDuringFetch: CaseIterable {
        case none, ofObservedTable, ofOtherTable
    }

    @Test(
        "an observer that begins during a fetch first receives a value with all commits before",
        arguments: CommitDuringFetch.allCases)
    func beginningDuringFetch(second: CommitDuringFetch) async throws {
        let schema = Self.schema + [Migration("other", script: "CREATE TABLE other (x INTEGER PRIMARY KEY)")]
        try await withTemporaryDatabase(migrations: schema) { (database) async throws in
            let (fetches, go) = (Counter(), DispatchSemaphore(value: 0))
            let counts = database.observe { db in
                let count = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") ?? 0
                guard count > 0 else { return count }
                fetches.increment()
                _ = go.wait(timeout: .now() + 20)
                return count
            }
            let (seen, see) = AsyncStream.makeStream(of: Int.self)
            let earlier = Task.detached { for try await count in counts { see.yield(count) } }
            var values = seen.makeAsyncIterator()
            #expect(await values.next() == 0)
            try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
            try await waitUntil { fetches.value == 1 }
            // The fetch does not see the second commit.
            switch second {
            case .none: break
            case .ofObservedTable: try await database.write { db in try db.execute("INSERT INTO t VALUES (2)") }
            case .ofOtherTable: try await database.write { db in try db.execute("INSERT INTO other VALUES (1)") }
            }
            let later = Task.detached {
                for try await count in counts { return count }
                return -1
            }
            for _ in 0..<100 { await Task.yield() }
            for _ in 1...2 { go.signal() }
            #expect(try await later.value == (second == .ofObservedTable ? 2 : 1))
            earlier.cancel()
            try await earlier.value
        }
    }

    @Test("the first value is read at once, and later ones follow without it", arguments: [true, false])
    func firstValue(isChangedBefore: Bool) async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let counts = database.observe { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") ?? 0 }
            let (first, later) = try await onThread { Result { try counts.blockingFirst() } }.get()
            #expect(first == 0)
            let insert = { @Sendable in
                _ = try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
            }
            if isChangedBefore { try await insert() }
            var values = later.makeAsyncIterator()
            async let next = isChangedBefore ? () : insert()
            #expect(try await values.next() == 1)
            try await next
            let error = try await database.write { db in
                #expect(throws: SQLiteError.self) { try counts.blockingFirst() }
            }
            #expect(error?.code == .reentrantAccess)
        }
    }

    @Test("another observer takes over when the fetching one is cancelled")
    func takingOver() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            for round in 1...12 {
                let (begun, begin) = AsyncStream.makeStream(of: Void.self)
                let consumers = (0..<3).map { _ in
                    Task.detached {
                        for try await counts in database.observe(Int.self, "SELECT COUNT(*) FROM t") {
                            begin.yield()
                            if counts == [round] { return true }
                        }
                        return false
                    }
                }
                var beginnings = begun.makeAsyncIterator()
                for _ in consumers { await beginnings.next() }
                async let write = database.write { db in try db.execute("INSERT INTO t VALUES (\(round))") }
                consumers[round % 3].cancel()
                _ = try await write
                for (index, consumer) in consumers.enumerated() where index != round % 3 {
                    #expect(try await consumer.value)
                }
                _ = try? await consumers[round % 3].value
            }
            #expect(database.hub.queryCount == 0)
        }
    }

    @Test("an observation throws the error of fetching and reports that it has failed")
    func failure() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let observation = database.observe(Int.self, "SELECT x FROM missing")
            var values = observation.makeAsyncIterator()
            let error = await #expect(throws: SQLiteError.self) { try await values.next() }
            #expect(error?.code == .error)
            guard case .failed = observation.health else {
                Issue.record("the health is \(observation.health)")
                return
            }
            #expect(try await values.next() == nil)
        }
    }

    @Test("observers of a database that is closed throw instead of waiting for ever", arguments: executions)
    func closing(execution: Database.Execution) async throws {
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            let observation = database.observe(Int.self, "SELECT x FROM t")
            let (begun, beginning) = AsyncStream<Void>.makeStream()
            let observers = (1...3).map { _ in
                Task {
                    for try await _ in observation { beginning.yield() }
                }
            }
            var count = 0
            for await _ in begun {
                count += 1
                if count == observers.count { break }
            }
            await database.close()
            for observer in observers {
                let error = await #expect(throws: SQLiteError.self) { try await observer.value }
                #expect(error?.code == .closed)
            }
            #expect(database.hub.queryCount == 0)
        }
    }

    @Test("a busy database delays an observation, which retries and recovers")
    func busy() async throws {
        try await withTemporaryDatabase(migrations: Self.schema) { (database) async throws in
            let tries = Counter()
            let observation = database.observe { db in
                tries.increment()
                if tries.value < 4 { throw SQLiteError(.busy, "database is locked") }
                return try db.fetchAll(Int.self, "SELECT x FROM t")
            }
            var values = observation.makeAsyncIterator()
            #expect(try await values.next() == [])
            #expect(tries.value == 4)
            guard case .live = observation.health else {
                Issue.record("the health is \(observation.health)")
                return
            }
        }
    }

    @Test("a long fetch does not delay writers, and is cancelled with its last observer", arguments: executions)
    func longFetch(execution: Database.Execution) async throws {
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            let (begun, begin) = AsyncStream.makeStream(of: Int.self)
            let consumer = Task.detached {
                let observation = database.observe { db in
                    let count = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") ?? 0
                    begin.yield(count)
                    if count == 1 {
                        // This would run for hours.
                        _ = try db.fetchOne(
                            Int.self,
                            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT SUM(x) FROM n")
                    }
                    return count
                }
                for try await _ in observation {}
            }
            var fetches = begun.makeAsyncIterator()
            #expect(await fetches.next() == 0)
            try await database.write { db in try db.execute("INSERT INTO t VALUES (1)") }
            #expect(await fetches.next() == 1)
            try await database.write { db in try db.execute("INSERT INTO t VALUES (2)") }
            consumer.cancel()
            try await consumer.value
            #expect(database.hub.queryCount == 0)
            // Closing waits for all accesses to end.
            await database.close()
        }
    }

    @Test("commits of another database on the same file are observed")
    func otherConnection() async throws {
        try await withTemporaryFolder { (folder) async throws in
            let first = try await Database.open(.file(folder + "/db"), migrations: Self.schema)
            let second = try await Database.open(.file(folder + "/db"), migrations: Self.schema)
            var values = first.observe(Int.self, "SELECT x FROM t ORDER BY x").makeAsyncIterator()
            #expect(try await values.next() == [])
            for index in 1...5 {
                try await second.write { db in try db.execute("INSERT INTO t VALUES (\(index))") }
                #expect(try await values.next() == Array(1...index))
            }
            await first.close()
            await second.close()
        }
    }

    @Test("values arrive in the order of the commits", arguments: executions)
    func order(execution: Database.Execution) async throws {
        try await withTemporaryDatabase(configuration: configuration(execution), migrations: Self.schema) {
            (database) async throws in
            let observation = database.observe { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM t") ?? 0 }
            let consumers = (0..<4).map { _ in
                Task.detached {
                    var last = -1
                    for try await count in observation {
                        guard count > last else { return false }
                        last = count
                        if count == 100 { return true }
                    }
                    return false
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for index in 0..<25 {
                            try await database.write { (db) throws in
                                try db.execute("INSERT INTO t VALUES (\(writer * 25 + index))")
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for consumer in consumers { #expect(try await consumer.value) }
        }
    }
}
