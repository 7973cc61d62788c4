internal import SQLiteStore
public import TravelDomain

extension SQLiteTravelRepository: ImageRepository {
    /// The image.
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        // A file goes after its row: where it is gone although there was a row, a later look finds that there is none.
        for _ in 1...2 {
            if let image = try await database.readTravels({ db in try image(id, viewer: viewer, db) }) { return image }
        }
        throw ImageRecord.missing
    }

    /// Runs `body` in a transaction, with a file for each of `images` on the disk before it begins. Afterwards, the files
    /// are removed that no row names any more.
    func write(
        adding images: [TravelImage] = [],
        _ body: @escaping @Sendable (inout NewImages, inout ImageWrite, Connection) throws -> Void
    ) async throws {
        let new = try NewImages(images)
        try await mappingErrors {
            try await database.writeWithoutTransaction { [imageFolder] db in
                try imageFolder.write(images, isNamed: { try ImageRecord.isNamed($0, db) }) { write in
                    var new = new
                    try db.transaction {
                        try body(&new, &write, db)
                        try TravelBitmaps.update(db)
                        try imageFolder.prepareCommit(&write)
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
