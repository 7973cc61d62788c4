internal import SQLiteStore
internal import Synchronization
public import TravelDomain

extension SQLiteTravelRepository: ImageRepository {
    /// Returns the image with exactly the bytes that were added.
    ///
    /// - Throws: `TravelError.notFound` when there is no such image, or when `viewer` does not see its travel;
    ///   `TravelError.unavailable` when its file cannot be read; `CancellationError`.
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        // A file is removed after its row: if the file is missing although the row existed, a second read finds no row.
        for _ in 1...2 {
            if let image = try await database.readMappingErrors({ db in try image(id, viewer: viewer, db) }) {
                return image
            }
        }
        throw ImageRecord.missing
    }

    /// Writes the files of `images` durably, then calls `body` in a transaction, and removes the files to which no row
    /// refers any more. Other writes wait only for the transaction.
    func write<Value: Sendable>(
        adding images: [TravelImage] = [],
        _ body: @escaping @Sendable (inout NewImages, inout ImageWrite, Connection) throws -> Value
    ) async throws -> Value {
        let new = try NewImages(images)
        // Kept outside of the accesses, which may fail or be cancelled at any step.
        let state = Mutex(ImageWrite())
        return try await mappingErrors {
            do {
                if !images.isEmpty {
                    try await database.offload { [imageFolder] in
                        try state.withLock { try imageFolder.add(images, &$0) }
                    }
                }
                let value = try await database.write { [imageFolder] db in
                    try state.withLock { write in
                        var new = new
                        let value = try body(&new, &write, db)
                        try imageFolder.prepareCommit(&write)
                        return value
                    }
                }
                // The write is committed: an error of the sweep must not look like one of the write. A later sweep
                // removes what this one leaves.
                if state.withLock({ $0.endMarking() }) { try? await imageFolder.sweep(database) }
                return value
            } catch {
                // Files that cannot be removed keep their markers.
                state.withLock { try? imageFolder.undo($0) }
                throw error
            }
        }
    }

    private func image(_ id: TravelImage.ID, viewer: User.ID?, _ db: Connection) throws -> TravelImage? {
        guard let record = try db.fetchOne(ImageRecord.self, ImageRecord.select(id)),
            try record.isVisible(to: viewer, db)
        else { throw TravelError.notFound(.image(id)) }
        guard let bytes = try record.bytes(in: imageFolder) else { return nil }
        return try readingValues { try TravelImage(id: id, bytes: bytes) }
    }
}
