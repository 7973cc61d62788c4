internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: TravelEditingRepository {
    /// Replaces a travel with the result of `change`, or removes it when the result is `nil`, in one transaction.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel, or when it would show an image that it neither
    ///   has nor finds in `images`; `TravelError.forbidden` when `user` is not its author; `TravelError.outdated` when
    ///   it does not have the version `version`; `TravelError.conflict` when a new entry or image has the ID of one in
    ///   another travel; `TravelError.unavailable` when the database cannot answer; any error that `change` throws;
    ///   `CancellationError`. Nothing changes then.
    @discardableResult
    public func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try await write(adding: images) { new, write, db in
            let key = try key(of: id, db)
            let recorded = try recorded(key, db)
            guard recorded.author.id == user else { throw TravelError.forbidden(.travel(id)) }
            try recorded.requireVersion(version)
            guard let changed = try change(recorded) else {
                try TravelRecord.remove(where: "key = \(key)", &write, db)
                return nil
            }
            let revision = try changed.revision(of: recorded)
            if revision.version != recorded.version {
                try TravelRecord.update(key, from: recorded, to: revision, &new, &write, db)
            }
            return revision
        }
    }

    func recorded(_ key: Int64, _ db: Connection) throws -> RecordedTravel {
        let select = TravelRecord.select(seenBy: nil, where: "travel.key = \(key)")
        guard let travel = try db.fetchOne(TravelRecord.self, select)?.travel else {
            // Its row was read in the same transaction, but that of its author is missing.
            throw SQLiteError(.corrupt, "the travel has no author")
        }
        let timeline = try db.fetchAll(EntryRecord.self, EntryRecord.select(of: key)).map(\.entry)
        let track = try TrackRecord.track(of: key, db)
        return try readingValues {
            try RecordedTravel(
                id: travel.id, author: travel.author, createdAt: travel.createdAt, updatedAt: travel.updatedAt,
                version: travel.version, content: travel.content, timeline: timeline, track: track)
        }
    }
}
