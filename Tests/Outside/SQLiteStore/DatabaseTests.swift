import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Synchronization
import Testing

@Suite("The life of a database", .timeLimit(.minutes(5)))
struct DatabaseTests {
    @Test("a configuration names everything that is not the default")
    func configuration() async throws {
        try await withTemporaryFolder { folder in
            let slow = Mutex<[SlowStatement]>([])
            var configuration = Database.Configuration()
            configuration.execution = .dedicatedThreads
            configuration.readerCount = 2
            configuration.busyTimeout = .seconds(1)
            configuration.foreignKeys = true
            configuration.isReadOnly = false
            configuration.isExclusive = false
            configuration.synchronous = .normal
            configuration.logPageLimit = 1_000
            configuration.externalChangeInterval = nil
            configuration.clock = ContinuousClock()
            configuration.statementCacheCapacity = 10
            configuration.fileSystem = nil
            configuration.journalMode = .writeAheadLog
            configuration.erasesOnMigrationChange = true
            configuration.slowStatements = SlowStatements(longerThan: .seconds(60)) { statement in
                slow.withLock { $0.append(statement) }
            }
            configuration.attached = [:]
            configuration.beforeFirstRead = { db in _ = try db.fetchOne(Int.self, "PRAGMA cache_size") }
            let execution: Database.Execution = configuration.execution
            let (pool, threads): (AccessExecution, AccessExecution) = (.adaptive, .dedicatedThreads)
            #expect(execution == threads && pool != .inline && Database.Synchronous(rawValue: "FULL") == .full)
            let modes: [Database.JournalMode] = [.writeAheadLog, .delete, .truncate, .persist]
            #expect(modes.map { Database.JournalMode(rawValue: $0.rawValue) } == modes)

            let location: Database.Location = .file("\(folder)/cities.sqlite")
            let database = try await Database.open(
                location, configuration: configuration.with { $0.readerCount = 3 }, migrations: cities)
            #expect(database.location == location && database.configuration.readerCount == 3)
            try await database.write { db in try db.insert(City("Seoul")) }
            #expect(slow.withLock { $0.map { "\($0.sql) \($0.duration)" } } == [])
            await database.close()
            let error = await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
            #expect(error?.code == .closed)
        }
    }

    @Test("migrations run once each, scripts and closures")
    func migrations() async throws {
        try await withTemporaryFolder { folder in
            let all =
                cities + [
                    Migration("seoul", revision: "1") { db in try db.insert(City("Seoul")) },
                    Migration("busan", merging: [], script: "INSERT INTO cities (name) VALUES ('Busan')"),
                    Migration("from GRDB", adoptingGRDB: ["players": "CREATE TABLE player (id INTEGER PRIMARY KEY)"]),
                    Migration("with code", adoptingGRDB: [Migration("teams", revision: "1") { db in _ = db }]),
                ]
            let first: SchemaMigration<Connection> = all[0]
            #expect(first.name == "cities")
            #expect(all.map(\.name) == ["cities", "seoul", "busan", "from GRDB", "with code"])
            for migrations in [all.upTo("seoul"), all, all] {
                let database = try await Database.open(.file("\(folder)/cities.sqlite"), migrations: migrations)
                let count = try await database.read { db in try db.fetchOne(Int.self, "SELECT count(*) FROM cities") }
                #expect(count == migrations.count / 2)
                await database.close()
            }
        }
    }

    @Test("a snapshot shows one state beside writes; an access can block a thread")
    func accesses() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            let snapshot: Database.Snapshot = try await database.snapshot()
            try writeSeoul(to: database)
            let count: @Sendable (Connection) throws -> Int? = {
                try $0.fetchOne(Int.self, "SELECT count(*) FROM cities")
            }
            #expect(try await snapshot.read(count) == 0)
            await snapshot.close()
            #expect(try await database.read(count) == 1)
            #expect(try await database.offload { 7 } == 7)
            try await database.writeWithoutTransaction { db in
                // For C functions of SQLite, such as those of an extension.
                let handle: OpaquePointer = db.handle
                #expect(handle == db.handle)
            }
        }
    }

    /// Code without `async`, such as that of a command line, waits for its accesses.
    nonisolated private func writeSeoul(to database: Database) throws {
        try database.blockingWrite { db in try db.insert(City("Seoul")) }
        let count = try database.blockingRead { db in try db.fetchOne(Int.self, "SELECT count(*) FROM cities") }
        #expect(count == 1)
    }

    /// What a view shows before its first frame, with what follows.
    nonisolated private func firstFrame(
        of rows: DatabaseObservation<[City]>
    ) throws -> ([City], DatabaseObservation<[City]>.Later) {
        try rows.blockingFirst()
    }

    @Test("an observation emits the current value, and one for each change")
    func observing() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            let names: DatabaseObservation<[String]> = database.observe(String.self, "SELECT name FROM cities")
            let rows = database.observe(City.self, "SELECT * FROM cities", every: .zero)
            let count = database.observe { db in try db.fetchOne(Int.self, "SELECT count(*) FROM cities") ?? 0 }
            var iterator: DatabaseObservation<[String]>.Iterator = names.makeAsyncIterator()
            #expect(try await iterator.next() == [])
            try await database.write { db in try db.insert(City("Seoul")) }
            #expect(try await iterator.next(isolation: #isolation) == ["Seoul"])
            let health: ObservationHealth = names.health
            switch health {
            case .live: break
            case .retrying(let error), .failed(let error): Issue.record(error)
            }

            // The first frame of a screen, and the rest.
            let (first, later) = try firstFrame(of: rows)
            #expect(first == [City("Seoul")])
            try await database.write { db in try db.insert(City("Busan")) }
            var laterRows = later.makeAsyncIterator()
            #expect(try await laterRows.next()?.count == 2)
            for try await value in count {
                #expect(value == 2)
                break
            }
            // For what SQL has not written.
            try await database.write { db in try db.notifyChanges(of: "cities") }
            let elements: [Any.Type] = [
                DatabaseObservation<Int>.Element.self, DatabaseObservation<Int>.Failure.self,
                DatabaseObservation<Int>.Later.Element.self, DatabaseObservation<Int>.Later.Failure.self,
            ]
            #expect(elements.count == 4)
        }
    }

    @Test("a write within one city causes no fetch of another one")
    func observingWithin() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            try await database.write { db in try db.insert(contentsOf: [City("Seoul"), City("Busan")]) }
            let fetches = Mutex(0)
            let seoul = database.observe { db in
                fetches.withLock { $0 += 1 }
                return try db.within("city", keys: [1]) {
                    try db.fetchOne(Int?.self, "SELECT population FROM cities WHERE name = 'Seoul'") ?? nil
                }
            }
            var populations = seoul.makeAsyncIterator()
            #expect(try await populations.next() == .some(nil))
            for (key, name) in [(2, "Busan"), (2, "Busan"), (1, "Seoul")] as [(Int64, String)] {
                try await database.write { db in
                    try db.within("city", keys: [key]) {
                        try db.execute("UPDATE cities SET population = 9 WHERE name = \(name)")
                    }
                }
            }
            #expect(try await populations.next() == 9)
            #expect(fetches.withLock(\.self) == 2)
        }
    }

    @Test("the file is copied, checked and compacted")
    func care() async throws {
        try await withTemporaryFolder { folder in
            let database = try await Database.open(.file("\(folder)/a.sqlite"), migrations: cities)
            let fractions = Mutex<[Double]>([])
            try await database.backup(to: "\(folder)/b.sqlite", pagesPerStep: 1) { (progress: BackupProgress) in
                #expect(progress.remaining <= progress.total)
                fractions.withLock { $0.append(progress.fraction) }
            }
            #expect(fractions.withLock { $0.last } == 1)
            #expect(try await database.integrityCheck() == [])
            try await database.vacuum()
            try await database.vacuum(into: "\(folder)/c.sqlite")
            let modes: [Database.CheckpointMode] = [.passive, .full, .restart, .truncate]
            for mode in modes {
                #expect(Database.CheckpointMode(rawValue: mode.rawValue) == mode)
                let pages = try await database.checkpoint(mode)
                #expect(pages.moved <= pages.logged)
            }
            await database.close()
        }
    }
}

@Suite("The kit of SQLiteStore", .timeLimit(.minutes(5)))
struct KitTests {
    @Test("the plan of a query has an index, or the requirement fails")
    func queryPlans() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            try await database.read { db in
                let plan: QueryPlan = try db.queryPlan("SELECT * FROM cities WHERE name = 'Seoul'")
                #expect(!plan.steps.isEmpty)
                try plan.require(.index("sqlite_autoindex_cities_1"), .noFullScan, .noTemporaryBTree, .noAutomaticIndex)
                let scan = QueryPlan(steps: ["SCAN cities"])
                let failure = #expect(throws: QueryPlan.Failure.self) { try scan.require(.noFullScan) }
                #expect(failure?.description != QueryPlan.Failure(description: "other").description)
                let requirements: [QueryPlan.Requirement] = [.noFullScan]
                #expect(requirements.count == 1)
            }
        }
    }

    @Test("a trace lists the statements of a database")
    func traces() async throws {
        let trace = SQLTrace()
        try await withTemporaryDatabase(configuration: trace.traced(), migrations: cities) { database in
            trace.reset()
            _ = try await database.read { db in try db.fetchAll(String.self, "SELECT name FROM cities") }
            #expect(trace.statements.contains { $0.contains("SELECT name FROM cities") })
        }
    }

    @Test("a fault of the file system leaves the old state")
    func faults() async throws {
        let files = FaultyFileSystem()
        let configuration = Database.Configuration().with { $0.fileSystem = files.name }
        try await withTemporaryDatabase(configuration: configuration, migrations: cities) { database in
            let faults: [FaultyFileSystem.Fault] = [.diskFull, .ioError, .shortWrite, .readOnly]
            for fault in faults {
                #expect(FaultyFileSystem.Fault(rawValue: fault.rawValue) == fault)
                files.fail(fault, atCall: 1)
                await #expect(throws: SQLiteError.self) {
                    try await database.write { db in try db.insert(City("Seoul")) }
                }
                #expect(files.failureCount > 0 && files.callCount > 0)
                files.recover()
            }
            let count = try await database.read { db in try db.fetchOne(Int.self, "SELECT count(*) FROM cities") }
            #expect(count == 0)
        }
    }

    @Test("a suspended database refuses accesses until it is resumed")
    func suspension() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            await database.suspend()
            let error = await #expect(throws: SQLiteError.self) { try await database.read { _ in } }
            #expect(error?.code == .suspended)
            database.resume()
            try await database.write { db in try db.insert(City("Seoul")) }
        }
        let database = try await Database.open(.inMemory)
        suspendFromCodeWithoutAsync(database)
        #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
        await database.close()
    }

    nonisolated private func suspendFromCodeWithoutAsync(_ database: Database) {
        database.blockingSuspend()
        database.resume()
    }

    @Test("a sync engine reads the rows that each commit changes")
    func rowChanges() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            var commits = try await database.rowChanges(in: ["cities"]).makeAsyncIterator()
            try await database.write { db in try db.insert(City("Seoul")) }
            try await database.write { db in _ = try db.update(City("Seoul", 9)) }
            try await database.write { db in _ = try db.delete(City("Seoul")) }
            try await database.write { db in try db.notifyChanges(of: "cities") }
            var changes: [RowChange] = []
            for _ in 1...4 { changes += try await commits.next() ?? [] }
            let kinds: [RowChange.Kind] = [.insert, .update, .delete, .unknown]
            #expect(changes.map(\.kind) == kinds && Set(changes.map(\.table)) == ["cities"])
            #expect(changes.map(\.key) == [[.text("Seoul")], [.text("Seoul")], [.text("Seoul")], []])
        }
    }
}
