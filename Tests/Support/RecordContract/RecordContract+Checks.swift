import ContractTesting
import DatabaseAccess
import Foundation
import TestReporting

extension RecordContract {
    static let writing: [ContractCheck<RecordStore>] = [
        check("writing", "a record is read as it was written, whatever its properties are") { db in
            try db.insert(City.seoul)
            try expect(try db.record(City.self, id: 1), equals: .seoul, "the record of the key")
            try expect(try db.records(City.self, "SELECT * FROM cities"), equals: [.seoul], "all records")
        },
        check("writing", "a record that goes on after a value is refused has no column of it") { db in
            try db.insert(Lenient())
            try expect(try db.records(Label.self, "SELECT * FROM labels"), equals: [Label(text: "a")], "the labels")
        },
        check("writing", "a URL is the text of the absolute URL") { db in
            let text = "https://example.org/a%20b?c=d"
            let bookmark = Bookmark(text: URL(string: text)!)
            try db.insert(bookmark)
            try expect(try db.records(String.self, "SELECT text FROM labels"), equals: [text], "the text")
            try expect(try db.records(Bookmark.self, "SELECT * FROM labels"), equals: [bookmark], "the bookmark")
            try expect(
                try db.records(Cell<URL?>.self, "SELECT text AS value FROM labels UNION ALL SELECT NULL"),
                equals: [bookmark.text, nil].map(Cell.init), "an optional")
            for value in ["''", "NULL"] {
                let message = try db.expect(.mismatch, from: value) {
                    _ = try db.records(Bookmark.self, "SELECT text FROM labels WHERE 1 = 2 UNION ALL SELECT \(value)")
                }
                try expect(message.contains("URL"), message)
            }
        },
        check("writing", "nil is NULL, instead of the default of its column") { db in
            var city = City.seoul
            (city.population, city.mayor, city.founded) = (nil, nil, nil)
            try db.insert(city)
            try expect(try db.record(City.self, id: 1), equals: city, "the record")
            try expect(
                try db.records(Int.self, "SELECT COUNT(*) FROM cities WHERE population IS NULL AND mayor IS NULL"),
                equals: [1], "the rows with NULL")
        },
        check("writing", "the database chooses a key that is nil, and fills in what a record has not encoded") { db in
            let first = try db.insertAndFetch(RatedNote(id: nil, body: "a"))
            let second = try db.insertAndFetch(RatedNote(id: nil, body: nil))
            try expect(first.id != nil && second.id != nil && first.id != second.id, "the keys are chosen")
            try expect([first.stars, second.stars], equals: [3, 3], "the default")
            try expect([first.body, second.body], equals: ["a", nil], "the text")
            try expect(try db.record(RatedNote.self, id: second.id ?? 0), equals: second, "the second")
            try expect(
                try db.insertAndFetch(Note(id: 99, body: "é\u{301}")), equals: Note(id: 99, body: "é\u{301}"),
                "a key that is not nil")
            try db.upsert(Note(id: nil, body: "new"))
            try expect(try db.records(Int.self, "SELECT COUNT(*) FROM notes"), equals: [4], "the number of notes")
        },
        check("writing", "an update writes the row of the key, and says whether there is one") { db in
            var city = City.seoul
            try expect(try !db.update(city), "there is no row yet")
            try db.insert(city)
            (city.name, city.population, city.districts) = ("Hanyang", nil, [])
            try expect(try db.update(city), "there is a row")
            try expect(try db.record(City.self, id: 1), equals: city, "the record")
            try db.insert(Label(text: "a"))
            try expect(try db.update(Label(text: "a")), "a row of a key alone is found")
            try expect(try !db.update(Label(text: "b")), "another one is not")
            try expect(try !db.update(Note(id: nil, body: "")), "no row has the key nil")
        },
        check("writing", "an update from an earlier form leaves the columns alone that are equal in both") { db in
            try db.insert(City.seoul)
            try db.run("UPDATE cities SET population = 1")
            var renamed = City.seoul
            renamed.name = "Hanyang"
            try expect(try db.update(renamed, from: .seoul), "there is a row")
            try expect(try !db.update(renamed, from: renamed), "nothing differs")
            renamed.population = 1
            try expect(try db.record(City.self, id: 1), equals: renamed, "the record")
            var other = City.seoul
            other.id = 2
            try db.expect(.misuse, from: "two forms with different keys") { try db.update(other, from: .seoul) }
        },
        check("writing", "an upsert inserts a row, or updates the one with its key; another unique column fails") {
            db in
            try db.upsert(City.seoul)
            var city = City.seoul
            city.area = 1
            try db.upsert(city)
            try expect(try db.records(City.self, "SELECT * FROM cities"), equals: [city], "the records")
            city.id = 2
            let duplicate = city
            try db.expect(.notUnique, from: "another unique column") { try db.upsert(duplicate) }
            try db.expect(.notUnique, from: "an insert of the same key") { try db.insert(City.seoul) }
            for _ in 0..<2 { try db.upsert(Label(text: "a")) }
            try expect(try db.records(String.self, "SELECT text FROM labels"), equals: ["a"], "a key alone")
        },
        check("writing", "a key of several columns has its own order, and names are quoted") { db in
            let seats = (1...3).map { Seat(number: $0, row: "A", guest: nil) }
            try db.insert(contentsOf: seats)
            try expect(try db.record(Seat.self, row: "A", number: 2), equals: seats[1], "the second seat")
            try expect(try db.update(Seat(number: 2, row: "A", guest: "Mina")), "there is a row")
            try expect(try db.delete(seats[0]), "there was a row")
            try expect(try !db.delete(seats[0]), "there was none")
            try expect(try db.remove(Seat.self, row: "A", number: 3), "there was a row of the key")
            try expect(try !db.remove(Seat.self, row: "A", number: 3), "there was none of the key")
            try expect(
                try db.records(Seat.self, #"SELECT * FROM "the ""seats"" ""#),
                equals: [Seat(number: 2, row: "A", guest: "Mina")], "the seats")
            try db.expect(.misuse, from: "one value for a key of two columns") {
                _ = try db.record(Seat.self, text: "A")
            }
        },
        check("writing", "none, one and many records are inserted, with keys that are nil among others") { db in
            try db.insert(contentsOf: [] as [Note])
            try db.insert(contentsOf: [Note(id: 1_000_000, body: "one")])
            let notes = (0..<1_001).map { Note(id: $0 % 100 < 50 ? 10_000 + $0 : nil, body: "\($0)") }
            try db.insert(contentsOf: notes)
            let stored = try db.records(Note.self, "SELECT * FROM notes WHERE body <> 'one'")
            try expect(stored.map(\.body).sorted(), equals: notes.map(\.body).sorted(), "the texts")
            try expect(Set(stored.map(\.id)).count, equals: 1_001, "the number of keys")
            try expect(
                stored.filter { notes[Int($0.body ?? "") ?? 0].id.map { [id = $0.id] in $0 == id } ?? true }.count,
                equals: 1_001, "the notes with their keys")
            try db.expect(.notUnique, from: "a key that exists") { try db.insert(contentsOf: [notes[0]]) }
        },
    ]

    static let reading: [ContractCheck<RecordStore>] = [
        codings(Standard.self, "as they are bound"), codings(Seconds.self, "as seconds, bytes, Base64 and JSON"),
        codings(Milliseconds.self, "as milliseconds, text, bytes and JSON"),
        check("reading", "columns are found by name in any order, and a missing one is nil or an error") { db in
            let parts = try db.records(
                Part.self,
                "SELECT 'x' AS a, 1 AS b, '[1]' AS c UNION ALL SELECT 'y' AS a, NULL AS b, NULL AS c ORDER BY a")
            try expect(parts, equals: [Part(b: 1, a: "x", c: [1]), Part(b: nil, a: "y", c: nil)], "the parts")
            try expect(
                try db.records(Part.self, "SELECT 'x' AS a"), equals: [Part(b: nil, a: "x", c: nil)], "a part")
            try db.expect(.range, from: "a missing column") { _ = try db.records(Part.self, "SELECT 1 AS b") }
            try expect(
                try db.records(Int.self, "SELECT 1 AS n UNION SELECT 2 AS n ORDER BY n"), equals: [1, 2], "the numbers")
            try expect(try db.records(Int.self, "SELECT 1 WHERE 1 = 2"), equals: [], "no rows")
        },
        ContractCheck("reading", "parents have their children by one query, as JSON") { store in
            try await store.write { db in
                let first = [Seat(number: 1, row: "A", guest: "Mina"), Seat(number: 2, row: "A", guest: nil)]
                let second = [Seat(number: 1, row: "B", guest: nil)]
                try db.insert(contentsOf: first + second)
                try expect(
                    try db.records(SeatRow.self, store.children),
                    equals: [SeatRow(row: "A", seats: first), SeatRow(row: "B", seats: second)], "the rows")
            }
        },
        check("reading", "a value that cannot be read is named by its column, and not quoted") { db in
            try db.insert(City.seoul)
            for (change, column) in [
                ("climate = 'secret'", "climate"), (#"mayor = '{"name": 1, "secret": 2}'"#, "mayor"),
                ("mayor = '[]'", "mayor"), ("population = -1", "population"), ("population = 9999999999", "population"),
            ] {
                try db.run("UPDATE cities SET \(change)")
                let text = try db.expect(.mismatch, from: change) { _ = try db.record(City.self, id: 1) }
                try expect(text.contains(column) && !text.contains("secret"), text)
                try db.update(City.seoul)
            }
        },
        check("reading", "JSON in one row is NULL in the next, and text for a type that is no JSON") { db in
            let rows = """
                SELECT value FROM (
                    SELECT 1 AS n, '{"name":"Oh"}' AS value UNION ALL SELECT 2, NULL UNION ALL SELECT 3, '{"name":"Kim"}'
                ) AS list ORDER BY n
                """
            let mayors = [Mayor(name: "Oh"), nil, Mayor(name: "Kim")].map(Cell.init)
            try expect(try db.records(Cell<Mayor?>.self, rows), equals: mayors, "the mayors")
            let climates = [MayorOrClimate.climate(.cold)].map(Cell.init)
            try expect(
                try db.records(Cell<MayorOrClimate>.self, "SELECT 'cold' AS value"), equals: climates, "the climate")
        },
        check("reading", "numbers at the limits of their types are kept, and those beyond are a mismatch") { db in
            for stars in [0, 1, UInt64(Int64.max)] {
                let wide = try db.insertAndFetch(Wide(id: nil, stars: stars))
                try expect(wide.stars, equals: stars, "the stars")
                try db.upsert(wide)
            }
            try db.expect(.mismatch, from: "more than Int64.max") { try db.insert(Wide(id: nil, stars: .max)) }
            try db.run("UPDATE notes SET stars = -1")
            try db.expect(.mismatch, from: "less than 0") { _ = try db.records(Wide.self, "SELECT * FROM notes") }
            try db.insert(City.seoul)
            for (number, small) in [(-128, -128), (127, 127), (128, nil)] as [(Int, Int8?)] {
                let query = "SELECT \(number) AS small, area, \"isCapital\" FROM cities"
                if let small {
                    let narrow = Narrow(small: small, area: 605.2, isCapital: true)
                    try expect(try db.records(Narrow.self, query), equals: [narrow], "the numbers")
                } else {
                    try db.expect(.mismatch, from: query) { _ = try db.records(Narrow.self, query) }
                }
            }
        },
        check("reading", "the columns of a superclass are columns of the record") { db in
            try db.insert(Starred(id: 1, body: "a", stars: 4))
            let read = try db.record(Starred.self, id: 1)
            try expect(read.map { [$0.body, "\($0.stars)"] }, equals: ["a", "4"], "the text and the stars")
        },
        check("reading", "a decoder that outlives its row throws instead of reading") { db in
            for late in try db.records(Late.self, "SELECT 1 AS a UNION ALL SELECT 2 AS a") {
                try db.expect(.misuse, from: "a column") { _ = try late.container.decode(Int.self, forKey: .a) }
                try db.expect(.misuse, from: "an optional") {
                    _ = try late.container.decodeIfPresent(Date.self, forKey: .a)
                }
                try db.expect(.misuse, from: "a missing column") { _ = try late.container.decode(Int.self, forKey: .b) }
                try db.expect(.misuse, from: "a value") { _ = try late.decoder.singleValueContainer().decode(Int.self) }
                try db.expect(.misuse, from: "a list") { _ = try late.decoder.unkeyedContainer() }
            }
        },
        check("reading", "NULL in a property that is no optional is a mismatch") { db in
            let text = try db.expect(.mismatch, from: "NULL") {
                _ = try db.records(Label.self, "SELECT body AS text FROM notes UNION ALL SELECT NULL AS text")
            }
            try expect(text.contains("text") && text.contains("NULL"), text)
        },
    ]

    private static func codings<Form: VisitForm>(_ form: Form.Type, _ name: String) -> ContractCheck<RecordStore> {
        check("reading", "dates, UUIDs, data and lists have the form that the type states: \(name)") { db in
            let (table, photo) = (Form.table, Data([1, 2, 3]))
            for (at, tags) in [(Date(timeIntervalSince1970: 1_700_000_000.25), ["a\"b", "é"]), (nil, [])] {
                var visit = Visit<Form>(id: UUID(), at: at, photo: photo, tags: tags)
                try db.insert(visit)
                let all = "SELECT * FROM \(table)"
                try expect(try db.records(Visit<Form>.self, all), equals: [visit], "the visit")
                let loose = LooseVisit<Form, UUID?, Date?, Data?>(id: visit.id, at: at, photo: photo, tags: tags)
                try expect(try db.records(type(of: loose), all), equals: [loose], "the visit with optionals")
                visit.photo = Data()
                try expect(try db.update(visit), "the row is found by its UUID")
                try expect(try db.records(Visit<Form>.self, all), equals: [visit], "the changed visit")
                try expect(try db.record(Visit<Form>.self, id: visit.id), equals: visit, "the visit with this UUID")
                try expect(try db.delete(visit), "the row is deleted by its UUID")
                try db.insert(visit)
                try expect(try db.remove(Visit<Form>.self, id: visit.id), "the row with this UUID is deleted")
            }
        }
    }

    static let misuses: [ContractCheck<RecordStore>] = [
        misuse("without the column of its key") { try $0.insert(Keyless()) },
        misuse("without columns") { try $0.insert(Columnless()) },
        misuse("without a key") { try $0.insert(NoKey()) },
        misuse("with a nested container") { try $0.insert(Nested()) },
        misuse("that is a list") { try $0.insert(Listed()) },
        misuse("that is a single value") { try $0.insert(Single()) },
        misuse("with an encoder of a column") { try $0.insert(Inner()) },
        misuse("with other columns than one before") {
            try $0.insert(contentsOf: [Varying(hasOther: false), Varying(hasOther: true)])
        },
    ]

    private static func misuse(
        _ kind: String, _ body: @escaping @Sendable (any RecordConnection) throws -> Void
    ) -> ContractCheck<RecordStore> {
        check("misuse", "a record \(kind) is a misuse, and nothing is written") { db in
            try db.expect(.misuse, from: "a record \(kind)") { try body(db) }
            try expect(try db.records(Int.self, "SELECT COUNT(*) FROM labels"), equals: [0], "the number of labels")
        }
    }

    static let generated: [ContractCheck<RecordStore>] = (0..<20 as Range<UInt64>).map { seed in
        ContractCheck("generated", "records are read as they were written, with the seed \(seed)") { store in
            try await store.write { db in try run(seed: seed, db, store) }
        }
    }

    /// Runs random changes of eight keys, on the store and on a dictionary.
    private static func run(seed: UInt64, _ db: any RecordConnection, _ store: RecordStore) throws {
        var random = SeededGenerator(seed: seed)
        var model: [Int: City] = [:]
        for step in 0..<60 {
            let id = Int.random(in: 0..<8, using: &random)
            var city = City.seoul
            (city.id, city.name) = (id, "\(step)\u{0301}'\"\(store.holdsNUL ? "\u{0}" : "\\")x")
            city.population = Bool.random(using: &random) ? UInt32.random(in: .min ... .max, using: &random) : nil
            city.area = Double(Int.random(in: -9...9, using: &random)) / 7
            city.districts = (0..<Int.random(in: 0..<3, using: &random)).map { "\($0)\"é{},\\" }
            city.mayor = Bool.random(using: &random) ? Mayor(name: "", since: nil) : nil
            city.founded = Date(timeIntervalSince1970: Double(Int.random(in: -9...9, using: &random)) * 1e8 + 0.5)
            city.flag = Data((0..<Int.random(in: 0..<4, using: &random)).map { UInt8($0) })
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where model[id] == nil: try db.insert(city)
            case 1:
                let exists = model[id] != nil
                try expect(try db.update(city), equals: exists, "step \(step): whether a row is updated")
                if !exists { continue }
            case 2:
                guard let old = model[id] else { continue }
                try expect(try db.update(city, from: old), "step \(step): a row is updated")
            case 3:
                try expect(
                    try db.remove(City.self, id: id), equals: model[id] != nil, "step \(step): whether a row is deleted"
                )
                model[id] = nil
                continue
            case 4 where model[id] == nil:
                try expect(try db.insertAndFetch(city), equals: city, "step \(step): the inserted record")
            default: try db.upsert(city)
            }
            model[id] = city
        }
        let stored = try db.records(City.self, "SELECT * FROM cities ORDER BY id")
        try expect(stored, equals: model.sorted { $0.key < $1.key }.map(\.value), "the records")
    }
}

private func < (left: String?, right: String?) -> Bool { (left ?? "") < (right ?? "") }

extension [String?] {
    fileprivate func sorted() -> [String?] { sorted(by: <) }
}
