internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: TravelEditingRepository {
    /// Replaces a trip by what `change` makes of it, or removes it, in one transaction.
    public func update(
        _ id: Travel.ID, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        try await write(adding: images) { new, write, db in
            let key = try key(of: id, db)
            let recorded = try recorded(key, db)
            guard recorded.author.id == user else { throw TravelError.forbidden(.travel(id)) }
            if let changed = try change(recorded) {
                try TravelRecord.update(key, from: recorded, to: changed, &new, &write, db)
            } else {
                try TravelRecord.remove(key, &write, db)
            }
        }
    }

    private func recorded(_ key: Int64, _ db: Connection) throws -> RecordedTravel {
        let select = TravelRecord.select(seenBy: nil, where: "travel.key = \(key)")
        guard let travel = try db.fetchOne(TravelRecord.self, select)?.travel else {
            preconditionFailure("the key was read in the same transaction")
        }
        let timeline = try db.fetchAll(EntryRecord.self, EntryRecord.select(of: key)).map(\.entry)
        return try readingValues {
            try RecordedTravel(
                id: travel.id, author: travel.author, createdAt: travel.createdAt, content: travel.content,
                timeline: timeline)
        }
    }
}
