internal import SQLiteStore
import TravelDomain

/// The rule of `Visibility` for one viewer, in terms of keys.
struct Viewer {
    private let key: Int64?

    /// Creates the viewer with that ID, or an anonymous viewer.
    init(_ id: User.ID?, _ db: Connection) throws {
        key = try id.flatMap { try PersonRecord.key(of: $0, db) }
    }

    /// Whether the viewer sees a travel by that author with that number of reports.
    func sees(travelBy author: Int64, reports: Int, _ db: Connection) throws -> Bool {
        guard author != key else { return true }
        guard reports <= Visibility.toleratedReports else { return false }
        guard let key else { return true }
        let block: SQL = "SELECT EXISTS (SELECT 1 FROM blocked WHERE person = \(key) AND author = \(author))"
        return try db.fetchOne(Bool.self, block) == false
    }
}
