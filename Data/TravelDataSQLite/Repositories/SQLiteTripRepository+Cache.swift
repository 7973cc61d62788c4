internal import SQLiteStore
public import TravelDomain

extension SQLiteTripRepository: TripCache {
    public func store(_ fetched: FetchedTrips) async throws {
        try await write(adding: fetched.images) { _, write, db in
            for user in fetched.users { _ = try UserRecord.saveFetched(user, &write, db) }
            for user in fetched.missingUsers {
                guard let key = try UserRecord.key(of: user, db) else { continue }
                try TripRecord.remove(where: "author = \(key)", &write, db)
                write.abandon(try AvatarRecord.files("app_user = \(key)", db))
                try db.execute("DELETE FROM app_user WHERE key = \(key)")
            }
            for trip in fetched.missingTrips { try FetchedTripRecord.remove(trip, &write, db) }
            for trip in fetched.trips {
                try FetchedTripRecord.save(
                    trip, timeline: fetched.timelines[trip.id], track: fetched.tracks[trip.id], &write, db)
                try FetchedTripRecord.saveLikes(of: trip, viewer: fetched.viewer, db)
            }
            if let viewer = fetched.viewer {
                try FetchedTripRecord.removeBlocks(by: viewer, of: Set(fetched.trips.map(\.author.id)), db)
            }
            for (user, authors) in fetched.blocked {
                try FetchedTripRecord.saveBlocks(by: user, of: authors, &write, db)
            }
            for image in fetched.images { try FetchedTripRecord.save(image, &write, db) }
            for (request, time) in fetched.answers {
                try db.execute(
                    """
                    INSERT OR REPLACE INTO last_answer VALUES (\(request), \(time.timeIntervalSinceReferenceDate))
                    """)
            }
            try db.execute(
                """
                DELETE FROM last_answer WHERE question IN (
                    SELECT question FROM last_answer ORDER BY answered_at DESC LIMIT -1 OFFSET 1000)
                """)
        }
    }

    public func lastAnswer(to question: String) async throws -> Date? {
        try await database.readMappingErrors { db in
            try db.fetchOne(Double.self, "SELECT answered_at FROM last_answer WHERE question = \(question)")
                .map { Date(timeIntervalSinceReferenceDate: $0) }
        }
    }

    public func knowledge(of id: Trip.ID) async throws -> TripKnowledge {
        try await database.readMappingErrors { db in
            guard let key = try db.fetchOne(Int64.self, "SELECT key FROM trip WHERE id = \(id)") else {
                return .unknown
            }
            let isUnfetched: SQL = "SELECT EXISTS (SELECT 1 FROM unfetched_timeline WHERE trip = \(key))"
            if try db.fetchOne(Bool.self, isUnfetched) ?? false { return .withoutTimeline }
            return .complete(try recorded(key, db))
        }
    }

    public func lacksBytes(of image: TripImage.ID) async throws -> Bool {
        try await database.readMappingErrors { db in
            try db.fetchOne(
                Bool.self,
                """
                SELECT EXISTS (SELECT 1 FROM unfetched_image WHERE id = \(image))
                    OR EXISTS (SELECT 1 FROM avatar WHERE id = \(image) AND file IS NULL)
                    OR EXISTS (SELECT 1 FROM unfetched_timeline WHERE thumbnail = \(image))
                    AND NOT EXISTS (SELECT 1 FROM image WHERE id = \(image))
                """) ?? false
        }
    }
}
