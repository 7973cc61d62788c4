import SQLiteStore
import Synchronization
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting

@testable import TravelDataSQLite

@Suite("Wake-ups of observations", .limitedConcurrency)
struct WakingTests {
    /// The parts of the trip of seed 1 that can be observed.
    enum Observed: CaseIterable {
        case page, trip, timeline, day

        func fetch(of trips: SQLiteTripRepository, _ db: Connection) throws -> Fetched {
            let (id, viewer) = (Trip.ID(seed: 1), User.ID(seed: 2))
            return switch self {
            // The trip of seed 2 is the oldest.
            case .page: .page(try trips.page(of: TripQuery(TripCriteria(), viewer: viewer, limit: 1), db))
            case .trip: .trip(try trips.observedTrip(id, viewer: viewer, db))
            case .timeline: .entries(try trips.observedTimeline(of: id, day: nil, viewer: viewer, db))
            case .day: .entries(try trips.observedTimeline(of: id, day: 1, viewer: viewer, db))
            }
        }
    }

    /// The result of a fetch.
    enum Fetched: Equatable, Sendable {
        case page(TripPage)
        case trip(Trip)
        case entries([TimelineEntry])

        /// Whether the fetch includes the image of the last change.
        var showsImage: Bool {
            let image = TripImage.ID(seed: 1)
            return switch self {
            case .page(let page): page.trips.contains { $0.thumbnail == image }
            case .trip(let trip): trip.thumbnail == image
            case .entries(let entries): entries.contains { $0.image == image }
            }
        }
    }

    /// Changes that do not affect the observed trip.
    enum UnrelatedChange: CaseIterable {
        case recentKeyword, session, like, nickname, likeOfAnotherTrip, changeOfAnotherTrip

        /// The observations that do not read what this change writes.
        var unaffected: [Observed] {
            switch self {
            case .recentKeyword, .session, .likeOfAnotherTrip: Observed.allCases
            case .like, .nickname: [.timeline, .day]
            // Any change of its content can bring another trip onto the page.
            case .changeOfAnotherTrip: [.trip, .timeline, .day]
            }
        }

        func apply(in database: TravelDatabase) async throws {
            switch self {
            case .recentKeyword:
                try await database.recentKeywords.updateRecentKeywords { recent in
                    Keyword("바다").map { recent.remember($0) }
                }
            case .session: try await database.session.setSession(Session(user: User.ID(seed: 2)))
            case .like:
                try await database.trips.setLiked(true, trip: Trip.ID(seed: 1), by: User.ID(seed: 2))
            case .nickname:
                try await database.trips.rename(User.ID(seed: 1), to: Nickname("Sora"), by: User.ID(seed: 1))
            case .likeOfAnotherTrip:
                for isLiked in [true, false] {
                    try await database.trips.setLiked(isLiked, trip: Trip.ID(seed: 2), by: User.ID(seed: 2))
                }
            case .changeOfAnotherTrip:
                // An entry with a picture comes, and goes.
                let (trip, author) = (Trip.ID(seed: 2), User.ID(seed: 2))
                let breakfast = try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: 8), title: Title("Breakfast"), text: EntryText("Bread"),
                    pictures: [Picture(TripImage.ID(seed: 2))])
                try await database.trips.update(trip, by: author, adding: [TripImage(seed: 2)]) {
                    trip throws(TravelError) in try trip.saving(breakfast)
                }
                try await database.trips.update(trip, by: author) {
                    trip throws(TravelError) in try trip.removing(breakfast.id)
                }
            }
        }
    }

    @Test("changes to data that an observation does not read cause no fetch", arguments: UnrelatedChange.allCases)
    func unrelatedCommits(change: UnrelatedChange) async throws {
        for observed in change.unaffected {
            let fetches = try await fetches(of: observed) { database, _ in
                for _ in 0..<5 { try await change.apply(in: database) }
            }
            #expect(fetches == 2, "\(observed), \(change)")
        }
    }

    @Test(
        "changes to data that an observation reads cause a fetch, even if the value stays the same",
        arguments: [Observed.page, .trip])
    func relatedCommits(observed: Observed) async throws {
        let fetches = try await fetches(of: observed) { database, fetches in
            while fetches.load(ordering: .relaxed) < 2 {
                try Task.checkCancellation()
                for isLiked in [true, false] {
                    try await database.trips.setLiked(isLiked, trip: Trip.ID(seed: 1), by: User.ID(seed: 2))
                }
            }
        }
        // A fetch that had just begun may include the last change, so that there is no third one.
        #expect(fetches >= 2)
    }

    @Test("observers of the same part and viewer share its fetches")
    func sharing() async throws {
        let database = try await TravelDatabase.copied()
        try await database.trips.add([TripBuilder(seed: 1).build()])
        let (trips, id, viewer) = (database.trips, Trip.ID(seed: 1), User.ID(seed: 2))
        let query = try TripQuery(TripCriteria(), viewer: viewer)
        var iterators: [any AsyncIteratorProtocol] = []
        for _ in 1...3 {
            iterators.append(trips.observe(query).makeAsyncIterator())
            iterators.append(trips.observeTrip(id, viewer: viewer).makeAsyncIterator())
            iterators.append(trips.observeTrip(id, viewer: nil).makeAsyncIterator())
            iterators.append(trips.observeTimeline(of: id, day: nil, viewer: viewer).makeAsyncIterator())
            iterators.append(trips.observeTimeline(of: id, day: 1, viewer: viewer).makeAsyncIterator())
        }
        #expect(iterators.count == 15)
        #expect(database.database.hub.queryCount == 5)
        iterators = []
        #expect(database.database.hub.queryCount == 0)
        await database.close()
    }

    /// Counts the fetches of an observation while `changes` runs, and until an entry with an image is added, which
    /// changes every observed value.
    private func fetches(
        of observed: Observed, while changes: (TravelDatabase, borrowing Atomic<Int>) async throws -> Void
    ) async throws -> Int {
        let database = try await TravelDatabase.copied()
        // The page also reads the trip after its last one.
        let times = [1: 3.0, 3: 2.0, 2: 1.0] as [UInt64: Double]
        try await database.trips.add(
            times.map { seed, time in
                try TripBuilder(seed: seed).with { $0.createdAt = Date(timeIntervalSinceReferenceDate: time) }.build()
            })
        let count = Counter()
        let observation = database.database.observe { [trips = database.trips] db in
            count.fetches.add(1, ordering: .relaxed)
            return try observed.fetch(of: trips, db)
        }
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await looked in observation {
                    beginning.yield()
                    if looked.showsImage { return }
                }
            }
            for await _ in begun { break }
            try await changes(database, count.fetches)
            let entry = try TimelineEntry(
                day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"), text: EntryText("Text"),
                pictures: [Picture(TripImage.ID(seed: 1))])
            try await database.trips.update(
                Trip.ID(seed: 1), by: User.ID(seed: 1), adding: [TripImage(seed: 1)]
            ) { trip throws(TravelError) in try trip.saving(entry) }
            try await group.waitForAll()
        }
        await database.close()
        return count.fetches.load(ordering: .relaxed)
    }

    private final class Counter: Sendable {
        let fetches = Atomic(0)
    }
}
