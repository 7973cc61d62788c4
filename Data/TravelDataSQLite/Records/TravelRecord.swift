#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// A row of `travel` with its author's, as one viewer sees it.
struct TravelRecord: RowDecodable {
    let travel: Travel

    /// The travels that meet `condition`, as `viewer` sees them.
    static func select(seenBy viewer: User.ID?, where condition: SQL) -> SQL {
        """
        SELECT travel.id, person.id, nickname, created_at, title.text, region, first_day, last_day, themes, companions,
            headcount, budget, transportation, like_count, person.id = \(viewer?.bytes) IS TRUE,
            EXISTS (
                SELECT 1 FROM liked WHERE travel = travel.key AND person = (SELECT key FROM person WHERE id = \(viewer?.bytes)))
        FROM travel JOIN person ON person.key = author JOIN title ON title.key = travel.title
        WHERE \(condition)
        """
    }

    init(row: borrowing Row) throws {
        typealias Layout = TraitLayout
        let firstDay = CalendarDay(daysSince1970: try row[6])
        let content = TravelContent(
            title: try Title(row[4] as String), region: try Layout.value(row[5], in: Layout.regions),
            days: try DayRange(firstDay, through: CalendarDay(daysSince1970: row[7])),
            themes: Layout.values(try row[8], in: Layout.themes),
            companions: Layout.values(try row[9], in: Layout.companions),
            headcount: try (row[10] as Int?).map { try Layout.value($0, in: Layout.headcounts) },
            budget: try (row[11] as Int?).map { try Layout.value($0, in: Layout.budgets) },
            transportation: try (row[12] as Int?).map { try Layout.value($0, in: Layout.transportations) })
        travel = Travel(
            id: try Travel.ID(row, 0), author: User(id: try User.ID(row, 1), nickname: try Nickname(row[2] as String)),
            content: content,
            createdAt: Date(timeIntervalSinceReferenceDate: try row[3]), likeCount: try row[13],
            isLiked: try row[15], isMine: try row[14])
    }

    /// Adds rows for whole trips and their authors.
    ///
    /// - Throws: `TravelError.conflict` where the identity of a travel or an entry is there already.
    static func add(_ travels: [RecordedTravel], _ db: Connection) throws {
        var authors: [User: Int64] = [:]
        var newTitles: [NewTitle] = []
        for travel in travels {
            let author = try authors[travel.author] ?? PersonRecord.save(travel.author, db)
            authors[travel.author] = author
            try add(travel, author: author, likeCount: 0, &newTitles, db)
        }
        try TitleRecord.index(newTitles, db)
    }

    /// Adds a row for `recorded`, by the author whose key is `author`, and one for each of its entries.
    static func add(
        _ recorded: RecordedTravel, author: Int64, likeCount: Int, _ newTitles: inout [NewTitle], _ db: Connection
    ) throws {
        let title = try TitleRecord.save(recorded.content.title, &newTitles, db)
        try unique(.travel(recorded.id)) { try insert(recorded, author: author, likeCount: likeCount, title, db) }
        let key = db.lastInsertedRowID
        for entry in recorded.timeline {
            try unique(.entry(entry.id)) { try EntryRecord.insert(entry, travel: key, db) }
        }
    }

    private static func insert(
        _ recorded: RecordedTravel, author: Int64, likeCount: Int, _ title: TitleRecord, _ db: Connection
    ) throws {
        typealias Layout = TraitLayout
        let content = recorded.content
        let traits = Layout.traits(of: content)
        try db.execute(
            """
            INSERT INTO travel (
                id, author, created_at, title, region, first_day, last_day, themes, companions, headcount, budget,
                transportation, like_count, title_bits, traits, kind)
            VALUES (
                \(recorded.id.bytes), \(author), \(recorded.createdAt.timeIntervalSinceReferenceDate),
                \(title.key), \(Layout.position(of: content.region, in: Layout.regions)),
                \(content.days.first.daysSince1970), \(content.days.last.daysSince1970),
                \(Layout.bits(content.themes, in: Layout.themes)),
                \(Layout.bits(content.companions, in: Layout.companions)),
                \(content.headcount.map { Layout.position(of: $0, in: Layout.headcounts) }),
                \(content.budget.map { Layout.position(of: $0, in: Layout.budgets) }),
                \(content.transportation.map { Layout.position(of: $0, in: Layout.transportations) }),
                \(likeCount), \(title.bits), \(traits), \(traits & Layout.kindBits))
            """)
    }

    /// What `insert` returns; a conflict about `subject` where its identity is there already.
    private static func unique<Value>(_ subject: TravelError.Subject, _ insert: () throws -> Value) throws -> Value {
        do {
            return try insert()
        } catch let error as SQLiteError
            where error.extendedCode == .constraintUnique || error.extendedCode == .constraintPrimaryKey
        {
            throw TravelError.conflict(subject)
        }
    }
}
