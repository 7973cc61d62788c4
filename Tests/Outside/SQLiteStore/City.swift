import Foundation
import SQLiteStore

/// What the tests store: a record, which is written by its properties and read by position.
nonisolated struct City: Record, Codable, RowDecodable, Equatable, Sendable {
    static let table = "cities"
    static let key = ["name"]
    static let coding = ColumnCoding(dates: .iso8601, uuids: .text, data: .bytes)

    var name: String
    var population: Int?
    var region: Region = .north

    init(_ name: String, _ population: Int? = nil, in region: Region = .north) {
        (self.name, self.population, self.region) = (name, population, region)
    }

    init(row: borrowing Row) throws {
        name = try row[0]
        population = try row["population"]
        region = try row[2]
    }
}

/// A type of one's own as a value: a raw value needs no code.
nonisolated enum Region: String, Codable, SQLCodable { case north, south }

nonisolated let cities = [
    Migration(
        "cities",
        script: "CREATE TABLE cities (name TEXT PRIMARY KEY, population INTEGER, region TEXT NOT NULL DEFAULT 'north')")
]
