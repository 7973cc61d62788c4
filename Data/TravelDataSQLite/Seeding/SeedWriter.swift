#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDataSQL
import TravelDomain
internal import TravelSamples

/// Writes generated travels in batches, and each table in the order of its keys, which is fastest in SQLite.
///
/// The triggers that count individual likes must be disabled in the meantime: this type writes the same counts, and the
/// sets of searches for whole blocks of rows, the remainder in ``finish(_:)``.
struct SeedWriter {
    /// The triggers whose work this type does or makes unnecessary.
    static let replacedTriggers = [
        "like_is_counted", "like_has_time_of_travel", "entry_is_within_travel",
    ]
    /// The indexes that this type does not read, and whose order differs from that of the rows.
    static let indexesMadeLater = [
        "travel_most_liked", "travel_by_date", "travel_author_newest", "travel_author_most_liked",
        "travel_author_by_date", "travel_title", "liked_newest",
    ]

    private let people: [Int64]
    private var lastKey: Int64
    private var changes: [RowSets.Change] = []

    /// Inserts the people of `source` and creates a writer.
    init(_ source: GeneratedTravels, _ db: Connection) throws {
        people = try SeedPeople.save(source, db)
        lastKey = try db.fetchOne(Int64.self, "SELECT seq FROM sqlite_sequence WHERE name = 'travel'") ?? 0
    }

    /// Writes a batch of travels with their timelines and likes.
    mutating func write(_ travels: [GeneratedTravel], _ db: Connection) throws {
        let firstKey = lastKey + 1
        lastKey += Int64(travels.count)
        let rows = zip(firstKey..., travels).map { key, travel in SeedRow(key: key, travel: travel) }
        try writeTravels(rows, db)
        try writeEntries(rows, db)
        try writeLikes(rows, db)
        changes += rows.map { row in
            RowSets.Change(
                row: row.key, joins: TravelSets.of(traits: row.traits, title: row.travel.travel.content.title))
        }
        if changes.count >= RowBlock.size { try finish(db) }
    }

    /// Writes the remaining sets.
    mutating func finish(_ db: Connection) throws {
        try RowSets.apply(changes, db)
        changes = []
    }

    private struct SeedRow {
        let key: Int64
        let travel: GeneratedTravel
        let traits: Int64

        init(key: Int64, travel: GeneratedTravel) {
            (self.key, self.travel) = (key, travel)
            traits = TraitLayout.traits(of: travel.travel.content)
        }
    }

    private func writeTravels(_ rows: [SeedRow], _ db: Connection) throws {
        typealias Layout = TraitLayout
        guard let first = rows.first else { return }
        // A seed always yields the same travels: if any of them exists already, the first one does.
        try TravelRecord.unique(.travel(first.travel.travel.id)) {
            _ = try db.execute(
                """
                INSERT INTO travel (
                    key, id, author, created_at, like_count, title, title_key, region, first_day, last_day, themes,
                    companions, headcount, budget, transportation, traits)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, forEach: rows
            ) { row, values in
                let (travel, content) = (row.travel.travel, row.travel.travel.content)
                try values.bind(row.key)
                try values.bind(travel.id.bytes)
                try values.bind(people[row.travel.author])
                try values.bind(travel.createdAt.timeIntervalSinceReferenceDate)
                try values.bind(row.travel.likers.count)
                try values.bind(content.title.text)
                try values.bind(TravelRecord.titleKey(of: content.title.text))
                try values.bind(Layout.position(of: content.region, in: Layout.regions))
                try values.bind(content.days.first.daysSince1970)
                try values.bind(content.days.last.daysSince1970)
                try values.bind(Layout.bits(content.themes, in: Layout.themes))
                try values.bind(Layout.bits(content.companions, in: Layout.companions))
                try values.bind(content.headcount.map { Layout.position(of: $0, in: Layout.headcounts) })
                try values.bind(content.budget.map { Layout.position(of: $0, in: Layout.budgets) })
                try values.bind(content.transportation.map { Layout.position(of: $0, in: Layout.transportations) })
                try values.bind(row.traits)
            }
        }
    }

    private func writeEntries(_ rows: [SeedRow], _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO entry (
                travel, day, time, id, title, text, place_name, place_address, latitude, longitude)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, forEach: rows.lazy.flatMap { row in row.travel.travel.timeline.lazy.map { (row.key, $0) } }
        ) { row, values in
            let (travel, entry) = row
            try values.bind(travel)
            try values.bind(entry.day)
            try values.bind(entry.time.minutes)
            try values.bind(entry.id.bytes)
            try values.bind(entry.title.text)
            try values.bind(entry.text.text)
            try values.bind(entry.place?.name)
            try values.bind(entry.place?.address)
            try values.bind(entry.coordinate?.latitude)
            try values.bind(entry.coordinate?.longitude)
        }
    }

    private func writeLikes(_ rows: [SeedRow], _ db: Connection) throws {
        try db.execute(
            "INSERT INTO liked (travel, person, created_at) VALUES (?, ?, ?)",
            forEach: rows.lazy.flatMap { row in
                row.travel.likers.lazy.map { (row.key, people[$0], row.travel.travel.createdAt) }
            }
        ) { like, values in
            try values.bind(like.0)
            try values.bind(like.1)
            try values.bind(like.2.timeIntervalSinceReferenceDate)
        }
    }
}
