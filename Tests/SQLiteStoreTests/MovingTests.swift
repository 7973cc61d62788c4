import CSQLite
import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing

/// The code of the article "Moving from GRDB", on files as GRDB writes them.
@Suite("Moving from GRDB", .limitedConcurrency)
struct MovingFromGRDBTests {
    @Test("the code of the article is that of these tests")
    func codeIsTested() throws { try expectCode(of: "MovingFromGRDB", inSource: #filePath) }

    @Test(
        "a file with migrations of GRDB gets those that it lacks, once, and a new file all of them",
        arguments: [
            [],
            ["CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"],
            [
                "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
                "INSERT INTO grdb_migrations VALUES ('players')",
                "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
                "INSERT INTO player VALUES (1, 'Mina')",
            ],
            [
                "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
                "INSERT INTO grdb_migrations VALUES ('players'), ('scores')",
                "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER NOT NULL DEFAULT 0)",
                "INSERT INTO player VALUES (1, 'Mina', 7)",
            ],
        ])
    func migrations(statements: [String]) async throws {
        let fromGRDB = Migration(
            "from GRDB",
            adoptingGRDB: [
                "players": "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
                "scores": "ALTER TABLE player ADD COLUMN score INTEGER NOT NULL DEFAULT 0",
            ])
        try await withTemporaryFolder { folder in
            let path = folder + "/players.sqlite"
            let written = try await Database.open(.file(path))
            try await written.write { db in for statement in statements { try db.executeScript(statement) } }
            await written.close()

            for _ in 1...2 {
                let database = try await Database.open(.file(path), migrations: [fromGRDB])
                let players = try await database.read { db in
                    try db.fetchAll("SELECT name, score FROM player") { row in
                        "\(try row[0] as String) \(try row[1] as Int)"
                    }
                }
                switch statements.count {
                case 0, 1: #expect(players == [])
                case _ where statements[3].hasSuffix("7)"): #expect(players == ["Mina 7"])
                default: #expect(players == ["Mina 0"])
                }
                await database.close()
            }
        }
    }

    @Test("migrations of GRDB that are code run in a file that lacks them", arguments: [nil, "players", "initials"])
    func migrationsFromCode(last: String?) async throws {
        let withCode = Migration(
            "from GRDB",
            adoptingGRDB: [
                Migration("players", script: "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"),
                Migration("initials", revision: "1") { db in
                    try db.executeScript("ALTER TABLE player ADD COLUMN initial TEXT NOT NULL DEFAULT ''")
                    let players = try db.fetchAll("SELECT id, name FROM player") { row in
                        (try row[0] as Int, try row[1] as String)
                    }
                    try db.execute("UPDATE player SET initial = ? WHERE id = ?", forEach: players) { player, values in
                        try values.bind(String(player.1.prefix(1)), player.0)
                    }
                },
            ])
        let (players, initial) = ("CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL", "initial TEXT")
        try await withTemporaryFolder { folder in
            let location = Database.Location.file(folder + "/players.sqlite")
            let written = try await Database.open(location)
            try await written.write { db in
                guard let last else { return }
                try db.executeScript("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
                try db.executeScript(players + (last == "players" ? ")" : ", \(initial))"))
                try db.executeScript("INSERT INTO player (name) VALUES ('Mina')")
                for name in last == "players" ? ["players"] : ["players", "initials"] {
                    try db.execute("INSERT INTO grdb_migrations VALUES (\(name))")
                }
            }
            await written.close()
            for _ in 1...2 {
                let database = try await Database.open(location, migrations: [withCode])
                let initials = try await database.read { db in
                    try db.fetchAll(String?.self, "SELECT initial FROM player")
                }
                #expect(initials == (last == nil ? [] : last == "players" ? ["M"] : [nil]))
                await database.close()
            }
            let edited = [Migration("players", script: "CREATE TABLE player (id)"), Migration("initials", script: "")]
            let error = await #expect(throws: SQLiteError.self) {
                try await Database.open(location, migrations: [Migration("from GRDB", adoptingGRDB: edited)])
            }
            #expect(error?.code == .migrationChanged)
        }
    }

    @Test("a file with a migration of GRDB that the list lacks is refused, and left as it was")
    func newerFile() async throws {
        let statements = "CREATE TABLE grdb_migrations (identifier TEXT); INSERT INTO grdb_migrations VALUES ('teams')"
        try await withTemporaryFolder { folder in
            let location = Database.Location.file(folder + "/players.sqlite")
            let written = try await Database.open(location)
            try await written.write { db in try db.executeScript(statements) }
            await written.close()
            let error = await #expect(throws: SQLiteError.self) {
                try await Database.open(
                    location,
                    migrations: [Migration("from GRDB", adoptingGRDB: ["players": "CREATE TABLE player (id)"])])
            }
            #expect(error?.code == .databaseIsNewer)
            let database = try await Database.open(location)
            #expect(
                try await database.read { db in
                    try db.fetchAll(String.self, "SELECT name FROM sqlite_schema WHERE type = 'table'")
                } == ["grdb_migrations"])
            await database.close()
        }
    }

    @Test("dates and identifiers that GRDB wrote sort and compare with new ones after the migrations")
    func values() async throws {
        let dates = Migration(
            "dates",
            script: "UPDATE trips SET created_at = strftime('%Y-%m-%dT%H:%M:%f', created_at) || '000000Z'")
        let identifiers = Migration(
            "identifiers",
            script: """
                UPDATE trips SET id = substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || substr(hex(id), 13, 4)
                    || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)
                WHERE typeof(id) = 'blob'
                """)
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let new = Date(timeIntervalSince1970: 1_714_566_897)
        let rows = Migration(
            "rows",
            script: """
                CREATE TABLE trips (id PRIMARY KEY, created_at TEXT NOT NULL);
                INSERT INTO trips VALUES (X'E621E1F8C36C495A93FC0C247A3E6E5F', '2024-05-01 12:34:56.789');
                """)

        let database = try await Database.open(.inMemory, migrations: [rows, dates, identifiers])
        try await database.write { db in try db.execute("INSERT INTO trips VALUES (\(UUID()), \(new))") }

        let sorted = try await database.read { db in
            try db.fetchAll(Date.self, "SELECT created_at FROM trips ORDER BY 1")
        }
        #expect(sorted.map { ($0.timeIntervalSince1970 * 1_000).rounded() } == [1_714_566_896_789, 1_714_566_897_000])
        let found = try await database.read { db in
            try db.fetchOne(Date.self, "SELECT created_at FROM trips WHERE id = \(id) AND created_at < \(new)")
        }
        #expect(found != nil)
        await database.close()
    }

    @Test("dates that GRDB wrote into JSON are read as such after the migration")
    func datesInJSON() async throws {
        let datesInJSON = Migration(
            "dates in JSON",
            script: """
                UPDATE notes SET trip = json_set(trip, '$.at', json_extract(trip, '$.at') / 1000.0 - 978307200)
                WHERE json_extract(trip, '$.at') IS NOT NULL
                """)
        let rows = Migration(
            "rows",
            script: """
                CREATE TABLE notes (id INTEGER PRIMARY KEY, trip TEXT);
                INSERT INTO notes (trip) VALUES ('{"at":1714566896789,"name":"Jeju"}'), ('{"name":"Busan"}'), (NULL);
                """)
        struct Trip: Decodable {
            var name: String
            var at: Date?
        }
        struct Note: Decodable { var trip: Trip? }
        let database = try await Database.open(.inMemory, migrations: [rows, datesInJSON])
        let trips = try await database.read { db in try db.fetchAll(decoding: Note.self, "SELECT trip FROM notes") }
        #expect(
            trips.map { $0.trip?.at.map { ($0.timeIntervalSince1970 * 1_000).rounded() } } == [
                1_714_566_896_789, nil, nil,
            ])
        #expect(trips.map { $0.trip?.name } == ["Jeju", "Busan", nil])
        await database.close()
    }

    enum Status: String, Codable, SQLCodable { case unread, finished }

    struct Author: Record, Codable, Equatable {
        static let table = "author"
        var id: Int?
        var name: String
    }

    struct Book: Record, Codable, Equatable {
        static let table = "book"
        var id: Int?
        var authorId: Int
        var title: String
        var status = Status.unread
    }

    struct Loan: Record, Codable, Equatable {
        static let table = "loan"
        static let coding = ColumnCoding(uuids: .bytes)
        var id: UUID
        var bookId: Int
        var borrower: String
    }

    struct BookInfo: Equatable {
        var book: Book
        var author: Author?
        var loans: [Loan]
    }

    struct BookFilter {
        var text = ""
        var status: Status?
        var tags: [String] = []

        var condition: SQL {
            var conditions: [SQL] = ["TRUE"]
            if let status { conditions.append("book.status = \(status)") }
            if !tags.isEmpty { conditions.append("book.id IN (SELECT bookId FROM bookTag WHERE tagName IN \(tags))") }
            if let words = FullTextPattern(allWordsIn: text, prefixes: .everyWord) {
                conditions.append("book.id IN (SELECT rowid FROM bookSearch WHERE bookSearch MATCH \(words))")
            }
            return conditions.joined(separator: " AND ")
        }
    }

    struct AuthorInfo: Decodable {
        var author: Author
        var bookCount: Int

        enum CodingKeys: CodingKey { case bookCount }

        init(from decoder: any Decoder) throws {
            author = try Author(from: decoder)
            bookCount = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .bookCount)
        }
    }

    private static let books = Migration(
        "books",
        script: """
            CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
            CREATE TABLE book (id INTEGER PRIMARY KEY, authorId INTEGER NOT NULL REFERENCES author, title TEXT NOT NULL,
                status TEXT NOT NULL);
            CREATE TABLE bookTag (bookId INTEGER NOT NULL REFERENCES book, tagName TEXT NOT NULL);
            CREATE TABLE loan (id BLOB PRIMARY KEY, bookId INTEGER NOT NULL REFERENCES book, borrower TEXT NOT NULL);
            CREATE VIRTUAL TABLE "bookSearch" USING fts5(title, content='book', content_rowid='id');
            CREATE TRIGGER "__bookSearch_ai" AFTER INSERT ON "book" BEGIN
                INSERT INTO "bookSearch"("rowid", "title") VALUES (new."id", new."title");
            END;
            CREATE TRIGGER "__bookSearch_ad" AFTER DELETE ON "book" BEGIN
                INSERT INTO "bookSearch"("bookSearch", "rowid", "title") VALUES('delete', old."id", old."title");
            END;
            CREATE TRIGGER "__bookSearch_au" AFTER UPDATE ON "book" BEGIN
                INSERT INTO "bookSearch"("bookSearch", "rowid", "title") VALUES('delete', old."id", old."title");
                INSERT INTO "bookSearch"("rowid", "title") VALUES (new."id", new."title");
            END;
            INSERT INTO author (name) VALUES ('Han Kang'), ('Le Guin'), ('Cha');
            INSERT INTO book (authorId, title, status)
                VALUES (1, 'Human Acts', 'unread'), (2, 'Earthsea', 'finished'), (1, 'Élan', 'unread');
            INSERT INTO bookTag VALUES (1, 'novel'), (2, 'novel');
            """)

    @Test("records are read with their associated ones, by conditions that are joined")
    func associations() async throws {
        let index = FullTextIndex(
            "bookSearch", of: "book", columns: ["title"], tokenizer: "unicode61 remove_diacritics 2")
        let search = Migration("search", revision: index.script) { db in
            try db.executeScript(
                """
                DROP TRIGGER __bookSearch_ai; DROP TRIGGER __bookSearch_ad; DROP TRIGGER __bookSearch_au;
                DROP TABLE bookSearch;
                """)
            try index.create(in: db)
        }
        let database = try await Database.open(.inMemory, migrations: [Self.books, search])
        let id = UUID()
        try await database.write { db in
            try db.insert(Loan(id: id, bookId: 1, borrower: "Mina"))
            #expect(try index.problems(in: db) == [])
        }
        try await database.read { db in
            let loan = try db.fetchOne(decoding: Loan.self, "SELECT * FROM loan WHERE id = \(id, coding: Loan.coding)")
            #expect(loan?.borrower == "Mina")
            #expect(try db.fetchOne(Int.self, "SELECT COUNT(*) FROM loan WHERE id = \(id)") == 0)

            for (filter, titles) in [
                (BookFilter(), ["Earthsea", "Human Acts", "Élan"]), (BookFilter(text: "ela"), ["Élan"]),
                (BookFilter(status: .unread, tags: ["novel", "poem"]), ["Human Acts"]),
                (BookFilter(status: .finished, tags: ["poem"]), []),
            ] {
                let count = try db.fetchOne(Int.self, "SELECT COUNT(*) FROM book WHERE \(filter.condition)") ?? 0
                #expect(count == titles.count)

                let books = try db.fetchAll(
                    decoding: Book.self, "SELECT * FROM book WHERE \(filter.condition) ORDER BY title LIMIT 50")
                let ids = books.compactMap(\.id)
                let authors = try db.fetchAll(
                    decoding: Author.self, "SELECT * FROM author WHERE id IN \(Set(books.map(\.authorId)))")
                let loans = try db.fetchAll(decoding: Loan.self, "SELECT * FROM loan WHERE bookId IN \(ids)")

                let author = Dictionary(uniqueKeysWithValues: authors.map { ($0.id, $0) })
                let loansOfBook = Dictionary(grouping: loans, by: \.bookId)
                let infos = books.map { book in
                    BookInfo(book: book, author: author[book.authorId], loans: loansOfBook[book.id ?? 0, default: []])
                }
                #expect(infos.map(\.book.title) == titles)
                for info in infos {
                    #expect(info.author?.name == (info.book.title == "Earthsea" ? "Le Guin" : "Han Kang"))
                    #expect(info.loans.map(\.id) == (info.book.title == "Human Acts" ? [id] : []))
                }
            }

            let authorInfos = try db.fetchAll(
                decoding: AuthorInfo.self,
                """
                SELECT author.*, COUNT(book.id) AS bookCount FROM author LEFT JOIN book ON authorId = author.id
                GROUP BY author.id ORDER BY name
                """)
            #expect(authorInfos.map { "\($0.author.name) \($0.bookCount)" } == ["Cha 0", "Han Kang 2", "Le Guin 1"])
        }
        await database.close()
    }

    @Test("a record is saved by an update, or by an insert if there was nothing to update")
    func saving() async throws {
        let database = try await Database.open(.inMemory, migrations: [Self.books])
        try await database.write { db in
            for author in [
                Author(id: nil, name: "New"), Author(id: 1, name: "Changed"), Author(id: 9, name: "With key"),
            ] {
                var player = author
                if try !db.update(player) { player = try db.insertAndFetch(player) }
                #expect(player.id == author.id ?? 4)
            }
            let names = try db.fetchAll(String.self, "SELECT name FROM author ORDER BY id")
            #expect(names == ["Changed", "Le Guin", "Cha", "New", "With key"])
        }
        await database.close()
    }

    @Test("the number of changed rows is the result of the statement")
    func changes() async throws {
        let script =
            "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO player VALUES (1, 'Mina')"
        let database = try await Database.open(.inMemory, migrations: [Migration("players", script: script)])
        for (id, isThere) in [(1, true), (2, false)] {
            let name = "Sora"
            let wasRenamed = try await database.write { db in
                try db.execute("UPDATE player SET name = \(name) WHERE id = \(id)") == 1
            }
            #expect(wasRenamed == isThere)
        }
        let (added, total) = try await database.write { db in
            (
                try db.fetchOne(Int64.self, "INSERT INTO player (name) VALUES ('Jun') RETURNING id"),
                try db.fetchOne(Int.self, "SELECT total_changes()")
            )
        }
        #expect(added == 2 && (total ?? 0) >= 3)
        await database.close()
    }

    @Test("patterns find any word, beginnings of all words, or a phrase")
    func patterns() async throws {
        let script = """
            CREATE VIRTUAL TABLE words USING fts5 (body);
            INSERT INTO words VALUES ('a walk by the sea'), ('the lake'), ('sea, walk');
            """
        let database = try await Database.open(.inMemory, migrations: [Migration("words", script: script)])
        for (pattern, count) in [
            (FullTextPattern(anyWordIn: "lake walk"), 3),
            (FullTextPattern(allWordsIn: "wal se", prefixes: .everyWord), 2),
            (FullTextPattern(phrase: "walk by the"), 1), (FullTextPattern(phrase: "walk sea"), 0),
        ] {
            let found = try await database.read { db in
                try db.fetchOne(Int.self, "SELECT COUNT(*) FROM words WHERE words MATCH \(pattern)")
            }
            #expect(found == count, "\(pattern?.description ?? "nil")")
        }
        await database.close()
    }

    @Test("a collation that a column names is registered by the app, for writing and reading connections")
    func collations() async throws {
        let configuration = Database.Configuration().with {
            $0.prepare = { db in
                try db.addCollation("swiftLocalizedCaseInsensitiveCompare") { $0.localizedCaseInsensitiveCompare($1) }
            }
        }
        let script = """
            CREATE TABLE player (name TEXT NOT NULL COLLATE swiftLocalizedCaseInsensitiveCompare);
            CREATE INDEX players ON player (name);
            INSERT INTO player VALUES ('Mina'), ('jun'), ('Sora'), ('mina'), ('');
            """
        try await withTemporaryFolder { folder in
            let (path, migrations) = (folder + "/players.sqlite", [Migration("players", script: script)])
            let names = "SELECT lower(name) FROM player ORDER BY name" as SQL
            let database = try await Database.open(.file(path), configuration: configuration, migrations: migrations)
            #expect(
                try await database.read { db in try db.fetchAll(String.self, names) } == [
                    "", "jun", "mina", "mina", "sora",
                ])
            #expect(try await database.integrityCheck() == [])
            await database.close()

            let without = try await Database.open(.file(path), migrations: migrations)
            let error = await #expect(throws: SQLiteError.self) {
                try await without.read { db in try db.fetchAll(String.self, names) }
            }
            #expect(error?.message.contains("no such collation sequence") == true)
            await without.close()
        }
    }

    private struct NotEncrypted: Error {}

    @Test("a key for SQLite without encryption is refused before a file has content")
    func encryption() async throws {
        let key = "c2VjcmV0"
        let encrypted = Database.Configuration().with {
            $0.beforeFirstRead = { db in
                // SQLCipher: "PRAGMA cipher_version".
                guard try db.fetchOne(String.self, "PRAGMA cipher") != nil else { throw NotEncrypted() }
                // Without quotation marks, such as Base64.
                try db.execute("PRAGMA key = '\(raw: key)'")
            }
        }
        try await withTemporaryFolder { (folder) async throws in
            await #expect(throws: NotEncrypted.self) {
                try await Database.open(.file(folder + "/db"), configuration: encrypted)
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/db")
            #expect(attributes[.size] as? Int == 0)
        }
    }
}

/// The code of the article "Moving from SQLite.swift".
@Suite("Moving from SQLite.swift", .limitedConcurrency)
struct MovingFromSQLiteSwiftTests {
    @Test("the code of the article is that of these tests")
    func codeIsTested() throws { try expectCode(of: "MovingFromSQLiteSwift", inSource: #filePath) }

    @Test("a file with the number of its schema gets what it lacks, once, and a new file everything", arguments: 0...2)
    func versions(applied: Int) async throws {
        let steps = [
            "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
            "ALTER TABLE users ADD COLUMN email TEXT",
        ]
        let fromVersions = Migration("from versions", revision: steps.joined(separator: ";")) { db in
            let version = try db.fetchOne(Int.self, "PRAGMA user_version") ?? 0
            for step in steps.dropFirst(version) { try db.executeScript(step) }
        }
        try await withTemporaryFolder { folder in
            let path = folder + "/users.sqlite"
            let written = try await Database.open(.file(path))
            try await written.write { db in
                for step in steps.prefix(applied) { try db.executeScript(step) }
                try db.executeScript("PRAGMA user_version = \(applied)")
            }
            await written.close()

            for _ in 1...2 {
                let database = try await Database.open(.file(path), migrations: [fromVersions])
                let users = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(email) FROM users")
                }
                #expect(users == 0)
                await database.close()
            }
        }
    }
}
