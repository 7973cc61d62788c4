import SQLiteStore
import TravelDataSQL
import TravelDomain

@testable import TravelDataSQLite

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes travels as earlier versions did, before a travel had a version, and a like the time of its travel.
enum OldTravels {
    /// Inserts travels without timelines and images, with their authors and titles.
    static func insert(_ travels: [RecordedTravel], _ db: Connection) throws {
        for travel in travels {
            let (content, author) = (
                travel.content, try PersonRecord.key(of: travel.author.id, db) ?? PersonRecord.save(travel.author, db)
            )
            try db.execute("INSERT OR IGNORE INTO title (text) VALUES (\(content.title.text))")
            try db.execute(
                """
                INSERT INTO travel (
                    id, author, created_at, title, title_bits, region, first_day, last_day, themes, companions, traits)
                VALUES (
                    \(travel.id.bytes), \(author), \(travel.createdAt.timeIntervalSinceReferenceDate),
                    (SELECT key FROM title WHERE text = \(content.title.text)), 0,
                    \(TraitLayout.position(of: content.region, in: TraitLayout.regions)),
                    \(content.days.first.daysSince1970), \(content.days.last.daysSince1970), 0, 0,
                    \(TraitLayout.traits(of: content)))
                """)
        }
    }

    /// Inserts likes or reports of the travels with these keys.
    static func insert(_ table: String, _ rows: [(travel: Int, person: Int)], _ db: Connection) throws {
        for row in rows {
            try db.execute("INSERT INTO \(raw: table) (travel, person) VALUES (\(row.travel), \(row.person))")
        }
    }
}
