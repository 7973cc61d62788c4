import Foundation
import SQLiteStore
import SQLiteStoreTesting
import Testing

@Suite("Reading and writing", .timeLimit(.minutes(5)))
struct ReadingTests {
    @Test("rows are read as values, as structures and one after the other")
    func fetching() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            try await database.write { db in
                let count = try db.execute(
                    "INSERT INTO cities (name, population) VALUES (?, ?)",
                    forEach: [("Seoul", 9_400_000), ("Busan", 3_300_000)]
                ) { city, statement in
                    try bind(city.0, city.1, to: &statement)
                }
                #expect(count == 2)
                try db.execute("INSERT INTO cities VALUES (\("Jeju"), NULL, \(Region.south))")
                #expect(db.lastInsertedRowID == 3)
            }
            try await database.read { db in
                #expect(
                    try db.fetchAll(String.self, "SELECT name FROM cities ORDER BY name") == ["Busan", "Jeju", "Seoul"])
                #expect(try db.fetchOne(Int.self, "SELECT count(*) FROM cities") == 3)
                #expect(
                    try db.fetchAll(City.self, "SELECT * FROM cities WHERE name IN \(["Jeju"])") == [
                        City("Jeju", in: .south)
                    ])
                #expect(
                    try db.fetchOne(decoding: City.self, "SELECT * FROM cities WHERE name = 'Jeju'")?.region == .south)
                let pairs = try db.fetchAll("SELECT name, population FROM cities ORDER BY rowid LIMIT 1") { row in
                    #expect(row.columnCount == 2 && row.columnNames == ["name", "population"])
                    return "\(try row[0] as String) \(try row["population"] as Int)"
                }
                #expect(pairs == ["Seoul 9400000"])
                // Or column by column, without numbers.
                let inOrder = try db.fetchAll("SELECT name, population FROM cities ORDER BY rowid LIMIT 1") { row in
                    try row.read { (columns: inout ColumnCursor) in
                        let name = try columns.next(String.self)
                        return try columns.withNext { column in "\(name) \(column.rawInteger)" }
                    }
                }
                #expect(inOrder == pairs)
                var names: [String] = []
                try db.forEach("SELECT name FROM cities ORDER BY name") { row, isLast in
                    names.append(try row[0])
                    isLast = names.count == 2
                }
                #expect(names == ["Busan", "Jeju"])
                #expect(try db.explain("SELECT * FROM cities WHERE name = 'Jeju'").contains("SEARCH"))
            }
        }
    }

    /// Binds the parameters of one execution.
    nonisolated private func bind(_ name: String, _ population: Int, to parameters: inout ParameterBinder) throws {
        try parameters.bind(name)
        try parameters.bind(population)
    }

    @Test("records are written by their keys")
    func records() async throws {
        #expect(City.table == "cities" && City.key == ["name"])
        try await withTemporaryDatabase(migrations: cities) { database in
            try await database.write { db in
                let inserted: City = try db.insertAndFetch(City("Seoul", 9))
                #expect(inserted == City("Seoul", 9))
                try db.insert(contentsOf: [City("Busan", 3), City("Jeju")])
                let seoul = try #require(try db.fetchOne(City.self, key: "Seoul") as City?)
                var later = seoul
                later.population = 10
                #expect(try db.update(later, from: seoul))
                #expect(try db.update(later))
                try db.upsert(City("Jeju", 1, in: .south))
                #expect(try db.delete(City("Busan")))
                #expect(try db.delete(City.self, key: "Busan") == false)
                #expect(
                    try db.fetchAll(decoding: City.self, "SELECT * FROM cities ORDER BY name") == [
                        City("Jeju", 1, in: .south), later,
                    ])
            }
        }
    }

    @Test("a prepared statement runs many times")
    func preparedStatements() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            try await database.write { db in
                try db.withStatement("INSERT INTO cities (name, population) VALUES (?, ?)") {
                    (statement: inout PreparedStatement) in
                    let count = try statement.execute("Seoul", 9) + statement.execute("Busan", nil as Int?)
                    #expect(count == 2)
                }
                try db.withStatement("SELECT * FROM cities WHERE name > ? ORDER BY name") { statement in
                    #expect(try statement.fetchAll(City.self, "A").map(\.name) == ["Busan", "Seoul"])
                    #expect(try statement.fetchOne(City.self, "C")?.population == 9)
                    var count = 0
                    try statement.forEach("A") { _ in count += 1 }
                    #expect(count == 2)
                }
            }
        }
    }

    @Test("a transaction inside an access is undone alone")
    func transactions() async throws {
        try await withTemporaryDatabase(migrations: cities) { database in
            try await database.write { db in
                try db.insert(City("Seoul"))
                try? db.transaction {
                    try db.insert(City("Busan"))
                    throw SQLiteError(.error, "undone")
                }
                #expect(try db.fetchOne(Int.self, "SELECT count(*) FROM cities") == 1)
            }
        }
    }

    @Test("functions and collations of SQL are closures")
    func functions() async throws {
        let database = try await Database.open(
            .inMemory,
            configuration: Database.Configuration().with {
                $0.prepare = { db in
                    try db.addFunction("shout") { (text: String) in text.uppercased() + "!" }
                    try db.addFunction("fail") { (_: Int) -> Int in throw FunctionError("the number is odd") }
                    try db.addCollation("backwards") { $1.compare($0) }
                    try db.executeScript("CREATE TEMP TABLE words (word TEXT); INSERT INTO words VALUES ('a'), ('b')")
                }
            })
        try await database.writeWithoutTransaction { db in
            let shout = try db.fetchOne(String.self, "SELECT shout('a')")
            #expect(shout == "A!")
            #expect(
                try db.fetchAll(String.self, "SELECT word FROM words ORDER BY word COLLATE backwards") == ["b", "a"])
            let error = #expect(throws: SQLiteError.self) { _ = try db.fetchOne(Int.self, "SELECT fail(1)") }
            #expect(error?.message.contains("odd") == true)
        }
        await database.close()
    }

    @Test("full text is found by words, by their beginnings and by phrases")
    func fullText() async throws {
        let texts = FullTextIndex("city_texts", of: "notes", columns: ["text"], tokenizer: "unicode61")
        #expect(texts.name == "city_texts" && texts.table == "notes" && texts.columns == ["text"])
        #expect(texts.tokenizer == "unicode61" && texts.script.contains("CREATE VIRTUAL TABLE"))
        let migrations = [
            Migration("notes", script: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"),
            Migration("texts", creating: texts),
        ]
        try await withTemporaryDatabase(migrations: migrations) { database in
            try await database.write { db in
                try db.execute("INSERT INTO notes (text) VALUES ('a day at the sea'), ('a night')")
                func matches(_ pattern: FullTextPattern?) throws -> Int? {
                    let pattern = try #require(pattern)
                    #expect(pattern.sqlValue != .null)
                    return try db.fetchOne(
                        Int.self, "SELECT count(*) FROM city_texts WHERE city_texts MATCH \(pattern)")
                }
                #expect(try matches(FullTextPattern(allWordsIn: "day se", prefixes: .lastWord)) == 1)
                #expect(try matches(FullTextPattern(anyWordIn: "da nigh", prefixes: .everyWord, in: ["text"])) == 2)
                let prefixes: FullTextPattern.Prefixes = .none
                #expect(try matches(FullTextPattern(allWordsIn: "se", prefixes: prefixes)) == 0)
                #expect(try matches(FullTextPattern(phrase: "the sea")) == 1)
                #expect(try matches(FullTextPattern(raw: "day OR night")) == 2)
                #expect(try texts.problems(in: db) == [])
                try texts.rebuild(in: db)
            }
        }
        let database = try await Database.open(.temporary, migrations: migrations.upTo("notes"))
        try await database.write { db in try texts.create(in: db) }
        await database.close()
    }
}
