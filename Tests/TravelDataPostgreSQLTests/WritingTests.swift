#if PostgreSQL
import Foundation
import PostgreSQLStoreTesting
import Synchronization
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataPostgreSQL

@Suite(
    "Writes on PostgreSQL",
    .enabled(
        if: PostgreSQLServer.isAvailable,
        "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL"), .limitedConcurrency
)
struct PostgreSQLWritingTests {
    /// Calls `body` with an empty database, and a function that returns the statements since it was last called.
    private func withDatabase(
        _ body: (PostgreSQLTripRepository, () -> [String]) async throws -> Void
    ) async throws {
        let log = Log()
        let configuration = Database.Configuration().with {
            $0.slowStatements = .init(longerThan: .zero) { statement in
                log.statements.withLock { $0.append(statement.sql) }
            }
        }
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location, configuration: configuration)
            try await body(database.trips) {
                log.statements.withLock { statements in
                    defer { statements = [] }
                    return statements
                }
            }
            await database.close()
        }
    }

    private final class Log: Sendable {
        let statements = Mutex<[String]>([])
    }

    private static func number(of table: String, in trips: PostgreSQLTripRepository) async throws -> Int? {
        try await trips.database.read { db in
            try db.fetchOne(Int.self, "SELECT count(*) FROM \(identifier: table)")
        }
    }

    @Test("people from before nicknames were compared by skeletons keep theirs, which nobody else gets")
    func skeletons() async throws {
        try await withTemporarySchema { (location) async throws in
            let old = try await Database.open(
                location, migrations: Array(TravelSchema.migrations.prefix { $0.name != "nickname skeletons" }))
            let names = ["mina", "rnina", "Мила", "민지"]
            try await old.write { db in
                for (seed, name) in zip(UInt64(1)..., names) {
                    let nickname = try Nickname(name)
                    try db.execute(
                        """
                        INSERT INTO app_user (id, nickname, nickname_key)
                        VALUES (\(User.ID(seed: seed)), \(name), \(CharacterKey.nickname(nickname)))
                        """)
                    try db.execute(
                        "INSERT INTO account VALUES (\(User.ID(seed: seed)), \(PasswordHash(seed: seed).text))")
                }
            }
            await old.close()
            let database = try await PostgreSQLTravelDatabase.open(location)
            for (seed, name) in zip(UInt64(1)..., names) {
                let account = try await database.accounts.account(named: Nickname(name))
                #expect(account?.user.id == User.ID(seed: seed) && account?.password == PasswordHash(seed: seed))
            }
            for (name, holder) in [("MlNA", UInt64(1)), ("RNINA", 1), ("Mила", 3)] {
                let holders = holder == 1 ? [User.ID(seed: 1), User.ID(seed: 2)] : [User.ID(seed: holder)]
                await #expect {
                    try await database.accounts.addAccount(
                        User(seed: 9, nickname: name), password: PasswordHash(seed: 9))
                } throws: { error in
                    holders.contains { error as? TravelError == .conflict(.user($0)) }
                }
            }
            await database.close()
        }
    }

    @Test("entries from before positions were stored keep their order, at one time that of their IDs, and can be moved")
    func positions() async throws {
        try await withTemporarySchema { (location) async throws in
            let seeds: [UInt64] = [4, 2, 5, 1, 3]
            let trip = try TripBuilder(seed: 1).with {
                $0.timeline = try seeds.map { seed in
                    try TimelineEntry(seed: seed, day: 1, image: seed == 5 ? TripImage.ID(seed: 9) : nil)
                }
            }.build()
            let first = try await PostgreSQLTravelDatabase.open(location)
            try await first.trips.add([trip], images: [TripImage(seed: 9)])
            await first.close()
            let old = try await Database.open(location)
            try await old.write { db in
                try db.executeScript(
                    """
                    DROP INDEX entry_trip;
                    ALTER TABLE entry DROP COLUMN pictures;
                    ALTER TABLE entry DROP COLUMN position;
                    CREATE INDEX entry_trip ON entry (trip, day, minutes, id);
                    ALTER TABLE entry DROP COLUMN terms;
                    ALTER TABLE trip DROP COLUMN audience;
                    ALTER TABLE image DROP COLUMN small, DROP COLUMN middle;
                    ALTER TABLE avatar DROP COLUMN small, DROP COLUMN middle;
                    DELETE FROM schema_migrations WHERE name IN (
                        'positions of entries', 'pictures of entries', 'entries in searches', 'audiences',
                        'sizes of images', 'pictures in rows of entries');
                    """)
            }
            await old.close()
            let second = try await PostgreSQLTravelDatabase.open(location)
            let entry = try await second.trips.timeline(of: trip.id, viewer: nil).first { !$0.pictures.isEmpty }
            #expect(entry?.id == TimelineEntry.ID(seed: 5) && entry?.pictures == [Picture(.init(seed: 9))])
            let ids = try await second.trips.timeline(of: trip.id, viewer: nil).map(\.id)
            #expect(ids.map(\.description) == ids.map(\.description).sorted())
            let found = try await second.trips.search(
                TripQuery(TripCriteria(keyword: Keyword("Entry")), viewer: nil))
            #expect(found.matchedEntries[trip.id]?.id == ids[0], "earlier entries have no terms")
            try await second.trips.update(trip.id, by: trip.author.id) { trip throws(TravelError) in
                try trip.moving(ids[1], .before(ids[0]))
            }
            let moved = try await second.trips.timeline(of: trip.id, viewer: nil).map(\.id)
            #expect(moved == [ids[1], ids[0], ids[2], ids[3], ids[4]])
            await second.close()
        }
    }

    @Test("pictures of a schema with a table of pictures keep their order, and what is known of each")
    func earlierPictures() async throws {
        try await withTemporarySchema { (location) async throws in
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
            let trip = try TripBuilder(seed: 1).with {
                $0.timeline = try ([5, 6, 7] as [UInt64]).map { try TimelineEntry(seed: $0, day: 1) }
            }.build()
            let first = try await PostgreSQLTravelDatabase.open(location)
            try await first.trips.add([trip])
            await first.close()
            let old = try await Database.open(location)
            try await old.write { db in
                try db.executeScript(
                    """
                    ALTER TABLE entry DROP COLUMN pictures;
                    CREATE TABLE picture (
                        entry uuid NOT NULL REFERENCES entry (id) ON DELETE CASCADE, position smallint NOT NULL,
                        trip uuid NOT NULL, image uuid NOT NULL, text text, taken_on integer, taken_at smallint,
                        utc_offset smallint, latitude double precision, longitude double precision,
                        position_kind smallint, PRIMARY KEY (entry, position)
                    );
                    DELETE FROM schema_migrations WHERE name = 'pictures in rows of entries';
                    """)
                func insert(_ picture: Picture, _ entry: Int, _ position: SQL, _ rest: SQL) throws {
                    let id = trip.timeline[entry].id
                    try db.execute(
                        "INSERT INTO picture VALUES (\(id), \(position), \(trip.id), \(picture.id), \(rest))")
                    try db.execute("UPDATE entry SET image = \(picture.id) WHERE id = \(id) AND image IS NULL")
                }
                try insert(pictures[0], 0, "0", "'등대 🌊', -1, 1380, -210, 35.1587, -129.1604, 0")
                try insert(pictures[1], 0, "1", "NULL, NULL, NULL, NULL, NULL, NULL, NULL")
                try insert(pictures[2], 2, "0", "NULL, NULL, NULL, NULL, NULL, NULL, 2")
                try insert(pictures[3], 2, "1", "NULL, 19844, 0, NULL, 35.1587, -129.1604, 1")
            }
            await old.close()
            let second = try await PostgreSQLTravelDatabase.open(location)
            let found = try await second.trips.timeline(of: trip.id, viewer: trip.author.id).map(\.pictures)
            #expect(found == [Array(pictures[..<2]), [], Array(pictures[2...])])
            await second.close()
        }
    }

    @Test("a person is removed in transactions of at most 50 trips or 100 likes")
    func removals() async throws {
        try await withDatabase { (trips, statements) async throws in
            let (mina, jun) = (try User(seed: 1, nickname: "mina"), try User(seed: 2, nickname: "jun"))
            let recorded = try (UInt64(1)...230).map {
                try TripBuilder(seed: $0, author: $0 > 120 ? jun : mina).build()
            }
            try await trips.add(recorded)
            for trip in recorded.dropFirst(120) {
                try await trips.setLiked(true, trip: trip.id, by: mina.id)
            }
            try await trips.report(recorded[229].id, by: mina.id)
            _ = statements()
            try await trips.removeUser(mina.id, by: mina.id)
            let transactions = statements().split(separator: "COMMIT")
            #expect(transactions.filter { $0.contains { $0.hasPrefix("DELETE FROM trip ") } }.count == 3)
            #expect(transactions.filter { $0.contains { $0.hasPrefix("DELETE FROM liked") } }.count == 2)
            #expect(transactions.filter { $0.contains { $0.hasPrefix("DELETE FROM app_user") } }.count == 1)
            #expect(try await !trips.isTaken(mina.nickname, exceptBy: nil))
            let left = try await trips.search(TripQuery(TripCriteria(), viewer: nil, limit: 100)).trips
            #expect(left.count == 100 && left.allSatisfy { $0.author == jun && $0.likeCount == 0 })
            #expect(try await Self.number(of: "trip", in: trips) == 110)
            #expect(try await Self.number(of: "liked", in: trips) == 0)
            #expect(try await Self.number(of: "reported", in: trips) == 0)
        }
    }

    @Test("a removal that is cancelled between its transactions continues when it is called again")
    func interruptedRemoval() async throws {
        try await withTemporarySchema { (location) async throws in
            let removal = CancelledRemoval()
            let configuration = Database.Configuration().with {
                $0.slowStatements = .init(longerThan: .zero) { statement in
                    removal.see(statement.sql)
                }
            }
            let database = try await PostgreSQLTravelDatabase.open(location, configuration: configuration)
            let trips = database.trips
            let mina = try User(seed: 1, nickname: "mina")
            try await trips.add((UInt64(1)...180).map { try TripBuilder(seed: $0, author: mina).build() })
            let task = removal.begin { try await trips.removeUser(mina.id, by: mina.id) }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await Self.number(of: "trip", in: trips) == 130)
            #expect(try await trips.user(mina.id) == mina)
            try await trips.removeUser(mina.id, by: mina.id)
            #expect(try await Self.number(of: "trip", in: trips) == 0)
            await #expect(throws: TravelError.notFound(.user(mina.id))) { _ = try await trips.user(mina.id) }
            await database.close()
        }
    }

    /// Cancels a task after the commit of the first transaction that deletes trips.
    private final class CancelledRemoval: Sendable {
        private let state = Mutex<(task: Task<Void, any Error>?, isDeleting: Bool)>((nil, false))

        /// Starts the task under the lock, so that none of its statements is seen before the task is known.
        func begin(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
            state.withLock { state in
                let task = Task { try await body() }
                state.task = task
                return task
            }
        }

        func see(_ statement: String) {
            let task = state.withLock { state in
                if statement.hasPrefix("DELETE FROM trip ") { state.isDeleting = true }
                return state.isDeleting && statement == "COMMIT" ? state.task : nil
            }
            task?.cancel()
        }
    }

    @Test("likes of others are counted while a person is removed")
    func likesMeanwhile() async throws {
        try await withDatabase { (trips, _) async throws in
            let (mina, jun) = (try User(seed: 1, nickname: "mina"), try User(seed: 2, nickname: "jun"))
            let recorded = try (UInt64(1)...300).map {
                try TripBuilder(seed: $0, author: $0 > 200 ? jun : mina).build()
            }
            try await trips.add(recorded)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { () async throws in try await trips.removeUser(mina.id, by: mina.id) }
                for trip in recorded {
                    group.addTask { () async throws in
                        do {
                            try await trips.setLiked(true, trip: trip.id, by: jun.id)
                        } catch TravelError.notFound where trip.author == mina {}  // It has been removed.
                    }
                }
                try await group.waitForAll()
            }
            let left = try await trips.search(TripQuery(TripCriteria(), viewer: jun.id, limit: 100)).trips
            #expect(left.count == 100 && left.allSatisfy { $0.isLiked && $0.likeCount == 1 })
            #expect(try await Self.number(of: "liked", in: trips) == 100)
        }
    }

    @Test("a trip that its author adds during their removal is removed with them, or stays with its author")
    func additionsMeanwhile() async throws {
        try await withDatabase { (trips, _) async throws in
            let mina = try User(seed: 1, nickname: "mina")
            try await trips.add((UInt64(1)...150).map { try TripBuilder(seed: $0, author: mina).build() })
            let later = try (UInt64(151)...190).map { try TripBuilder(seed: $0, author: mina).build() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { () async throws in try await trips.removeUser(mina.id, by: mina.id) }
                for trip in later { group.addTask { () async throws in try await trips.add([trip]) } }
                try await group.waitForAll()
            }
            let left = try await trips.search(TripQuery(TripCriteria(), viewer: nil, limit: 100)).trips
            #expect(Set(later.map(\.id)).isSuperset(of: left.map(\.id)))
            #expect(left.allSatisfy { $0.author == mina })
            #expect(try await trips.isTaken(mina.nickname, exceptBy: nil) == !left.isEmpty)
            for table in ["trip", "trip_rank"] {
                #expect(try await Self.number(of: table, in: trips) == left.count)
            }
        }
    }

    @Test("a change of one entry of a timeline writes no other entry")
    func entries() async throws {
        try await withDatabase { (trips, statements) async throws in
            let day = try CalendarDay(year: 2024, month: 5, day: 1)
            let trip = try RecordedTrip(
                author: User(seed: 1, nickname: "mina"), createdAt: Date(timeIntervalSinceReferenceDate: 0),
                content: TripContent(
                    title: Title("trip"), region: .jeju, days: DayRange(day, through: day), audience: .everyone),
                timeline: (0..<60).map { try Self.entry($0) })
            try await trips.add([trip])
            _ = statements()
            let old = trip.timeline[30]
            let changed = try TimelineEntry(
                id: old.id, day: old.day, time: old.time, title: Title("changed"), text: old.text)
            try await trips.update(trip.id, by: trip.author.id) { trip throws(TravelError) in
                try trip.saving(changed)
            }
            let writes = statements().filter { !$0.hasPrefix("SELECT") }
            // Preparing a statement is an exchange, too.
            #expect(Set(writes.filter { $0.contains(" entry ") }).count == 2)
            #expect(!writes.contains { $0.contains("trip_rank") })
            let timeline = try await trips.timeline(of: trip.id, viewer: nil)
            #expect(timeline.count == 60 && timeline.contains(changed))
            let transactions = try await trips.database.read { db in
                try db.fetchAll(Int.self, "SELECT count(*) FROM entry GROUP BY xmin::text ORDER BY 1")
            }
            #expect(transactions == [1, 59])
        }
    }

    @Test("a conflict over an entry names the entry, wherever it stands in a timeline", arguments: [0, 150, 299])
    func conflict(position: Int) async throws {
        try await withDatabase { (trips, _) async throws in
            let day = try CalendarDay(year: 2024, month: 5, day: 1)
            func trip(_ entries: [TimelineEntry]) throws -> RecordedTrip {
                try RecordedTrip(
                    author: User(seed: 1, nickname: "mina"), createdAt: Date(timeIntervalSinceReferenceDate: 0),
                    content: TripContent(
                        title: Title("trip"), region: .jeju, days: DayRange(day, through: day), audience: .everyone),
                    timeline: entries)
            }
            let taken = try Self.entry(position)
            try await trips.add([trip([taken])])
            var entries = try (0..<300).map { try Self.entry($0) }
            entries[position] = taken
            let other = try trip(entries)
            await #expect(throws: TravelError.conflict(.entry(taken.id))) { try await trips.add([other]) }
            #expect(try await Self.number(of: "entry", in: trips) == 1)
        }
    }

    private static func entry(_ number: Int) throws -> TimelineEntry {
        try TimelineEntry(
            day: 1, time: TimeOfDay(minutesSinceMidnight: number), title: Title("\(number)"),
            text: EntryText("text"))
    }
}
#endif
