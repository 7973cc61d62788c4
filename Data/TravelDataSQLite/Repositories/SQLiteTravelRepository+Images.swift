internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: ImageRepository {
    /// Returns the image with exactly the bytes that were added.
    ///
    /// - Throws: `TravelError.notFound` when there is no such image, or when `viewer` does not see its travel;
    ///   `TravelError.unavailable` when its file cannot be read; `CancellationError`.
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        // A file is removed after its row: if the file is missing although the row existed, a second read finds no row.
        for _ in 1...2 {
            if let image = try await database.readTravels({ db in try image(id, viewer: viewer, db) }) { return image }
        }
        throw ImageRecord.missing
    }

    /// Writes the files of `images` durably, calls `body` in a transaction, and removes the files to which no row
    /// refers any more.
    func write<Value: Sendable>(
        adding images: [TravelImage] = [],
        _ body: @escaping @Sendable (inout NewImages, inout ImageWrite, Connection) throws -> Value
    ) async throws -> Value {
        let new = try NewImages(images)
        return try await mappingErrors {
            try await database.writeWithoutTransaction { [imageFolder] db in
                try imageFolder.write(images, isNamed: { try ImageRecord.isNamed($0, db) }) { write in
                    var new = new
                    return try db.transaction {
                        let value = try body(&new, &write, db)
                        try TravelBitmaps.update(db)
                        try imageFolder.prepareCommit(&write)
                        return value
                    }
                }
            }
        }
    }

    private func image(_ id: TravelImage.ID, viewer: User.ID?, _ db: Connection) throws -> TravelImage? {
        guard let record = try db.fetchOne(ImageRecord.self, ImageRecord.select(id)),
            try Viewer(viewer, db).sees(travelBy: record.author, reports: record.reports)
        else { throw TravelError.notFound(.image(id)) }
        guard let bytes = try record.bytes(in: imageFolder) else { return nil }
        return try readingValues { try TravelImage(id: id, bytes: bytes) }
    }
}
