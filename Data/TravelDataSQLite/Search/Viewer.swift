internal import SQLiteStore
import TravelDomain

/// What one viewer sees, told by the keys of the file: the rule of `Visibility`.
struct Viewer {
    private let key: Int64?
    private let blocked: Set<Int64>

    /// The viewer of that identity, or nobody.
    init(_ id: User.ID?, _ db: Connection) throws {
        key = try id.flatMap { try PersonRecord.key(of: $0, db) }
        blocked =
            try key.map { Set(try db.fetchAll(Int64.self, "SELECT author FROM blocked WHERE person = \($0)")) } ?? []
    }

    /// Whether a travel by that author, which so many people have reported, is seen.
    func sees(travelBy author: Int64, reports: Int) -> Bool {
        author == key || (reports <= Visibility.toleratedReports && !blocked.contains(author))
    }

    /// Whether any travel is seen whose title has that key.
    func seesTravel(titled title: Int64, _ db: Connection) throws -> Bool {
        var isSeen = false
        try db.forEach("SELECT author, report_count FROM travel WHERE title = \(title)") { row, isEnough in
            isSeen = sees(travelBy: try row[0], reports: try row[1])
            isEnough = isSeen
        }
        return isSeen
    }
}
