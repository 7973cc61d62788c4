import SQLiteStore
import TestConcurrency
import Testing

/// The examples of the documentation.
@Suite("Documentation", .limitedConcurrency)
struct DocumentationTests {
    struct City: RowDecodable, Equatable {
        let name: String
        let population: Int?

        init(row: borrowing Row) throws {
            name = try row[0]
            population = try row[1]
        }
    }

    @Test("the overview's first example runs")
    func overview() async throws {
        let (name, population) = ("Seoul", 9_400_000)
        let database = try await Database.open(
            .temporary,
            migrations: [
                Migration("cities", script: "CREATE TABLE cities (name TEXT PRIMARY KEY, population INTEGER)")
            ])
        try await database.write { db in
            try db.execute("INSERT INTO cities VALUES (\(name), \(population))")
        }
        let largest = try await database.read { db in
            try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY population DESC LIMIT \(10)")
        }
        #expect(largest == ["Seoul"])
        for try await names in database.observe(String.self, "SELECT name FROM cities ORDER BY name") {
            #expect(names == ["Seoul"])
            break
        }
        let cities = try await database.read { db in try db.fetchAll(City.self, "SELECT name, population FROM cities") }
        #expect(cities.map(\.population) == [9_400_000])
        await database.close()
    }

    private enum Region: String, SQLCodable { case north, south }

    @Test("the overview's examples of values and columns run")
    func values() async throws {
        let (name, population) = ("Seoul", 9_400_000)
        let database = try await Database.open(
            .inMemory,
            migrations: [
                Migration(
                    "cities", script: "CREATE TABLE cities (name TEXT PRIMARY KEY, population INTEGER, region TEXT)")
            ])
        try await database.write { db in
            try db.execute("INSERT INTO cities (name, population) VALUES (\(name), \(population))")
            try db.execute("UPDATE cities SET region = \(Region.north)")
        }
        let cities = try await database.read { db in
            try db.fetchAll(City.self, "SELECT name, population FROM cities WHERE region IN \([Region.north])")
        }
        #expect(cities.map(\.name) == ["Seoul"])
        let region = try await database.read { db in try db.fetchOne(Region.self, "SELECT region FROM cities") }
        #expect(region == .north)
        await database.close()
    }

    @Test("a migrated date of another library sorts together with new ones")
    func dates() async throws {
        let database = try await Database.open(.inMemory)
        let rewritten = try await database.read { db in
            try db.fetchOne(
                String.self, "SELECT strftime('%Y-%m-%dT%H:%M:%f', '2024-05-01 12:34:56.789') || '000000Z'")
        }
        #expect(rewritten == "2024-05-01T12:34:56.789000000Z")
    }
}
