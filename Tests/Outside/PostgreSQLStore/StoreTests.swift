import Foundation
import PostgreSQLStore
import PostgreSQLStoreTesting
import Synchronization
import Testing

nonisolated struct City: RowDecodable, Equatable, Sendable {
    var name: String
    var population: Int?

    init(_ name: String, _ population: Int? = nil) { (self.name, self.population) = (name, population) }

    init(row: borrowing Row) throws {
        name = try row[0]
        population = try row["population"]
    }
}

nonisolated enum Region: String, SQLCodable { case north, south }

nonisolated let cities = [
    Migration("cities", script: "CREATE TABLE cities (name text PRIMARY KEY, population bigint)")
]

@Suite("PostgreSQL", .enabled(if: PostgreSQLServer.isAvailable, "needs initdb"), .timeLimit(.minutes(10)))
struct StoreTests {
    @Test("rows are written and read")
    func reading() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            try await database.write(isolation: .repeatableRead) { (db) throws in
                try db.executeScript("INSERT INTO cities VALUES ('Seoul', 9)")
                try db.execute("INSERT INTO cities VALUES (\("Jeju"), \(Int?.none))")
                let inserted = try db.execute("INSERT INTO cities VALUES ($1, $2)", forEach: [City("Busan", 3)]) {
                    city, values in
                    try bind(city, to: &values)
                }
                let copied = try db.copy(into: "cities", columns: ["name", "population"], [City("Daegu", 2)]) {
                    city, values in
                    try bind(city, to: &values)
                }
                #expect(inserted == 1 && copied == 1)
                try? db.transaction { throw PostgreSQLError(.misuse, "undone") }
                db.notify("cities")
            }
            try await database.read { (db) throws in
                #expect(
                    try db.fetchAll(
                        String.self, "SELECT name FROM cities WHERE name = ANY(\(["Jeju", "Seoul"])) ORDER BY name")
                        == ["Jeju", "Seoul"])
                #expect(
                    try db.fetchOne(City.self, "SELECT name, population FROM cities WHERE population > 8")
                        == City("Seoul", 9))
                #expect(try db.fetchOne(Int?.self, "SELECT population FROM cities WHERE name = 'Jeju'") == nil)
                let names = try db.fetchAll("SELECT name, population FROM cities ORDER BY name LIMIT 1") { row in
                    #expect(row.columnCount == 2 && row.columnNames == ["name", "population"])
                    return try row["name"] as String
                }
                #expect(names == ["Busan"])
                // Or column by column, without numbers.
                let inOrder = try db.fetchAll("SELECT name, population FROM cities ORDER BY name LIMIT 1") { row in
                    try row.read { (columns: inout ColumnCursor) in
                        let name = try columns.next(String.self)
                        return try columns.withNext { column in column.isNull ? "" : name }
                    }
                }
                #expect(inOrder == names)
                var count = 0
                try db.forEach("SELECT name FROM cities ORDER BY name") { _, isLast in
                    count += 1
                    isLast = count == 2
                }
                #expect(count == 2)
                let one = try db.withStatementTimeout(.seconds(10)) { try db.fetchOne(Int.self, "SELECT 1") }
                #expect(one == 1)
                // For C functions of libpq.
                let handle: OpaquePointer = db.handle
                #expect(handle == db.handle)
            }
            try await database.writeWithoutTransaction { db in try db.executeScript("VACUUM cities") }
            #expect(try await blockingCount(in: database) == 4)
        }
    }

    nonisolated struct Visit: Record, Codable, RowDecodable, Equatable, Sendable {
        static let table = "visits"
        static let key = ["id"]
        static let coding = ColumnCoding(dates: .timestamptz, uuids: .uuid, data: .bytes, lists: .standard)

        var id: UUID
        var city: String
        var arrivedAt = Date(timeIntervalSince1970: 60)

        init(_ city: String) { (id, self.city) = (UUID(), city) }

        init(row: borrowing Row) throws { (id, city, arrivedAt) = (try row[0], try row[1], try row[2]) }
    }

    @Test("records are written by their keys")
    func records() async throws {
        let visits = Migration(
            "visits", script: #"CREATE TABLE visits (id uuid PRIMARY KEY, city text, "arrivedAt" timestamptz)"#)
        #expect(Visit.table == "visits" && Visit.key == ["id"] && Visit.coding.uuids == .standard)
        try await withTemporaryDatabase(migrations: [visits]) { database in
            let (first, others) = (Visit("Seoul"), [Visit("Busan"), Visit("Jeju")])
            try await database.write { (db) throws in
                try db.insert(first)
                try db.insert(contentsOf: others)
                var moved = try #require(try db.fetchOne(Visit.self, key: first.id) as Visit?)
                #expect(moved == first)
                moved.city = "Incheon"
                #expect(try db.update(moved, from: first))
                #expect(try db.update(first))
                try db.upsert(moved)
                #expect(try db.delete(others[0]))
                #expect(try db.delete(Visit.self, key: others[0].id) == false)
                let inserted: Visit = try db.insertAndFetch(others[0])
                #expect(inserted == others[0])
                let sql: SQL = "SELECT * FROM visits WHERE city = \("Incheon")"
                #expect(try db.fetchAll(decoding: Visit.self, sql) == [moved])
                #expect(try db.fetchOne(decoding: Visit.self, sql) == moved)
                #expect(try db.fetchOne(sql) { row in try row.decode(Visit.self, coding: Visit.coding) } == moved)
                let (date, coding) = (Date(timeIntervalSince1970: 60), Visit.coding)
                let (sameVisit, sameDate): (SQL, SQL) = (
                    "id = \(first.id, coding: coding)", #""arrivedAt" = \#(date, coding: coding)"#
                )
                let data: SQL = "octet_length(\(Data([1]), coding: coding)::bytea) = 1"
                let same = [sameVisit, sameDate, data].joined(separator: " AND ")
                #expect(try db.fetchOne(decoding: Visit.self, "SELECT * FROM visits WHERE \(same)") == moved)
            }
        }
    }

    nonisolated private func bind(_ city: City, to parameters: inout ParameterBinder) throws {
        try parameters.bind(city.name, city.population)
    }

    /// Code without `async` waits for its accesses.
    nonisolated private func blockingCount(in database: Database) async throws -> Int? {
        func count() throws -> Int? {
            try database.blockingWrite { db in try db.execute("UPDATE cities SET population = population") }
            return try database.blockingRead { db in try db.fetchOne(Int.self, "SELECT count(*) FROM cities") }
        }
        return try count()
    }

    @Test("observers name topics, and writes announce them")
    func observing() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            let names: DatabaseObservation<[String]> = database.observe(
                ["cities"], rows: String.self, "SELECT name FROM cities")
            var iterator = names.makeAsyncIterator()
            #expect(try await iterator.next() == [])
            try await database.write { db in
                try db.execute("INSERT INTO cities VALUES ('Seoul', 9)")
                db.notify("cities")
            }
            #expect(try await iterator.next() == ["Seoul"])
            let health: ObservationHealth = names.health
            if case .failed(let error) = health { Issue.record(error) }
        }
    }

    @Test("a configuration names everything that is not the default")
    func configuration() async throws {
        var configuration = Database.Configuration()
        configuration.accessTimeout = .seconds(30)
        configuration.cancellationTimeout = .seconds(5)
        configuration.channel = "outside"
        configuration.clock = ContinuousClock()
        configuration.connectTimeout = .seconds(10)
        configuration.connectionCount = 2
        configuration.isolation = .readCommitted
        configuration.leaseTimeout = .seconds(10)
        configuration.migrationTimeout = .seconds(30)
        configuration.overridesReadOnlyDefault = false
        configuration.prepare = { db in try db.executeScript("SET TIME ZONE 'UTC'") }
        configuration.preparesStatements = true
        configuration.retryCount = 3
        configuration.slowStatements = SlowStatements(longerThan: .seconds(60)) { (_: SlowStatement) in }
        configuration.statementCacheCapacity = 10
        configuration.statementTimeout = .seconds(10)
        let isolations: [Database.Isolation] = [.readCommitted, .repeatableRead, .serializable]
        #expect(isolations.map { Database.Isolation(rawValue: $0.rawValue) } == isolations)

        try await withTemporarySchema { [configuration] location in
            let database = try await Database.open(
                location, configuration: configuration.with { $0.connectionCount = 3 }, migrations: cities)
            #expect(database.configuration.connectionCount == 3 && "\(database.location)" == "\(location)")
            let migration: SchemaMigration<Connection> = cities[0]
            #expect(migration.name == "cities")
            await database.close()
        }
        let locations: [Database.Location] = [
            .environment, .parameters(["host": "localhost"]), .url("postgresql://localhost/travel").inSchema("cities"),
        ]
        #expect(Set(locations.map { "\($0)" }).count == 3)
    }

    @Test("each type has a value of PostgreSQL, and is read from a column")
    func values() async throws {
        let (id, day, price) = (UUID(), Date(timeIntervalSince1970: 60), Decimal(string: "12.50")!)
        #expect(true.sqlValue == .boolean(true) && "a".sqlValue == .text("a") && Data([1]).sqlValue == .bytes([1]))
        #expect(try 7.sqlValue == .integer(7) && 1.5.sqlValue == .real(1.5) && Float(1.5).sqlValue == .real(1.5))
        #expect(id.sqlValue == .uuid(id) && day.sqlValue == .date(day) && price.sqlValue == .decimal(price))
        #expect(
            try [1].sqlValue == .array([.integer(1)]) && Int?.none.sqlValue == .null && SQLValue.null.sqlValue == .null)
        let home = URL(filePath: "/home")
        #expect(try SQLJSON([1]).sqlValue != .null && home.sqlValue == .text("file:///home"))
        try await withTemporaryDatabase { database in
            try await database.read { (db) throws in
                typealias MaybeNumber = Int?
                func column<Value>(_ sql: SQL, _ decode: (borrowing Column) throws -> Value) throws -> Value? {
                    try db.fetchOne(sql) { row in try row.withColumn(0, decode) }
                }
                #expect(try column("SELECT \(true)::boolean") { try Bool(column: $0) } == true)
                #expect(try column("SELECT \("a")::text") { try String(column: $0) } == "a")
                #expect(try column("SELECT \(Data([1]))::bytea") { try Data(column: $0) } == Data([1]))
                #expect(try column("SELECT \(7)::bigint") { try Int(column: $0) } == 7)
                #expect(try column("SELECT \(1.5)::float8") { try Double(column: $0) } == 1.5)
                #expect(try column("SELECT \(Float(1.5))::float4") { try Float(column: $0) } == 1.5)
                #expect(try column("SELECT NULL::bigint") { try MaybeNumber(column: $0) } == .some(nil))
                #expect(try column("SELECT \(id)::uuid") { try UUID(column: $0) } == id)
                #expect(try column("SELECT \(day)::timestamptz") { try Date(column: $0) } == day)
                #expect(try column("SELECT \(price)::numeric") { try Decimal(column: $0) } == price)
                #expect(try column("SELECT \(home)::text") { try URL(column: $0) } == home)
                #expect(try column("SELECT '{1,2}'::bigint[]") { try [Int](column: $0) } == [1, 2])
                #expect(try column("SELECT '[1]'::jsonb") { try SQLJSON<[Int]>(column: $0).value } == [1])
                try db.forEach("SELECT 'a'::text AS name") { row in
                    try row.withColumn(0) { (column) throws in
                        #expect(
                            column.index == 0 && column.name == "name" && column.typeName == "text"
                                && column.typeOID == 25)
                        #expect(!column.isNull && column.mismatch(Int.self, "a name is no number").code == .mismatch)
                        #expect(try column.withBytes { $0.count } == 1)
                    }
                }
            }
        }
    }

    @Test("SQL is put together from parts, and values never become a part of its text")
    func composing() throws {
        var sql: SQL = "SELECT name FROM \(identifier: "cities") WHERE "
        sql += [SQL("population > \(5)"), SQL("name = ANY(\(["a"]))")].joined(separator: " AND ")
        let whole = sql + " ORDER BY \(raw: "name")" + SQL(raw: " LIMIT $1", [2])
        #expect(whole.text.contains(#"FROM "cities" WHERE population > "#))
        #expect(try whole.values == [.integer(5), .array([.text("a")]), .integer(2)])
        let plans: [SQL.Plan] = [.automatic, .custom, .generic]
        #expect(plans.allSatisfy { whole.planned($0).text == whole.text })
        var parts = SQL.StringInterpolation(literalCapacity: 8, interpolationCount: 1)
        parts.appendLiteral("SELECT ")
        parts.appendInterpolation(7)
        #expect(try SQL(stringInterpolation: parts).values == [.integer(7)])
        #expect(SQL(stringLiteral: "SELECT 1").text == "SELECT 1" && Region.north.rawValue == "north")
    }

    @Test("errors are compared by their code")
    func errors() {
        let error = PostgreSQLError(.uniqueViolation, "the name is taken", sql: "INSERT …", constraint: "cities_pkey")
        #expect(error.code == .uniqueViolation && error.code.classCode == "23" && error.message == "the name is taken")
        #expect(error.sql == "INSERT …" && error.constraint == "cities_pkey")
        let codes: [PostgreSQLError.Code] = [
            .adminShutdown, .cannotConnect, .cannotConnectNow, .checkViolation, .closed, .commitUnknown,
            .connectionLost,
            .databaseIsNewer, .deadlockDetected, .diskFull, .exclusionViolation, .foreignKeyViolation,
            .insufficientPrivilege, .invalidAuthorization, .invalidPassword, .invalidText, .leaseTimeout,
            .lockNotAvailable, .migrationChanged, .mismatch, .misuse, .notNullViolation, .outOfRange, .queryCanceled,
            .range,
            .readOnly, .reentrantAccess, .serializationFailure, .statementTimeout, .syntaxError, .textTooLong,
            .tooManyConnections, .transactionAborted, .undefinedColumn, .undefinedDatabase, .undefinedFunction,
            .undefinedTable,
        ]
        #expect(Set(codes).count == codes.count && PostgreSQLError.Code(rawValue: codes[0].rawValue) == codes[0])
    }
}

@Suite(
    "The kit of PostgreSQLStore", .enabled(if: PostgreSQLServer.isAvailable, "needs initdb"), .timeLimit(.minutes(10)))
struct KitTests {
    @Test("a network loses connections, holds bytes back and slows down")
    func network() async throws {
        let server: PostgreSQLServer = try await .shared
        let network = try FaultyNetwork(to: server)
        let configuration = Database.Configuration().with { $0.retryCount = 0 }
        let database = try await Database.open(network.location, configuration: configuration)
        network.slow(to: 1_000_000)
        network.hold(false)
        #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
        network.slow(to: nil)
        network.cut(afterSending: 0)
        // Whatever connection it is that was lost, the next access opens another.
        _ = try? await database.read { db in try db.fetchOne(Int.self, "SELECT 1") }
        #expect(try await database.read { db in try db.fetchOne(Int.self, "SELECT 1") } == 1)
        network.forget()
        await database.close()
        network.close()
    }

    @Test("a server of one's own is started, restarted and stopped", .enabled(if: PostgreSQLServer.isOwned))
    func servers() async throws {
        var access = PostgreSQLServer.Access(password: nil, port: nil)
        access.password = "secret"
        access.port = nil
        let server = try await PostgreSQLServer.start(access)
        #expect(
            server.folder != nil && server.certificate != server.folder
                && "\(server.location)" != "\(Database.Location.environment)")
        try server.restart()
        try await withTemporarySchema(on: server) { location in
            let database = try await Database.open(location, migrations: cities)
            await database.close()
        }
        server.stop()
    }

    @Test("a standby and a pooler are named, since they take long to start")
    func named() {
        let standby: (PostgreSQLServer) async throws -> PostgreSQLServer = PostgreSQLServer.startStandby
        let pooler: (PostgreSQLServer, PgBouncer.Mode, Int) throws -> PgBouncer = PgBouncer.init
        let (location, stop): (KeyPath<PgBouncer, Database.Location>, (PgBouncer) -> () -> Void) = (
            \.location, PgBouncer.stop
        )
        let modes: [PgBouncer.Mode] = [.session, .transaction]
        #expect(modes.map { PgBouncer.Mode(rawValue: $0.rawValue) } == modes)
        _ = (standby, pooler, location, stop, PgBouncer.isAvailable, PostgreSQLServer.StartError.self)
    }
}
