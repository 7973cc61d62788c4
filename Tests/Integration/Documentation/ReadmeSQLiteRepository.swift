import SQLiteStore

struct City: Equatable, Sendable {
    let name: String
    let population: Int
}

protocol CityRepository: Sendable {
    func add(_ city: City) async throws
    func largest(_ count: Int) async throws -> [City]
}

struct SQLiteCityRepository: CityRepository {
    private let database: Database

    init(path: String) async throws {
        let script = "CREATE TABLE city (name TEXT PRIMARY KEY, population INTEGER NOT NULL) STRICT"
        database = try await Database.open(.file(path), migrations: [Migration("cities", script: script)])
    }

    func add(_ city: City) async throws {
        try await database.write { db in
            try db.execute("INSERT INTO city VALUES (\(city.name), \(city.population))")
        }
    }

    func largest(_ count: Int) async throws -> [City] {
        try await database.read { db in
            try db.fetchAll("SELECT name, population FROM city ORDER BY population DESC LIMIT \(count)") { row in
                City(name: try row[0], population: try row[1])
            }
        }
    }
}
