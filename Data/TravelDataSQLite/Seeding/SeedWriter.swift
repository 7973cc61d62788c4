#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
internal import SQLiteStore
import TravelDomain

/// Writes seeded travels in batches, and each table in the order of its keys, which is fastest in SQLite.
///
/// The triggers that count and map individual travels must be disabled in the meantime: this type writes the same
/// counts and bitmaps for whole batches, and the remainder in ``finish(_:)``.
struct SeedWriter {
    /// The triggers whose work this type does or makes unnecessary.
    static let replacedTriggers = [
        "travel_is_counted", "like_is_counted", "like_has_time_of_travel", "entry_is_within_travel",
    ]
    /// The indexes that this type does not read, and whose order differs from that of the rows.
    static let indexesMadeLater = [
        "travel_most_liked", "travel_author_newest", "travel_author_most_liked", "travel_title", "liked_newest",
    ]

    private let people: [Int64]
    private var lastKey: Int64
    private var titles: [Title: TitleRecord] = [:]
    private var travelsOfTitle: [Int64: Int] = [:]
    private var unmapped: [MappedTravel] = []

    /// Inserts the people and creates a writer.
    init(_ people: [User], _ db: Connection) throws {
        self.people = try SeedPeople.save(people, db)
        lastKey = try db.fetchOne(Int64.self, "SELECT ifnull(max(key), 0) FROM travel") ?? 0
    }

    /// Writes a batch of travels with their timelines and likes.
    mutating func write(_ travels: [SeededTravels.Liked], _ db: Connection) throws {
        let firstKey = lastKey + 1
        lastKey += Int64(travels.count)
        let rows = zip(firstKey..., zip(travels, try save(travels.map(\.travel.content.title), db))).map {
            key, travel in
            SeedRow(key: key, travel: travel.0, title: travel.1)
        }
        try writeTravels(rows, db)
        try writeEntries(rows, db)
        try writeLikes(rows, db)
        for row in rows {
            travelsOfTitle[row.title.key, default: 0] += 1
            unmapped.append(row.mapped)
        }
        if unmapped.count >= TravelBitmaps.travelsPerBlock { try map(db) }
    }

    /// Writes the remaining bitmaps and counts.
    mutating func finish(_ db: Connection) throws {
        try map(db)
        try db.execute(
            "UPDATE title SET travels = travels + ? WHERE key = ?", forEach: travelsOfTitle.sorted { $0.key < $1.key }
        ) { title, values in
            try values.bind(title.value)
            try values.bind(title.key)
        }
        travelsOfTitle = [:]
    }

    private mutating func map(_ db: Connection) throws {
        try TravelBitmaps.map(unmapped, db)
        unmapped = []
    }

    private struct SeedRow {
        let key: Int64
        let travel: SeededTravels.Liked
        let title: TitleRecord
        let traits: Int64

        init(key: Int64, travel: SeededTravels.Liked, title: TitleRecord) {
            (self.key, self.travel, self.title) = (key, travel, title)
            traits = TraitLayout.traits(of: travel.travel.content)
        }

        var mapped: MappedTravel {
            MappedTravel(
                key: key, traits: traits, signature: title.signature, likes: travel.likers.count,
                createdAt: travel.travel.createdAt.timeIntervalSinceReferenceDate)
        }
    }

    private mutating func save(_ titles: [Title], _ db: Connection) throws -> [TitleRecord] {
        var new: [NewTitle] = []
        let records = try titles.map { title in
            if let record = self.titles[title] { return record }
            let record = try TitleRecord.save(title, &new, db)
            self.titles[title] = record
            return record
        }
        try TitleRecord.index(new, db)
        return records
    }

    private func writeTravels(_ rows: [SeedRow], _ db: Connection) throws {
        typealias Layout = TraitLayout
        guard let first = rows.first else { return }
        // A seed always yields the same travels: if any of them exists already, the first one does.
        try TravelRecord.unique(.travel(first.travel.travel.id)) {
            _ = try db.execute(
                """
                INSERT INTO travel (
                    key, id, author, created_at, like_count, title, title_bits, region, first_day, last_day, themes,
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
                try values.bind(row.title.key)
                try values.bind(row.title.bits)
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
            try values.bind(entry.place?.coordinate.latitude)
            try values.bind(entry.place?.coordinate.longitude)
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
