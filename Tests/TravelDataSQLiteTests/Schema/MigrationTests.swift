import SQLiteStore
import SQLiteStoreTesting
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Migrations of travel files", .takesTurns)
struct MigrationTests {
    /// Opens a file that `write` has filled in the schema before the migration with that name.
    private func migrated(
        from name: String, _ write: @escaping @Sendable (Connection) throws -> Void,
        _ body: (TravelDatabase) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let count = try #require(TravelSchema.migrations.firstIndex { $0.name == name })
            let old = try await Database.open(
                .file(folder + "/travels.db"), migrations: Array(TravelSchema.migrations.prefix(count)))
            try await old.write(write)
            await old.close()
            let new = try await TravelDatabase.open(path: folder + "/travels.db")
            try await body(new)
            #expect(try await new.database.integrityCheck() == [])
            #expect(try await new.database.read { try $0.fetchAll("PRAGMA foreign_key_check") { _ in 1 } } == [])
            await new.close()
        }
    }

    @Test("the released migrations have the names and digests that existing files have stored")
    func digests() async throws {
        let released = [
            ("travels, timelines, likes, reports", "e09a6b6b0a53feaf"),
            ("recent keywords", "c3e895fd9b7100a2"),
            ("session", "9bef33caedc80068"),
            ("bitmaps", "2986235e1d180ce4"),
            ("images", "51a4e8528daf5e19"),
            ("levels of likes", "3ba8499474cf494f"),
            ("rules", "6d25ffedfee1ec4c"),
            ("expiry of the session", "42a01d29b80ca5d8"),
            ("versions of travels", "52a967bb1336a773"),
            ("searches by person", "ac591d1431ec20ec"),
            ("no reports by authors", "e2b13ec4d638e1e4"),
            ("nicknames of any characters", "79c9a06788f894de"),
            ("comparison of texts", "af63ac4c86019afc"),
            ("cache of another store", "57299a89be77a67f"),
            ("sets of rows", "af63ac4c86019afc"),
            ("pictures of people", "23d1848deaf4f46f"),
            ("people without a profile", "a31652e52675870b"),
            ("order by date", "2be2be3240d54b98"),
            ("places by name", "af63ac4c86019afc"),
            ("abroad", "af63ac4c86019afc"),
            ("recorded tracks", "f61c2d4ded48439c"),
        ]
        try await migrated(from: "rules") { _ in
        } _: { database in
            let applied = try await database.database.read { db in
                try db.fetchAll("SELECT name, digest FROM schema_migrations ORDER BY position") { row in
                    (name: try row[0] as String, digest: try row[1] as String)
                }
            }
            #expect(applied.prefix(released.count).map(\.name) == released.map(\.0))
            #expect(applied.prefix(released.count).map(\.digest) == released.map(\.1))
        }
    }

    @Test("the session of an earlier version is kept, and does not expire")
    func sessions() async throws {
        let user = User.ID(seed: 7)
        try await migrated(from: "expiry of the session") { db in
            try db.execute("UPDATE session SET user = \(user.bytes)")
        } _: { database in
            let session = try await database.session.session()
            #expect(session == Session(user: user))
        }
    }

    @Test("travels of an earlier version have the first version, and were never changed")
    func versions() async throws {
        let recorded = try (UInt64(1)...3).map { try TravelBuilder(seed: $0).build() }
        try await migrated(from: "versions of travels") { db in
            try OldTravels.insert(recorded, db)
        } _: { database in
            for travel in try await database.travels.search(TravelQuery(TravelCriteria(), viewer: nil)).travels {
                #expect(travel.version == .first)
                #expect(travel.updatedAt == travel.createdAt)
            }
            let later = Date(timeIntervalSinceReferenceDate: 800_000_000)
            let (id, author) = (recorded[0].id, recorded[0].author.id)
            try await database.travels.update(id, expecting: .first, by: author, adding: []) {
                travel throws(TravelError) in
                var content = travel.content
                content.region = .jeju
                return try travel.with(content, at: later)
            }
            let travel = try await database.travels.travel(id, viewer: nil)
            #expect(travel.version == .first.next)
            #expect(travel.updatedAt == later)
        }
    }

    @Test("likes of an earlier version are found by their person, in both orders")
    func likes() async throws {
        let recorded = try (UInt64(1)...6).map { try TravelBuilder(seed: $0).build() }
        try await migrated(from: "searches by person") { db in
            try OldTravels.insert(recorded, db)
            try OldTravels.insert("liked", [(2, 1), (4, 1), (5, 1), (4, 2), (2, 3), (2, 4), (6, 2)], db)
        } _: { database in
            for (sort, seeds) in [(TravelSort.newest, [5, 4, 2]), (.mostLiked, [2, 4, 5])] as [(_, [UInt64])] {
                let criteria = TravelCriteria(likedBy: User.ID(seed: 1), sort: sort)
                let found = try await database.travels.search(TravelQuery(criteria, viewer: nil)).travels
                #expect(found.map(\.id) == seeds.map { Travel.ID(seed: $0) })
            }
            try await database.travels.setLiked(true, travel: Travel.ID(seed: 1), by: User.ID(seed: 1))
            let mine = try TravelQuery(TravelCriteria(author: User.ID(seed: 1)), viewer: User.ID(seed: 1))
            #expect(try await database.travels.search(mine).travels.map(\.isLiked) == [true])
        }
    }

    @Test("people of an earlier version are kept, and can choose a nickname of joined emoji")
    func nicknames() async throws {
        let mina = try User(seed: 1, nickname: "Mina")
        try await migrated(from: "nicknames of any characters") { db in
            _ = try PersonRecord.save(mina, db)
        } _: { database in
            #expect(try await database.travels.user(mina.id) == mina)
            let nickname = try Nickname(String(repeating: "👨‍👩‍👧‍👦", count: 3))
            try await database.travels.rename(mina.id, to: nickname, by: mina.id)
            #expect(try await database.travels.user(mina.id).nickname == nickname)
        }
    }

    @Test("titles and nicknames of an earlier version are found by the current comparison")
    func comparisons() async throws {
        let titles = ["부산 밤바다", "Straße", "ＪＥＪＵ"]
        let recorded = try titles.enumerated().map { number, title in
            try TravelBuilder(seed: UInt64(number), author: User(seed: 7, nickname: "Мина Ｋ")).with { $0.title = title }
                .build()
        }
        try await migrated(from: "comparison of texts") { db in
            try OldTravels.insert(recorded, db)
            try db.execute("UPDATE person SET nickname_key = lower(nickname)")
        } _: { database in
            for (text, seed) in [("부산밤", 0), ("strasse", 1), ("jeju", 2)] as [(String, UInt64)] {
                let keyword = try #require(Keyword(text))
                let query = try TravelQuery(TravelCriteria(keyword: keyword), viewer: nil)
                let found = try await database.travels.search(query).travels.map(\.id)
                #expect(found == [Travel.ID(seed: seed)])
                let suggested = try await database.travels.titles(containing: keyword, viewer: nil, limit: 5)
                #expect(suggested.map(\.text) == [titles[Int(seed)]])
            }
            #expect(try await database.travels.isTaken(Nickname("мина k"), exceptBy: nil))
            try await database.travels.update(recorded[0].id, by: User.ID(seed: 7)) { _ in nil }
            let none = try await database.travels.search(
                TravelQuery(TravelCriteria(keyword: Keyword("부산밤")), viewer: nil))
            #expect(none.travels == [])
        }
    }

    @Test("entries of an earlier version keep their places, and a new one may have only a name")
    func placesByName() async throws {
        let recorded = try TravelBuilder(seed: 1).build()
        try await migrated(from: "sets of rows") { db in
            try OldTravels.insert([recorded], db)
            try db.execute(
                """
                INSERT INTO entry (travel, day, time, id, title, text, place_name, place_address, latitude, longitude)
                VALUES (1, 1, 540, \(TimelineEntry.ID(seed: 1).bytes), 'a', 'a', '해운대', '부산', 35.25, 129.5),
                    (1, 1, 600, \(TimelineEntry.ID(seed: 2).bytes), 'b', 'b', NULL, NULL, NULL, NULL)
                """)
        } _: { database in
            let (id, author) = (recorded.id, recorded.author.id)
            let new = try TimelineEntry(
                id: TimelineEntry.ID(seed: 3), day: 1, time: TimeOfDay(hour: 11), title: Title("c"),
                text: EntryText("c"),
                place: Place(name: "할머니 댁"))
            try await database.travels.update(id, by: author) { travel throws(TravelError) in try travel.saving(new) }
            let places = try await database.travels.timeline(of: id, viewer: nil).map(\.place)
            let coordinate = try Coordinate(latitude: 35.25, longitude: 129.5)
            #expect(places == [try Place(name: "해운대", address: "부산", coordinate: coordinate), nil, new.place])
            // The rules of the table still hold.
            let late = SQL(
                "INSERT INTO entry (travel, day, time, id, title, text) VALUES (1, 9, 0, randomblob(16), 'a', 'a')")
            await #expect(throws: SQLiteError.self) {
                _ = try await database.database.write { try $0.execute(late) }
            }
        }
    }

    @Test("a travel of an earlier version can be filed under abroad, and no key is used again")
    func abroad() async throws {
        let recorded = try (UInt64(1)...4).map { try TravelBuilder(seed: $0).build() }
        try await migrated(from: "abroad") { db in
            var (images, files) = (try NewImages([]), ImageWrite())
            try TravelRecord.add(recorded, &images, &files, db)
            try db.execute("DELETE FROM travel WHERE key = 4")
        } _: { database in
            try await database.travels.setLiked(true, travel: recorded[1].id, by: recorded[0].author.id)
            try await database.travels.update(recorded[0].id, by: recorded[0].author.id) { travel throws(TravelError) in
                var content = travel.content
                content.region = .abroad
                return try travel.with(content)
            }
            let found = try await database.travels.search(
                TravelQuery(TravelCriteria(regions: [.abroad]), viewer: nil))
            #expect(found.travels.map(\.id) == [recorded[0].id])
            try await database.travels.add([TravelBuilder(seed: 9).build()])
            let keys = try await database.database.read { try $0.fetchAll(Int64.self, "SELECT key FROM travel") }
            #expect(keys == [1, 2, 3, 5])
        }
    }

    @Test("reports by authors in an earlier version are removed, those by others are kept")
    func ownReports() async throws {
        let recorded = try (UInt64(1)...8).map { try TravelBuilder(seed: $0).build() }
        try await migrated(from: "no reports by authors") { db in
            try OldTravels.insert(recorded, db)
            for travel in 1...2 {
                try OldTravels.insert("reported", (travel...travel + 5).map { (travel, $0) }, db)
            }
            try OldTravels.insert("reported", [(2, 8)], db)
        } _: { database in
            let found = try await database.travels.search(TravelQuery(TravelCriteria(), viewer: nil)).travels
            // Travel 1 has five reports left, travel 2 six.
            #expect(Set(found.map(\.id)) == Set(([1] + Array(3...8)).map { Travel.ID(seed: $0) }))
        }
    }

    @Test("travels of an earlier version keep everything that belongs to them, and are found by filters and words")
    func sets() async throws {
        let recorded = try (UInt64(1)...9).map { seed in
            try TravelBuilder(seed: seed).with { $0.title = seed.isMultiple(of: 3) ? "부산 밤바다" : "제주 \(seed)" }.build()
        }
        try await migrated(from: "sets of rows") { db in
            try OldTravels.insert(recorded, db)
            try db.execute("DELETE FROM travel WHERE key = 5")
            try db.execute(
                "INSERT INTO liked SELECT key, 1, created_at FROM travel WHERE key IN (3, 4) UNION SELECT key, 2, created_at FROM travel WHERE key = 3"
            )
            try db.execute(
                "INSERT INTO entry (travel, day, time, id, title, text) VALUES (3, 1, 540, \(TimelineEntry.ID(seed: 1).bytes), '아침', '글')"
            )
        } _: { database in
            let keyword = try TravelQuery(TravelCriteria(keyword: Keyword("밤바다"), sort: .mostLiked), viewer: nil)
            let found = try await database.travels.search(keyword).travels
            #expect(found.map(\.id) == [3, 9, 6].map { Travel.ID(seed: $0) })
            #expect(found.map(\.likeCount) == [2, 0, 0])
            let region = recorded[0].content.region
            let filtered = try TravelQuery(TravelCriteria(regions: [region]), viewer: nil)
            let expected = recorded.filter { $0.content.region == region && $0.id != Travel.ID(seed: 5) }
            #expect(try await database.travels.search(filtered).travels.map(\.id) == expected.map(\.id).reversed())
            #expect(
                try await database.travels.timeline(of: Travel.ID(seed: 3), viewer: nil).map(\.title.text) == ["아침"])
            // The counts and rules of the tables that refer to travels still hold.
            try await database.travels.setLiked(false, travel: Travel.ID(seed: 3), by: User.ID(seed: 1))
            #expect(try await database.travels.travel(Travel.ID(seed: 3), viewer: nil).likeCount == 1)
            try await database.travels.update(Travel.ID(seed: 3), by: recorded[2].author.id) { _ in nil }
            #expect(try await database.travels.search(keyword).travels.map(\.id) == [9, 6].map { Travel.ID(seed: $0) })
            let left = try await database.database.read { db in
                try db.fetchOne(Int.self, "SELECT (SELECT count(*) FROM entry) + (SELECT count(*) FROM liked)")
            }
            #expect(left == 1)
        }
    }
}
