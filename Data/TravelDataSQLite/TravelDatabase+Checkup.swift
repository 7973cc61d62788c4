internal import SQLiteStore
import TravelDomain

extension TravelDatabase {
    /// The result of a thorough check of the file and its images.
    package struct Checkup: Sendable {
        /// The number of travels.
        package let travels: Int
        /// The number of migrations that the file has seen.
        package let schemaVersion: Int
        /// What SQLite finds wrong with the file; empty if all is well.
        package let problems: [String]
        /// The number of images.
        package let images: Int
        /// The number of images without a file.
        package let missingImages: Int
        /// The number of images whose file has another size.
        package let damagedImages: Int
    }

    /// Checks the file and the images. Reads all of them, and changes nothing.
    ///
    /// - Throws: `TravelError.unavailable` when the database cannot answer; `CancellationError`.
    package func checkup() async throws -> Checkup {
        try await mappingErrors {
            let problems = try await database.integrityCheck()
            let folder = travels.imageFolder
            return try await database.read { db in
                var (images, missing, damaged) = (0, 0, 0)
                try db.forEach(ImageRecord.selectAll) { row in
                    let record = try ImageRecord(row: row)
                    images += 1
                    // Read one at a time, so that memory does not grow with their number.
                    switch try folder.read(record.file)?.count {
                    case nil: missing += 1
                    case let size?: damaged += size == record.size ? 0 : 1
                    }
                }
                return Checkup(
                    travels: try db.fetchOne(Int.self, "SELECT COUNT(*) FROM travel") ?? 0,
                    schemaVersion: try db.fetchOne(Int.self, "SELECT COUNT(*) FROM schema_migrations") ?? 0,
                    problems: problems, images: images,
                    missingImages: missing, damagedImages: damaged)
            }
        }
    }
}
