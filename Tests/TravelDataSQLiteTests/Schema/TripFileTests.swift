import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Trip files", .limitedConcurrency)
struct TripFileTests {
    @Test("trips persist when the file is reopened")
    func tripsSurviveARestart() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let recorded = try TripBuilder(seed: 1).with { $0.title = "부산 밤바다" }.build()
            let first = try await TravelDatabase.open(path: path)
            try await first.trips.add([recorded])
            try await first.trips.setLiked(true, trip: recorded.id, by: recorded.author.id)
            await first.close()
            let second = try await TravelDatabase.open(path: path)
            let page = try await second.trips.search(
                TripQuery(TripCriteria(keyword: Keyword("바다")), viewer: recorded.author.id))
            #expect(page.trips.map(\.content) == [recorded.content])
            #expect(page.trips.map(\.isLiked) == [true])
            await second.close()
        }
    }

    @Test("the session, the device ID and the recent keywords survive a restart")
    func theSessionSurvivesARestart() async throws {
        try await withTemporaryFolder { folder in
            let first = try await TravelDatabase.open(path: folder + "/trips.db")
            let identity = try await first.session.identify()
            try await first.session.setSession(identity)
            try await first.recentKeywords.updateRecentKeywords { recent in Keyword("바다").map { recent.remember($0) } }
            await first.close()
            let second = try await TravelDatabase.open(path: folder + "/trips.db")
            #expect(try await second.session.session() == identity)
            #expect(try await second.session.identify() == identity)
            #expect(try await second.recentKeywords.recentKeywords().keywords.map(\.text) == ["바다"])
            await second.close()
        }
    }

    @Test("the file is identified by its application ID")
    func applicationID() async throws {
        try await withTemporaryFolder { folder in
            await (try TravelDatabase.open(path: folder + "/trips.db")).close()
            let database = try await Database.open(.file(folder + "/trips.db"))
            let id = try await database.read { try $0.fetchOne(Int32.self, "PRAGMA application_id") }
            #expect(id == 0x5452_564C)
            await database.close()
        }
    }

    @Test("editing a trip whose author another program has removed throws instead of ending the app")
    func tripWithoutAuthor() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let recorded = try TripBuilder(seed: 1).build()
            let first = try await TravelDatabase.open(path: path)
            try await first.trips.add([recorded])
            await first.close()
            let other = try await Database.open(
                .file(path), configuration: Database.Configuration().with { $0.foreignKeys = false })
            try await other.write { db in try db.execute("DELETE FROM app_user") }
            await other.close()
            let second = try await TravelDatabase.open(path: path)
            let error = await #expect(throws: TravelError.self) {
                try await second.trips.update(
                    recorded.id, expecting: nil, by: recorded.author.id, adding: []
                ) { trip throws(TravelError) in trip }
            }
            guard case .unavailable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            await second.close()
        }
    }

    /// Expects that the file is refused for good, because something else is in it.
    private func expectNoTravelDatabase(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        await #expect(sourceLocation: sourceLocation) {
            try await TravelDatabase.open(path: path)
        } throws: { error in
            guard case TravelError.unavailable(let outage)? = error as? TravelError else { return false }
            return outage.cause == .notATravelDatabase && !outage.canRetry
                && outage.reason.contains("not a travel database")
        }
    }

    @Test("a database of another program is rejected and not changed")
    func foreignDatabasesAreRefused() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/songs.db"
            let songs = try await Database.open(
                .file(path), migrations: [Migration("songs", script: "CREATE TABLE song (title TEXT)")])
            await songs.close()
            let before = try Data(contentsOf: URL(filePath: path))
            await expectNoTravelDatabase(path)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
    }

    @Test("a device is no database, also one that reads as an empty file")
    func devicesAreRefused() async throws {
        await expectNoTravelDatabase("/dev/null")
    }

    @Test("a file that is not a database is rejected and not changed")
    func textFilesAreRefused() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/notes.txt"
            let text = Data(String(repeating: "Dear diary, ", count: 200).utf8)
            try text.write(to: URL(filePath: path))
            await expectNoTravelDatabase(path)
            #expect(try Data(contentsOf: URL(filePath: path)) == text)
        }
    }

    @Test("a file in a folder that does not exist cannot be opened")
    func missingFolders() async throws {
        try await withTemporaryFolder { folder in
            _ = await #expect(throws: TravelError.self) {
                try await TravelDatabase.open(path: folder + "/a/b/trips.db")
            }
        }
    }

    @Test("entries of a file without positions keep their order, at one time that of their IDs, and can be moved")
    func earlierEntries() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let seeds: [UInt64] = [4, 2, 5, 1, 3]
            let trip = try TripBuilder(seed: 1).with {
                $0.timeline = try seeds.map { seed in
                    try TimelineEntry(seed: seed, day: 1, image: seed == 5 ? TripImage.ID(seed: 9) : nil)
                }
            }.build()
            let first = try await TravelDatabase.open(path: path)
            try await first.trips.add([trip], images: [TripImage(seed: 9)])
            await first.close()
            let earlier = try await Database.open(.file(path))
            try await earlier.write { db in
                try db.executeScript(
                    """
                    DROP TRIGGER trip_keeps_its_entries;
                    ALTER TABLE entry RENAME TO positioned_entry;
                    CREATE TABLE entry (
                        trip INTEGER NOT NULL REFERENCES trip (key) ON DELETE CASCADE,
                        day INTEGER NOT NULL, time INTEGER NOT NULL, id BLOB NOT NULL UNIQUE, title TEXT NOT NULL,
                        text TEXT NOT NULL, place_name TEXT, place_address TEXT, latitude REAL, longitude REAL, image BLOB,
                        PRIMARY KEY (trip, day, time, id), FOREIGN KEY (trip, image) REFERENCES image (trip, id)
                    ) STRICT, WITHOUT ROWID;
                    INSERT INTO entry
                    SELECT trip, day, time, id, title, text, place_name, place_address, latitude, longitude, image
                    FROM positioned_entry;
                    DROP TABLE positioned_entry;
                    CREATE INDEX entry_image ON entry (trip, day, time, id, image) WHERE image IS NOT NULL;
                    CREATE TRIGGER trip_keeps_its_entries BEFORE UPDATE OF first_day, last_day ON trip BEGIN
                        SELECT 1;
                    END;
                    ALTER TABLE trip DROP COLUMN audience;
                    DELETE FROM schema_migrations WHERE name IN (
                        'positions of entries', 'pictures of entries', 'entries in searches', 'audiences',
                        'pictures in rows of entries', 'audiences in searches');
                    """)
            }
            await earlier.close()
            let second = try await TravelDatabase.open(path: path)
            let ids = seeds.map { TimelineEntry.ID(seed: $0) }.sorted()
            let timeline = try await second.trips.timeline(of: trip.id, viewer: nil)
            #expect(timeline.map(\.id) == ids)
            for entry in timeline {
                #expect(entry.pictures == (entry.id == TimelineEntry.ID(seed: 5) ? [Picture(.init(seed: 9))] : []))
            }
            #expect(try await second.trips.image(.init(seed: 9), viewer: nil) == TripImage(seed: 9))
            try await second.trips.update(trip.id, by: trip.author.id) { trip throws(TravelError) in
                try trip.moving(ids[1], .before(ids[0]))
            }
            let moved = try await second.trips.timeline(of: trip.id, viewer: nil).map(\.id)
            #expect(moved == [ids[1], ids[0], ids[2], ids[3], ids[4]])
            await second.close()
        }
    }

    @Test("entries of a file that searches did not find are found, in every block of trips")
    func earlierSearches() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let first = try await TravelDatabase.open(path: path)
            for batch in 0..<3 as Range<UInt64> {
                try await first.trips.add(
                    (UInt64(0)..<5).map { number in
                        let seed = batch * 10 + number
                        return try TripBuilder(seed: seed).with {
                            $0.timeline = [
                                try TimelineEntry(seed: seed, title: "점심 \(seed)", place: Place(name: "등대"))
                            ]
                        }.build()
                    })
                try await first.database.write { db in
                    try db.execute("UPDATE sqlite_sequence SET seq = seq + \(RowBlock.size) WHERE name = 'trip'")
                }
            }
            let sets = try await Self.sets(in: first.database)
            await first.close()
            let earlier = try await Database.open(.file(path))
            try await earlier.write { db in
                try db.executeScript(
                    """
                    DROP INDEX entry_texts;
                    DELETE FROM row_set WHERE key & ((1 << 43) - 1) BETWEEN 64 AND (1 << 42) - 1;
                    ALTER TABLE trip DROP COLUMN audience;
                    \(Self.tableOfPictures)
                    DELETE FROM schema_migrations WHERE name IN (
                        'entries in searches', 'audiences', 'pictures in rows of entries', 'audiences in searches');
                    """)
            }
            await earlier.close()
            let second = try await TravelDatabase.open(path: path)
            #expect(try await Self.sets(in: second.database) == sets)
            let found = try await second.trips.search(
                TripQuery(TripCriteria(keyword: Keyword("등대")), viewer: nil))
            #expect(found.trips.count == 15 && found.matchedEntries.count == 15)
            await second.close()
        }
    }

    private static func sets(in database: Database) async throws -> [Int64: [UInt8]] {
        try await database.read { db in
            let rows = try db.fetchAll("SELECT key, rows FROM row_set") { row in
                (try row[0] as Int64, try row[1] as [UInt8])
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    @Test(
        "in a file from before audiences, trips of a server stay public, and those of a device without one become private",
        arguments: [(false, false), (true, false), (false, true)])
    func earlierTrips(hasAccount: Bool, isCache: Bool) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let (own, other) = (try TripBuilder(seed: 1).build(), try TripBuilder(seed: 2).build())
            let first = try await TravelDatabase.open(path: path)
            try await first.trips.add([own, other])
            try await first.session.updateSession { $0 = Session(user: own.author.id) }
            await first.close()
            let earlier = try await Database.open(.file(path))
            try await earlier.write { db in
                if hasAccount {
                    try db.execute("INSERT INTO account (app_user, password) SELECT key, 'x' FROM app_user")
                }
                if isCache { try db.execute("INSERT INTO last_answer VALUES ('any', 1)") }
                try db.executeScript(
                    """
                    ALTER TABLE trip DROP COLUMN audience;
                    \(Self.tableOfPictures)
                    DELETE FROM row_set WHERE key & ((1 << 43) - 1) IN (\(TripSets.everyone), (1 << 40) + 1, (1 << 40) + 2);
                    DELETE FROM schema_migrations WHERE name IN ('audiences', 'pictures in rows of entries', 'audiences in searches');
                    """)
            }
            await earlier.close()
            let second = try await TravelDatabase.open(path: path)
            let trip = try await second.trips.trip(own.id, viewer: own.author.id)
            #expect(trip.content.audience == (hasAccount || isCache ? .everyone : .onlyMe))
            #expect(try await second.trips.trip(other.id, viewer: nil).content.audience == .everyone)
            for viewer in [nil, own.author.id, other.author.id] {
                let found = try await second.trips.search(TripQuery(TripCriteria(), viewer: viewer)).trips.map(\.id)
                let isFound = hasAccount || isCache || viewer == own.author.id
                #expect(Set(found) == (isFound ? [own.id, other.id] : [other.id]))
            }
            await second.close()
        }
    }

    /// Pictures in a table of their own, as they were.
    private static let tableOfPictures = """
        ALTER TABLE entry DROP COLUMN pictures;
        CREATE TABLE picture (
            trip INTEGER NOT NULL, day INTEGER NOT NULL, time INTEGER NOT NULL, entry_position INTEGER NOT NULL,
            position INTEGER NOT NULL, image BLOB NOT NULL, text TEXT, taken_on INTEGER, taken_at INTEGER,
            utc_offset INTEGER, latitude REAL, longitude REAL, position_kind INTEGER,
            PRIMARY KEY (trip, day, time, entry_position, position),
            FOREIGN KEY (trip, day, time, entry_position) REFERENCES entry (trip, day, time, position) ON DELETE CASCADE,
            FOREIGN KEY (trip, image) REFERENCES image (trip, id)
        ) STRICT, WITHOUT ROWID;
        """

    @Test("pictures of a file with a table of pictures keep their order, and what is known of each")
    func earlierPictures() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let place = try Coordinate(latitude: 35.1587, longitude: -129.1604)
            let pictures = [
                Picture(
                    .init(seed: 3), text: try PictureText("등대 🌊"),
                    taken: PhotoDate(
                        day: try CalendarDay("1969-12-31"), time: try TimeOfDay(hour: 23), utcOffset: -210),
                    position: .mineOnly(place)),
                Picture(.init(seed: 1)), Picture(.init(seed: 4), position: .withheld),
                Picture(
                    .init(seed: 2), taken: PhotoDate(day: try CalendarDay("2024-05-01"), time: try TimeOfDay(hour: 0)),
                    position: .shown(place)),
            ]
            let trips = try ([1, 502] as [UInt64]).map { seed in
                try TripBuilder(seed: seed).with {
                    $0.timeline = [
                        try TimelineEntry(seed: seed, day: 1), try TimelineEntry(seed: seed + 1, day: 1),
                        try TimelineEntry(seed: seed + 2, day: 1),
                    ]
                }.build()
            }
            let first = try await TravelDatabase.open(path: path)
            try await first.trips.add(trips)
            await first.close()
            let earlier = try await Database.open(.file(path))
            try await earlier.write { db in
                try db.executeScript(
                    """
                    \(Self.tableOfPictures)
                    DELETE FROM schema_migrations WHERE name IN ('pictures in rows of entries', 'audiences in searches');
                    """)
                for picture in pictures {
                    try db.execute(
                        """
                        INSERT INTO image (trip, id, file, size) VALUES (1, \(picture.id), randomblob(16), 1)
                        """)
                }
                let time = trips[0].timeline[0].time.minutes
                func insert(_ picture: Picture, _ entry: Int, _ position: Int, _ rest: SQL) throws {
                    try db.execute(
                        "INSERT INTO picture VALUES (1, 1, \(time), \(entry), \(position), \(picture.id), \(rest))")
                    guard position == 0 else { return }
                    try db.execute(
                        "UPDATE entry SET image = \(picture.id) WHERE trip = 1 AND position = \(entry)")
                }
                try insert(pictures[0], 0, 0, "'등대 🌊', -1, 1380, -210, 35.1587, -129.1604, 0")
                try insert(pictures[1], 0, 1, "NULL, NULL, NULL, NULL, NULL, NULL, NULL")
                try insert(pictures[2], 2, 0, "NULL, NULL, NULL, NULL, NULL, NULL, 2")
                try insert(pictures[3], 2, 1, "NULL, 19844, 0, NULL, 35.1587, -129.1604, 1")
            }
            await earlier.close()
            let second = try await TravelDatabase.open(path: path)
            let author = trips[0].author.id
            let found = try await second.trips.timeline(of: trips[0].id, viewer: author).map(\.pictures)
            #expect(found == [Array(pictures[..<2]), [], Array(pictures[2...])])
            let without = try await second.trips.timeline(of: trips[1].id, viewer: nil).map(\.pictures)
            #expect(without == [[], [], []])
            await second.close()
        }
    }

    @Test("a file from a newer version is rejected")
    func newerFilesAreRefused() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let newer = try await Database.open(
                .file(path), migrations: TravelSchema.migrations + [Migration("a later one", script: "SELECT 1")])
            await newer.close()
            await #expect(
                throws: TravelError.unavailable(
                    .init(
                        "The travel database was written by a newer version: update this program.",
                        cause: .newerVersion, canRetry: false))
            ) {
                try await TravelDatabase.open(path: path)
            }
        }
    }

    @Test(
        "a file of a program before version 0.1 is rejected with the way out, and not changed",
        arguments: ["trips, timelines, likes, reports", "0.1"])
    func earlierFilesAreRefused(migration: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/trips.db"
            let script = "PRAGMA application_id = 0x5452564C; CREATE TABLE trip (id BLOB)"
            let earlier = try await Database.open(
                .file(path), migrations: [Migration(migration, script: script)])
            await earlier.close()
            let bytes = try Data(contentsOf: URL(filePath: path))
            await #expect {
                try await TravelDatabase.open(path: path)
            } throws: { error in
                guard case TravelError.unavailable(let outage)? = error as? TravelError else { return false }
                return outage.cause == .earlierVersion && !outage.canRetry && outage.reason.contains("as JSON")
            }
            #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        }
    }

    @Test("a closed database is unavailable")
    func closedDatabases() async throws {
        let database = try await TravelDatabase.copied()
        await database.close()
        await #expect {
            try await database.trips.add([])
        } throws: { error in
            if case TravelError.unavailable? = error as? TravelError { true } else { false }
        }
    }

    @Test(
        "stored values that break the rules of the domain are reported as unavailable",
        arguments: [
            "UPDATE trip SET title = 'a title of far too many characters, which no one could read in a list of trips'",
            "UPDATE app_user SET nickname = 'abcdefghijklm'",
            "UPDATE trip SET title = 'tab' || char(9) || 'tab'",
        ])
    func damageIsReported(sql: String) async throws {
        let database = try await TravelDatabase.copied()
        try await database.trips.add([try TripBuilder(seed: 1).build()])
        _ = try await database.database.write { try $0.execute(SQL(raw: sql)) }
        await #expect(
            throws: TravelError.unavailable(
                .init("The travel database contains invalid values.", cause: .damaged, canRetry: false))
        ) {
            try await database.trips.trip(Trip.ID(seed: 1), viewer: nil)
        }
    }

    @Test(
        "the schema rejects values that break a rule",
        arguments: [
            "UPDATE trip SET last_day = first_day - 1", "UPDATE trip SET region = 17",
            "UPDATE trip SET traits = 0",
            "UPDATE trip SET themes = 512",
            "UPDATE trip SET companions = 16", "UPDATE trip SET headcount = 5", "UPDATE trip SET budget = -1",
            "UPDATE trip SET transportation = 2", "UPDATE trip SET like_count = -1", "UPDATE trip SET title = ''",
            "UPDATE trip SET title_key = ''", "UPDATE trip SET title = NULL",
            "UPDATE trip SET id = x'00'", "UPDATE trip SET created_at = NULL",
            "UPDATE trip SET created_at = 'today'",
            "UPDATE trip SET author = 99", "UPDATE app_user SET nickname = 'a'", "UPDATE entry SET day = 0",
            "UPDATE entry SET time = 1440", "UPDATE entry SET text = ''", "UPDATE entry SET latitude = 90.5",
            "UPDATE entry SET longitude = NULL", "UPDATE entry SET trip = 99",
            "UPDATE entry SET place_address = NULL",
            "UPDATE entry SET place_name = NULL, place_address = NULL",
            "INSERT INTO image (trip, id, file, size) VALUES (99, randomblob(16), randomblob(16), 1)",
            "UPDATE image SET id = x'00'", "UPDATE image SET file = x'00'", "UPDATE image SET size = 0",
            "UPDATE image SET size = 10485761", "UPDATE image SET is_thumbnail = 2",
            "INSERT INTO image SELECT trip, randomblob(16), randomblob(16), 1, 1 FROM image",
            "INSERT INTO image SELECT trip, randomblob(16), file, 1, 0 FROM image", "DELETE FROM image",
            "UPDATE entry SET image = randomblob(16)", "UPDATE entry SET trip = 2", "UPDATE image SET trip = 2",
            "INSERT INTO liked SELECT 1, 99, created_at FROM trip", "INSERT INTO liked VALUES (99, 1, 0)",
            "INSERT INTO liked VALUES (2, 1, 0)", "UPDATE trip SET created_at = 0", "UPDATE trip SET version = 0",
            "UPDATE trip SET version = NULL", "UPDATE trip SET updated_at = 'now'",
            "INSERT INTO reported (trip, app_user) VALUES (1, 1)", "UPDATE reported SET counts = 2",
            "UPDATE session SET expires_at = 1",
            "UPDATE liked SET app_user = 2", "UPDATE reported SET app_user = 1", "UPDATE entry SET day = 9",
            "INSERT INTO entry SELECT 1, 9, 0, 0, randomblob(16), 'a', 'a', NULL, NULL, NULL, NULL, NULL, NULL",
            "UPDATE entry SET position = -1", "UPDATE entry SET pictures = 'a'",
            "UPDATE entry SET pictures = zeroblob(17)", "UPDATE entry SET pictures = x''",
            "UPDATE trip SET last_day = last_day - 1 WHERE key = 1", "UPDATE app_user SET nickname_key = ''",
            "INSERT INTO app_user VALUES (9, randomblob(16), 'abcdefghijk', '', '')",
        ])
    func constraintsRepeatTheRules(sql: String) async throws {
        let database = try await TravelDatabase.copied()
        let place = try Place(name: "a", address: "b", coordinate: Coordinate(latitude: 1, longitude: 2))
        let entry = try TimelineEntry(
            day: 8, time: TimeOfDay(hour: 9), title: Title("a"), text: EntryText("a"), place: place,
            pictures: [
                Picture(
                    TripImage.ID(seed: 1), text: PictureText("a"),
                    taken: PhotoDate(day: CalendarDay("2024-05-01"), time: TimeOfDay(hour: 9), utcOffset: 540),
                    position: .shown(Coordinate(latitude: 1, longitude: 2)))
            ])
        let trip = try TripBuilder(seed: 1).with {
            $0.numberOfDays = 8
            $0.timeline = [entry]
            $0.thumbnail = TripImage.ID(seed: 1)
        }
        try await database.trips.add(
            [trip.build(), TripBuilder(seed: 2).build()], images: [TripImage(seed: 1)])
        try await database.database.write { db in
            try db.execute("INSERT INTO liked SELECT 1, 1, created_at FROM trip WHERE key = 1")
            try db.execute("INSERT INTO reported (trip, app_user) VALUES (1, 2)")
        }
        await #expect {
            _ = try await database.database.write { try $0.execute(SQL(raw: sql)) }
        } throws: { error in
            (error as? SQLiteError)?.code == .constraint
        }
    }
}
