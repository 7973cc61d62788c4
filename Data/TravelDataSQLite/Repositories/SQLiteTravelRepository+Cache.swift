internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: TravelCache {
    public func store(_ fetched: FetchedTravels) async throws {
        try await write(adding: fetched.images) { _, write, db in
            for person in fetched.people { _ = try PersonRecord.saveSeen(person, &write, db) }
            for person in fetched.missingPeople {
                guard let key = try PersonRecord.key(of: person, db) else { continue }
                try TravelRecord.remove(where: "author = \(key)", &write, db)
                write.abandon(try AvatarRecord.files("person = \(key)", db))
                try db.execute("DELETE FROM person WHERE key = \(key)")
            }
            for travel in fetched.missingTravels { try SeenTravelRecord.remove(travel, &write, db) }
            for travel in fetched.travels {
                try SeenTravelRecord.save(
                    travel, timeline: fetched.timelines[travel.id], track: fetched.tracks[travel.id], &write, db)
                try SeenTravelRecord.saveLikes(of: travel, viewer: fetched.viewer, db)
            }
            if let viewer = fetched.viewer {
                try SeenTravelRecord.removeBlocks(by: viewer, of: Set(fetched.travels.map(\.author.id)), db)
            }
            for (person, authors) in fetched.blocked {
                try SeenTravelRecord.saveBlocks(by: person, of: authors, &write, db)
            }
            for image in fetched.images { try SeenTravelRecord.save(image, &write, db) }
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

    public func knowledge(of id: Travel.ID) async throws -> TravelKnowledge {
        try await database.readMappingErrors { db in
            guard let key = try db.fetchOne(Int64.self, "SELECT key FROM travel WHERE id = \(id)") else {
                return .unknown
            }
            let isUnseen: SQL = "SELECT EXISTS (SELECT 1 FROM unseen_timeline WHERE travel = \(key))"
            if try db.fetchOne(Bool.self, isUnseen) ?? false { return .withoutTimeline }
            return .complete(try recorded(key, db))
        }
    }

    public func lacksBytes(of image: TravelImage.ID) async throws -> Bool {
        try await database.readMappingErrors { db in
            try db.fetchOne(
                Bool.self,
                """
                SELECT EXISTS (SELECT 1 FROM unseen_image WHERE id = \(image))
                    OR EXISTS (SELECT 1 FROM avatar WHERE id = \(image) AND file IS NULL)
                    OR EXISTS (SELECT 1 FROM unseen_timeline WHERE thumbnail = \(image))
                    AND NOT EXISTS (SELECT 1 FROM image WHERE id = \(image))
                """) ?? false
        }
    }
}
