import Foundation
import SQLiteStore
import SQLiteStoreTesting
import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("What writes touch", .limitedConcurrency)
struct WritingTests {
    /// Calls `body` with a database, and returns the statements that it executed on tables.
    private func statements(
        after prepare: (Database, SQLiteTripRepository) async throws -> Void = { _, _ in },
        of body: (Database, SQLiteTripRepository) async throws -> Void
    ) async throws -> [String] {
        let trace = SQLTrace()
        let database = try await Database.open(
            .temporary, configuration: trace.traced(), migrations: TravelSchema.migrations)
        let folder = FileManager.default.temporaryDirectory.appending(path: "travel-images-\(UUID().uuidString)")
        let images = ImageFolder(path: folder.path, isTemporary: true, files: SystemFiles())
        let trips = SQLiteTripRepository(database, imageFolder: images, effort: SearchEffort())
        try await prepare(database, trips)
        let before = trace.statements.count
        try await body(database, trips)
        let statements = trace.statements.dropFirst(before)
        await database.close()
        return statements.filter { statement in
            ["SELECT", "INSERT", "UPDATE", "DELETE", "COMMIT"].contains { statement.hasPrefix($0) }
        }
    }

    @Test("writes of the session and of recent keywords use no table of trips")
    func settings() async throws {
        let statements = try await statements { database, _ in
            let session = SQLiteSession(database)
            try await session.setSession(session.identify())
            try await SQLiteRecentKeywordRepository(database).updateRecentKeywords { recent in
                Keyword("바다").map { recent.remember($0) }
            }
        }
        #expect(statements.count > 4)
        for statement in statements where statement != "COMMIT" {
            #expect(statement.contains("session") || statement.contains("recent_keyword"))
            for table in ["trip", "row_set", "app_user"] { #expect(!statement.contains(table)) }
        }
    }

    @Test("saving an entry writes the row of that entry and the sets of its new words, however long the timeline is")
    func entries() async throws {
        let entries = try (0..<60).map { number in
            try TimelineEntry(
                id: TimelineEntry.ID(seed: UInt64(number)), day: 1, time: TimeOfDay(minutesSinceMidnight: number),
                title: Title("기록"), text: EntryText("글"))
        }
        let trip = try TripBuilder(seed: 1).with { $0.timeline = entries }.build()
        let changed = try TimelineEntry(
            id: entries[7].id, day: 1, time: TimeOfDay(hour: 9), title: Title("새로"), text: EntryText("글"))
        let statements = try await statements { _, trips in
            try await trips.add([trip])
        } of: { _, trips in
            try await trips.update(trip.id, by: trip.author.id) { trip throws(TravelError) in
                try trip.saving(changed)
            }
            #expect(try await trips.timeline(of: trip.id, viewer: nil).count == 60)
        }
        let writes = statements.filter { !$0.hasPrefix("SELECT") }
        // SQLite reports the pictures that a foreign key removes as rows of the same statement.
        #expect(Set(writes.filter { $0.contains("entry") }).count == 2)
        // Two syllables, and both together.
        #expect(writes.filter { $0.contains("row_set") }.count == 3)
    }

    @Test("a person is removed in transactions of at most 50 trips or 100 likes")
    func removals() async throws {
        let (mina, jun) = (try User(seed: 1, nickname: "mina"), try User(seed: 2, nickname: "jun"))
        let recorded = try (UInt64(1)...230).map { try TripBuilder(seed: $0, author: $0 > 120 ? jun : mina).build() }
        let statements = try await statements { _, trips in
            try await trips.add(recorded)
            for trip in recorded.dropFirst(120) { try await trips.setLiked(true, trip: trip.id, by: mina.id) }
        } of: { _, trips in
            try await trips.removeUser(mina.id, by: mina.id)
            #expect(try await !trips.isTaken(mina.nickname, exceptBy: nil))
            let left = try await trips.search(TripQuery(TripCriteria(), viewer: nil, limit: 100)).trips
            #expect(left.count == 100 && left.allSatisfy { $0.author == jun && $0.likeCount == 0 })
        }
        let transactions = statements.split(separator: "COMMIT")
        // The actions of foreign keys are traced as the statement that caused them.
        let removed = transactions.map { $0.filter { $0.hasPrefix("DELETE FROM trip ") }.count }.filter { $0 > 0 }
        #expect(removed.map { $0 * 120 / removed.reduce(0, +) } == [50, 50, 20])
        #expect(transactions.filter { $0.contains { $0.hasPrefix("DELETE FROM liked") } }.count == 2)
    }

    @Test("a title of 60 characters that replaces another writes less than 1 MB, with its copy to the file")
    func longTitles() async throws {
        var samples = SeededGenerator(seed: 60)
        /// A title of which no two words or syllables are likely to repeat, and so each set has a page of its own.
        func title(_ length: Int) throws -> String {
            let syllables = (0..<length).map { index in
                let scalar = UInt32.random(in: 0xAC00..<0xAC00 + 1_500, using: &samples)
                return index % 5 == 4 ? " " : Character(Unicode.Scalar(scalar) ?? "가")
            }
            return String(syllables.dropLast()) + "끝"
        }
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/trips.db")
            let trips = try (UInt64(1)...1_000).map { seed in
                let title = try title(seed.isMultiple(of: 4) ? 60 : 14)
                return try TripBuilder(seed: seed).with { $0.title = title }.build()
            }
            try await database.trips.add(trips)
            _ = try await database.database.checkpoint(.truncate)
            var log: [Int] = []
            for trip in trips.prefix(60) {
                let title = try Title(title(60))
                #expect(title.text.count == 60)
                try await database.trips.update(trip.id, by: trip.author.id) { recorded throws(TravelError) in
                    var content = recorded.content
                    content.title = title
                    return try recorded.with(content)
                }
                let path = folder + "/trips.db-wal"
                log.append(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)
                _ = try await database.database.checkpoint(.truncate)
            }
            // Each page is written to the log, and once more to the file.
            #expect((1...500_000).contains(log.max() ?? 0), "\(log) bytes in the log")
            await database.close()
        }
    }

    @Test("the log stays short, so that no write copies much of it to the file")
    func log() async throws {
        try await withTemporaryFolder { folder in
            let database = try await TravelDatabase.open(path: folder + "/trips.db")
            let trips = try (UInt64(1)...20).map { try TripBuilder(seed: $0).build() }
            try await database.trips.add(trips)
            // The log of the additions is longer, and is used again from its beginning.
            _ = try await database.database.checkpoint(.truncate)
            var longest = 0
            for number in 0..<100 {
                let trip = trips[number % 20]
                try await database.trips.setLiked(number % 40 < 20, trip: trip.id, by: trips[0].author.id)
                let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/trips.db-wal")
                longest = max(longest, attributes[.size] as? Int ?? 0)
            }
            #expect((1...64 * 4_120).contains(longest))
            await database.close()
        }
    }
}
