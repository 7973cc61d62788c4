import Observation
import SQLiteStore

// Rows are decoded on threads of the database. In a module whose code is on the main actor by default, a record does
// not have to say that it is not.
struct City: RowDecodable, Equatable {
    let name: String
    let population: Int?

    init(row: borrowing Row) throws {
        name = try row[0]
        population = try row[1]
    }
}

enum Hemisphere: String, SQLCodable {
    case north, south
}

struct PostalCode: SQLBindable, SQLDecodable, Equatable {
    let text: String

    var sqlValue: SQLValue { .text(text) }

    init(column: borrowing Column) throws {
        text = try String(column: column)
    }
}

@Observable
final class CityModel {
    var names: [String] = []
}

func largestCities() async throws -> [String] {
    let database = try await Database.open(
        .inMemory,
        migrations: [Migration("cities", script: "CREATE TABLE cities (name TEXT PRIMARY KEY, population INTEGER)")])
    try await database.write { db in
        for (name, population) in [("Seoul", 9_500_000), ("Busan", 3_300_000)] {
            try db.execute("INSERT INTO cities VALUES (\(name), \(population))")
        }
    }
    let cities = try await database.read { db in
        try db.fetchAll(City.self, "SELECT name, population FROM cities ORDER BY population DESC LIMIT \(10)")
    }
    await database.close()
    return cities.map(\.name)
}
