import SQLiteStore
import TravelDataSQLite
import TravelDomain

extension TravelBenchmarks {
    /// A database of seeded trips with 8 entries each, or `TRAVEL_ENTRIES`. Everyone may see all of them, or `TRAVEL_PUBLIC` of a
    /// hundred, and their authors alone the others.
    struct World: Sendable {
        static let entriesPerTrip = ProcessInfo.processInfo.environment["TRAVEL_ENTRIES"].flatMap { Int($0) } ?? 8

        private static let publicPercentage =
            ProcessInfo.processInfo.environment["TRAVEL_PUBLIC"].flatMap { Int($0) } ?? 100

        /// The column of the report.
        let column: String
        let store: any TravelStore
        /// Makes a user the author of 10,000 trips, spread over all as they would be after years.
        let giveTrips: @Sendable (User) async throws -> Void
        let close: @Sendable () async -> Void
        /// Some of the trips, from all over the time in which they were recorded.
        let trips: [Trip]
        /// The authors of these trips.
        let authors: [User.ID]
        /// A user without trips and likes.
        let visitor: User

        init(
            column: String, store: any TravelStore, count: Int,
            giveTrips: @escaping @Sendable (User) async throws -> Void,
            close: @escaping @Sendable () async -> Void
        ) async throws {
            (self.column, self.store) = (column, store)
            (self.giveTrips, self.close) = (giveTrips, close)
            visitor = try User(nickname: Nickname("visitor"))
            try await store.add(visitor)
            let everything = TripCriteria(sort: .newest)
            let newest = try await store.search(TripQuery(everything, viewer: nil, limit: 2)).trips
            guard let template = newest.first else { fatalError("there are no trips") }
            var trips: [Trip] = []
            // One trip is recorded every two minutes on average.
            let age = Double(count) * 120
            for step in 0..<400 {
                let somewhere = try Trip(
                    id: template.id, author: template.author, content: template.content,
                    createdAt: template.createdAt.addingTimeInterval(-age * Double(step) / 400), likeCount: 0,
                    isLiked: false, isMine: false)
                let cursor = TripCursor(after: somewhere, in: .newest)
                trips += try await store.search(TripQuery(everything, viewer: nil, after: cursor, limit: 5)).trips
            }
            self.trips = trips
            var known: Set<User.ID> = []
            authors = trips.map(\.author.id).filter { known.insert($0).inserted }
        }

        static func sqlite(path: String, count: Int) async throws -> World {
            if let file = ProcessInfo.processInfo.environment["TRAVEL_DATABASE"] {
                if !FileManager.default.fileExists(atPath: file) { try await seed(file, count) }
                try FileManager.default.copyItem(atPath: file, toPath: path)
            } else {
                try await seed(path, count)
            }
            let database = try await TravelDatabase.open(path: path)
            return try await World(
                column: "SQLite", store: database.trips, count: count,
                giveTrips: { author in
                    let database = try await Database.open(.file(path))
                    try await database.write { db in
                        try db.execute(
                            """
                            UPDATE trip SET author = (SELECT key FROM app_user WHERE nickname = \(author.nickname.text))
                            WHERE key % max(1, (SELECT max(key) FROM trip) / 10000) = 0
                            """)
                    }
                    await database.close()
                }, close: { await database.close() })
        }

        /// Creates a file, which is complete when it is closed.
        private static func seed(_ path: String, _ count: Int) async throws {
            let database = try await TravelDatabase.open(path: path)
            try await database.seed(count: count, seed: 7, entriesPerTrip: entriesPerTrip)
            try await hideSome(in: database.trips)
            await database.close()
        }

        /// Makes the trips private that are not to be public.
        static func hideSome(in store: any TravelStore) async throws {
            guard publicPercentage < 100 else { return }
            var (number, cursor): (Int, TripCursor?) = (0, nil)
            repeat {
                let page = try await store.search(TripQuery(TripCriteria(), viewer: nil, after: cursor, limit: 100))
                for trip in page.trips {
                    // Spread over all.
                    number += 37
                    guard number % 100 >= publicPercentage else { continue }
                    try await store.update(trip.id, by: trip.author.id) { recorded throws(TravelError) in
                        try recorded.with(.onlyMe)
                    }
                }
                cursor = page.next
            } while cursor != nil
        }
    }
}
