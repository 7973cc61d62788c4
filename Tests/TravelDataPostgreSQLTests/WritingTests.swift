#if PostgreSQL
import Foundation
import PostgreSQLStoreTesting
import Synchronization
import TestTurns
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataPostgreSQL

@Suite(
    "Writes on PostgreSQL",
    .enabled(
        if: PostgreSQLServer.isAvailable,
        "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL"), .takesTurns)
struct PostgreSQLWritingTests {
    /// Calls `body` with an empty database, and a function that returns the statements since it was last called.
    private func withDatabase(
        _ body: (PostgreSQLTravelRepository, () -> [String]) async throws -> Void
    ) async throws {
        let log = Log()
        let configuration = Database.Configuration().with {
            $0.slowStatements = .init(longerThan: .zero) { statement in
                log.statements.withLock { $0.append(statement.sql) }
            }
        }
        try await withTemporarySchema { (location) async throws in
            let database = try await PostgreSQLTravelDatabase.open(location, configuration: configuration)
            try await body(database.travels) {
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

    private static func number(of table: String, in travels: PostgreSQLTravelRepository) async throws -> Int? {
        try await travels.database.read { db in
            try db.fetchOne(Int.self, "SELECT count(*) FROM \(identifier: table)")
        }
    }

    @Test("a person is removed in transactions of at most 50 travels or 100 likes")
    func removals() async throws {
        try await withDatabase { (travels, statements) async throws in
            let (mina, jun) = (try User(seed: 1, nickname: "mina"), try User(seed: 2, nickname: "jun"))
            let recorded = try (UInt64(1)...230).map {
                try TravelBuilder(seed: $0, author: $0 > 120 ? jun : mina).build()
            }
            try await travels.add(recorded)
            for travel in recorded.dropFirst(120) {
                try await travels.setLiked(true, travel: travel.id, by: mina.id)
            }
            try await travels.report(recorded[229].id, by: mina.id)
            _ = statements()
            try await travels.removeUser(mina.id, by: mina.id)
            let transactions = statements().split(separator: "COMMIT")
            #expect(transactions.filter { $0.contains { $0.hasPrefix("DELETE FROM travel ") } }.count == 3)
            #expect(transactions.filter { $0.contains { $0.hasPrefix("DELETE FROM liked") } }.count == 2)
            #expect(transactions.filter { $0.contains { $0.hasPrefix("DELETE FROM person") } }.count == 1)
            #expect(try await !travels.isTaken(mina.nickname, exceptBy: nil))
            let left = try await travels.search(TravelQuery(TravelCriteria(), viewer: nil, limit: 100)).travels
            #expect(left.count == 100 && left.allSatisfy { $0.author == jun && $0.likeCount == 0 })
            #expect(try await Self.number(of: "travel", in: travels) == 110)
            #expect(try await Self.number(of: "liked", in: travels) == 0)
            #expect(try await Self.number(of: "reported", in: travels) == 0)
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
            let travels = database.travels
            let mina = try User(seed: 1, nickname: "mina")
            try await travels.add((UInt64(1)...180).map { try TravelBuilder(seed: $0, author: mina).build() })
            let task = removal.begin { try await travels.removeUser(mina.id, by: mina.id) }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await Self.number(of: "travel", in: travels) == 130)
            #expect(try await travels.user(mina.id) == mina)
            try await travels.removeUser(mina.id, by: mina.id)
            #expect(try await Self.number(of: "travel", in: travels) == 0)
            await #expect(throws: TravelError.notFound(.user(mina.id))) { _ = try await travels.user(mina.id) }
            await database.close()
        }
    }

    /// Cancels a task after the commit of the first transaction that deletes travels.
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
                if statement.hasPrefix("DELETE FROM travel ") { state.isDeleting = true }
                return state.isDeleting && statement == "COMMIT" ? state.task : nil
            }
            task?.cancel()
        }
    }

    @Test("likes of others are counted while a person is removed")
    func likesMeanwhile() async throws {
        try await withDatabase { (travels, _) async throws in
            let (mina, jun) = (try User(seed: 1, nickname: "mina"), try User(seed: 2, nickname: "jun"))
            let recorded = try (UInt64(1)...300).map {
                try TravelBuilder(seed: $0, author: $0 > 200 ? jun : mina).build()
            }
            try await travels.add(recorded)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { () async throws in try await travels.removeUser(mina.id, by: mina.id) }
                for travel in recorded {
                    group.addTask { () async throws in
                        do {
                            try await travels.setLiked(true, travel: travel.id, by: jun.id)
                        } catch TravelError.notFound where travel.author == mina {}  // It has been removed.
                    }
                }
                try await group.waitForAll()
            }
            let left = try await travels.search(TravelQuery(TravelCriteria(), viewer: jun.id, limit: 100)).travels
            #expect(left.count == 100 && left.allSatisfy { $0.isLiked && $0.likeCount == 1 })
            #expect(try await Self.number(of: "liked", in: travels) == 100)
        }
    }

    @Test("a travel that its author adds during their removal is removed with them, or stays with its author")
    func additionsMeanwhile() async throws {
        try await withDatabase { (travels, _) async throws in
            let mina = try User(seed: 1, nickname: "mina")
            try await travels.add((UInt64(1)...150).map { try TravelBuilder(seed: $0, author: mina).build() })
            let later = try (UInt64(151)...190).map { try TravelBuilder(seed: $0, author: mina).build() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { () async throws in try await travels.removeUser(mina.id, by: mina.id) }
                for travel in later { group.addTask { () async throws in try await travels.add([travel]) } }
                try await group.waitForAll()
            }
            let left = try await travels.search(TravelQuery(TravelCriteria(), viewer: nil, limit: 100)).travels
            #expect(Set(later.map(\.id)).isSuperset(of: left.map(\.id)))
            #expect(left.allSatisfy { $0.author == mina })
            #expect(try await travels.isTaken(mina.nickname, exceptBy: nil) == !left.isEmpty)
            for table in ["travel", "travel_rank"] {
                #expect(try await Self.number(of: table, in: travels) == left.count)
            }
        }
    }

    @Test("a change of one entry of a timeline writes no other entry")
    func entries() async throws {
        try await withDatabase { (travels, statements) async throws in
            let day = try CalendarDay(year: 2024, month: 5, day: 1)
            let travel = try RecordedTravel(
                author: User(seed: 1, nickname: "mina"), createdAt: Date(timeIntervalSinceReferenceDate: 0),
                content: TravelContent(title: Title("trip"), region: .jeju, days: DayRange(day, through: day)),
                timeline: (0..<60).map { try Self.entry($0) })
            try await travels.add([travel])
            _ = statements()
            let old = travel.timeline[30]
            let changed = try TimelineEntry(
                id: old.id, day: old.day, time: old.time, title: Title("changed"), text: old.text)
            try await travels.update(travel.id, by: travel.author.id) { travel throws(TravelError) in
                try travel.saving(changed)
            }
            let writes = statements().filter { !$0.hasPrefix("SELECT") }
            // Preparing a statement is an exchange, too.
            #expect(Set(writes.filter { $0.contains(" entry ") }).count == 2)
            #expect(!writes.contains { $0.contains("travel_rank") })
            let timeline = try await travels.timeline(of: travel.id, viewer: nil)
            #expect(timeline.count == 60 && timeline.contains(changed))
            let transactions = try await travels.database.read { db in
                try db.fetchAll(Int.self, "SELECT count(*) FROM entry GROUP BY xmin::text ORDER BY 1")
            }
            #expect(transactions == [1, 59])
        }
    }

    @Test("a conflict over an entry names the entry, wherever it stands in a timeline", arguments: [0, 150, 299])
    func conflict(position: Int) async throws {
        try await withDatabase { (travels, _) async throws in
            let day = try CalendarDay(year: 2024, month: 5, day: 1)
            func travel(_ entries: [TimelineEntry]) throws -> RecordedTravel {
                try RecordedTravel(
                    author: User(seed: 1, nickname: "mina"), createdAt: Date(timeIntervalSinceReferenceDate: 0),
                    content: TravelContent(title: Title("trip"), region: .jeju, days: DayRange(day, through: day)),
                    timeline: entries)
            }
            let taken = try Self.entry(position)
            try await travels.add([travel([taken])])
            var entries = try (0..<300).map { try Self.entry($0) }
            entries[position] = taken
            let other = try travel(entries)
            await #expect(throws: TravelError.conflict(.entry(taken.id))) { try await travels.add([other]) }
            #expect(try await Self.number(of: "entry", in: travels) == 1)
        }
    }

    private static func entry(_ number: Int) throws -> TimelineEntry {
        try TimelineEntry(
            day: 1, time: TimeOfDay(minutesSinceMidnight: number), title: Title("\(number)"),
            text: EntryText("text"))
    }
}
#endif
