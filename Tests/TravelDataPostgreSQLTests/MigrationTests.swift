#if PostgreSQL
import Foundation
import PostgreSQLStoreTesting
import TestTurns
import Testing
import TravelDataSQL
import TravelDomain
import TravelDomainTesting

@testable import TravelDataPostgreSQL

@Suite(
    "Migrations of PostgreSQL travel databases",
    .enabled(
        if: PostgreSQLServer.isAvailable,
        "no PostgreSQL server: install the Debian package postgresql, or set TRAVELINE_POSTGRESQL"), .takesTurns)
struct PostgreSQLMigrationTests {
    @Test("travels of the first version are found by keyword, filter and liker, and suggested")
    func searchingByTerms() async throws {
        try await withTemporarySchema { (location) async throws in
            let author = User(nickname: try Nickname("author"))
            let recorded = try ["부산 밤바다", "Sea"].map { title in
                try TravelBuilder(seed: UInt64(title.count), author: author).with { $0.title = title }.build()
            }
            let old = try await Database.open(location, migrations: Array(TravelSchema.migrations.prefix(1)))
            try await old.write { db in
                try PersonRecord.save(author, db)
                for travel in recorded { try OldTravel.insert(travel, likedBy: author, db) }
            }
            await old.close()
            let database = try await PostgreSQLTravelDatabase.open(location)
            for travel in recorded {
                let content = travel.content
                for criteria in [
                    TravelCriteria(keyword: Keyword(String(content.title.text.suffix(2)))),
                    TravelCriteria(
                        regions: [content.region], period: content.days.period, headcount: content.headcount),
                    TravelCriteria(likedBy: author.id), TravelCriteria(author: author.id, sort: .mostLiked),
                ] {
                    let page = try await database.travels.search(TravelQuery(criteria, viewer: nil))
                    #expect(page.travels.contains { $0.id == travel.id && $0.content == content }, "\(criteria)")
                }
            }
            let text = try #require(Keyword("밤ㅂ"))
            let titles = try await database.travels.titles(containing: text, viewer: nil, limit: 5)
            #expect(titles == [recorded[0].content.title])
            await database.close()
        }
    }
}

/// A travel as the first version stored it.
private enum OldTravel {
    static func insert(_ travel: RecordedTravel, likedBy person: User, _ db: Connection) throws {
        typealias Layout = TraitLayout
        let content = travel.content
        let createdAt = travel.createdAt.timeIntervalSinceReferenceDate
        try db.execute(
            """
            INSERT INTO travel (
                id, author, created_at, version, title, region, first_day, last_day, themes, companions, headcount,
                budget, transportation, grams)
            VALUES (
                \(travel.id.rawValue), \(travel.author.id.rawValue), \(createdAt), 1, \(content.title.text),
                \(Layout.position(of: content.region, in: Layout.regions)), \(content.days.first.daysSince1970),
                \(content.days.last.daysSince1970), \(Layout.bits(content.themes, in: Layout.themes)),
                \(Layout.bits(content.companions, in: Layout.companions)),
                \(content.headcount.map { Layout.position(of: $0, in: Layout.headcounts) }),
                \(content.budget.map { Layout.position(of: $0, in: Layout.budgets) }),
                \(content.transportation.map { Layout.position(of: $0, in: Layout.transportations) }), '{1}')
            """)
        try db.execute(
            """
            INSERT INTO travel_rank (travel, author, created_at, like_count, traits)
            VALUES (
                \(travel.id.rawValue), \(travel.author.id.rawValue), \(createdAt), 1,
                \(Layout.traits(of: content)))
            """)
        try db.execute(
            "INSERT INTO liked (travel, person) VALUES (\(travel.id.rawValue), \(person.id.rawValue))")
    }
}
#endif
