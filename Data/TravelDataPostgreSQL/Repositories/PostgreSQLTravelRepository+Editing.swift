#if PostgreSQL
    internal import PostgreSQLStore
    public import TravelDomain

    extension PostgreSQLTravelRepository: TravelEditingRepository {
        /// Changes or removes a travel. `change` may run several times, on newer versions of the travel.
        ///
        /// - Throws: `TravelError.notFound`, `.forbidden`, `.outdated`, `.conflict` and `.unavailable`; the errors of
        ///   `change`; `CancellationError`.
        @discardableResult
        public func update(
            _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
            _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
        ) async throws -> RecordedTravel? {
            let images = try NewImages(images)
            return try await database.writeTravels { db in
                var new = images
                let recorded = try recorded(id, db)
                guard recorded.author.id == user else { throw TravelError.forbidden(.travel(id)) }
                try recorded.requireVersion(version)
                guard let changed = try change(recorded) else {
                    try db.execute("DELETE FROM travel WHERE id = \(id.rawValue)")
                    return nil
                }
                let revision = try changed.revision(of: recorded)
                if revision.version != recorded.version {
                    try TravelRecord.update(from: recorded, to: revision, &new, db)
                }
                return revision
            }
        }

        private func recorded(_ id: Travel.ID, _ db: Connection) throws -> RecordedTravel {
            let select: SQL =
                "\(TravelRecord.select(seenBy: nil)) WHERE rank.travel = \(id.rawValue) FOR UPDATE OF rank"
            guard let travel = try db.fetchOne(TravelRecord.self, select)?.travel else {
                throw TravelError.notFound(.travel(id))
            }
            let timeline = try db.fetchAll(EntryRecord.self, EntryRecord.select(of: id)).map(\.entry)
            let track = try TrackRecord.tracks(of: [id.rawValue], db)[id]
            return try readingValues {
                try RecordedTravel(
                    id: travel.id, author: travel.author, createdAt: travel.createdAt, updatedAt: travel.updatedAt,
                    version: travel.version, content: travel.content, timeline: timeline, track: track)
            }
        }
    }
#endif
