#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// A row of `image`, the file and the travel of an image, or of `avatar`.
struct ImageRecord: RowDecodable {
    let file: ImageFile.ID
    /// The size of the file in bytes.
    let size: Int
    /// The key of the travel's author, and its number of reports; `nil` and 0 for the picture of a person.
    let author: Int64?
    let reports: Int

    /// Selects the row of that image.
    static func select(_ id: TravelImage.ID) -> SQL {
        "\(ofTravels) WHERE image.id = \(id.bytes) UNION ALL \(ofPeople) AND id = \(id.bytes)"
    }

    /// Selects the rows of all images that have a file.
    static let selectAll: SQL = "\(ofTravels) UNION ALL \(ofPeople)"

    private static let ofTravels: SQL = """
        SELECT file, size, author, report_count FROM image JOIN travel
            ON travel.key = image.travel AND image.id NOT IN (SELECT id FROM unseen_image)
        """
    private static let ofPeople: SQL = "SELECT file, size, NULL, 0 FROM avatar WHERE file IS NOT NULL"

    /// Whether `viewer` sees the image. Everyone sees the pictures of people.
    func isVisible(to viewer: User.ID?, _ db: Connection) throws -> Bool {
        try author.map { try Viewer(viewer, db).sees(travelBy: $0, reports: reports, db) } ?? true
    }

    init(row: borrowing Row) throws {
        file = try ImageFile.ID(row, 0)
        (size, author, reports) = (try row[1], try row[2], try row[3])
    }

    /// Reads the file; `nil` when it does not exist.
    ///
    /// - Throws: `TravelError.unavailable` when its size is not the expected one.
    func bytes(in folder: ImageFolder) throws -> Data? {
        guard let bytes = try folder.read(file) else { return nil }
        guard bytes.count == size else {
            throw TravelError.unavailable(
                .init("The file of an image is damaged: restore a backup.", cause: .damaged, canRetry: false))
        }
        return bytes
    }

    /// The error for a missing file whose row exists.
    static let missing = TravelError.unavailable(
        .init("The file of an image is missing: restore a backup.", cause: .damaged, canRetry: false))

    /// Inserts a row for an image of the travel with the key `travel`.
    static func insert(_ image: TravelImage, file: ImageFile.ID, travel: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO image (travel, id, file, size)
            VALUES (\(travel), \(image.id.bytes), \(file.bytes), \(image.bytes.count))
            """)
    }

    /// Stores which image the author of a travel chose to represent it.
    static func setThumbnail(_ image: TravelImage.ID?, of travel: Int64, _ db: Connection) throws {
        try db.execute("UPDATE image SET is_thumbnail = 0 WHERE travel = \(travel) AND is_thumbnail")
        guard let image else { return }
        try db.execute("UPDATE image SET is_thumbnail = 1 WHERE travel = \(travel) AND id = \(image.bytes)")
    }

    /// Deletes the rows of images that a travel no longer shows, and returns their files.
    static func removeUnused(of travel: Int64, showing: [TravelImage.ID], _ db: Connection) throws -> [ImageFile.ID] {
        let shown = Set(showing)
        let rows = try db.fetchAll("SELECT id, file FROM image WHERE travel = \(travel)") { row in
            (id: try TravelImage.ID(row, 0), file: try ImageFile.ID(row, 1))
        }
        let unused = rows.filter { !shown.contains($0.id) }
        for row in unused { try db.execute("DELETE FROM image WHERE travel = \(travel) AND id = \(row.id.bytes)") }
        return unused.map(\.file)
    }

    /// Whether a row refers to the file.
    static func isNamed(_ file: ImageFile.ID, _ db: Connection) throws -> Bool {
        try db.fetchOne(
            Bool.self,
            """
            SELECT EXISTS (SELECT 1 FROM image WHERE file = \(file.bytes))
                OR EXISTS (SELECT 1 FROM avatar WHERE file = \(file.bytes))
            """) ?? false
    }

    /// The image files of the travel with the key `travel`.
    static func files(of travel: Int64, _ db: Connection) throws -> [ImageFile.ID] {
        try db.fetchAll("SELECT file FROM image WHERE travel = \(travel)") { try ImageFile.ID($0, 0) }
    }
}
