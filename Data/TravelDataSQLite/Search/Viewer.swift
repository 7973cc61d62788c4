internal import SQLiteStore
import TravelDomain

/// The rule of `Visibility` for one viewer, in terms of keys.
struct Viewer {
    private let key: Int64?
    private let blocked: Set<Int64>

    /// Loads the viewer with that ID, or an anonymous viewer.
    init(_ id: User.ID?, _ db: Connection) throws {
        key = try id.flatMap { try PersonRecord.key(of: $0, db) }
        blocked =
            try key.map { Set(try db.fetchAll(Int64.self, "SELECT author FROM blocked WHERE person = \($0)")) } ?? []
    }

    /// Whether the viewer sees a travel by that author with that number of reports.
    func sees(travelBy author: Int64, reports: Int) -> Bool {
        author == key || (reports <= Visibility.toleratedReports && !blocked.contains(author))
    }

    /// Whether the viewer sees any travel with that title.
    func seesTravel(titled title: Int64, _ db: Connection) throws -> Bool {
        var isSeen = false
        try db.forEach("SELECT author, report_count FROM travel WHERE title = \(title)") { row, stop in
            isSeen = sees(travelBy: try row[0], reports: try row[1])
            stop = isSeen
        }
        return isSeen
    }
}
