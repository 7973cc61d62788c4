#if PostgreSQL
import CPostgreSQL
import PostgreSQLStore

extension PostgreSQLBenchmarks {
    /// Fetches rows by key on one connection, in one read.
    static func keyFetch(_ report: inout Report, _ world: World) async throws {
        let count = report.scaled(10_000)
        world.c.prepare("place", "SELECT * FROM places WHERE id = $1")
        try await report.measure(
            "keyFetch", element: "fetch", count: count,
            .whole("PostgreSQLStore") {
                try await world.database.read { db in
                    var sum = 0
                    for index in 0..<count { sum += try fetch(Place.key(index), db) }
                    return sum
                }
            },
            .whole("C") {
                world.c.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                var sum = 0
                for index in 0..<count { sum += fetch(Place.key(index), world.c) }
                world.c.execute("COMMIT")
                return sum
            })
    }

    /// Fetches rows by key, each in an access of its own, without a transaction and in a read.
    static func keyFetchOwnAccess(_ report: inout Report, _ world: World) async throws {
        let count = report.scaled(10_000)
        world.c.prepare("place", "SELECT * FROM places WHERE id = $1")
        try await report.measure(
            "keyFetchOwnAccess", element: "fetch", count: count,
            .whole("PostgreSQLStore, read") {
                var sum = 0
                for index in 0..<count {
                    sum += try await world.database.read { db in try fetch(Place.key(index), db) }
                }
                return sum
            },
            .whole("PostgreSQLStore") {
                var sum = 0
                for index in 0..<count {
                    sum += try await world.database.writeWithoutTransaction { db in try fetch(Place.key(index), db)
                    }
                }
                return sum
            },
            .whole("C") {
                var sum = 0
                for index in 0..<count { sum += fetch(Place.key(index), world.c) }
                return sum
            })
    }

    /// Fetches 100,000 rows into structs, by position and by coding keys.
    static func fetchAll(_ report: inout Report, _ world: World) async throws {
        world.c.prepare("places", "SELECT * FROM places WHERE id > $1")
        let c = Report.Column.whole("C") {
            guard let result = world.c.run("places", 0) else { return 0 }
            defer { PQclear(result) }
            var places: [Place] = []
            for row in 0..<PQntuples(result) { places.append(Place(result: result, row: row)) }
            return places.reduce(0) { $0 + $1.checksum }
        }
        try await report.measure(
            "fetch100k", element: "row", count: Place.count,
            .whole("PostgreSQLStore, each") {
                try await world.database.read { db in
                    var places: [Place] = []
                    try db.forEach("SELECT * FROM places WHERE id > \(0)") { row in
                        places.append(try Place(row: row))
                    }
                    return places.reduce(0) { $0 + $1.checksum }
                }
            },
            .whole("PostgreSQLStore") {
                try await world.database.read { db in
                    let places = try db.fetchAll(Place.self, "SELECT * FROM places WHERE id > \(0)")
                    return places.reduce(0) { $0 + $1.checksum }
                }
            }, c)
        try await report.measure(
            "fetchDecodable", element: "row", count: Place.count, goal: 3,
            .whole("PostgreSQLStore") {
                try await world.database.read { db in
                    let places = try db.fetchAll(decoding: Place.self, "SELECT * FROM places WHERE id > \(0)")
                    return places.reduce(0) { $0 + $1.checksum }
                }
            }, c)
    }

    @inline(__always)
    static func fetch(_ key: Int, _ db: Connection) throws -> Int {
        try db.fetchOne(Place.self, "SELECT * FROM places WHERE id = \(key)")?.checksum ?? 0
    }

    @inline(__always)
    static func fetch(_ key: Int, _ c: LibpqConnection) -> Int {
        guard let result = c.run("place", Int32(key)) else { return 0 }
        defer { PQclear(result) }
        return Place(result: result, row: 0).checksum
    }
}
#endif
