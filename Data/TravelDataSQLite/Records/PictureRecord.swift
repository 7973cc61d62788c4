internal import SQLiteStore
import TravelDataShared
import TravelDomain

/// A row of `picture`: a picture of the entry that has this place in the timeline of its trip.
struct PictureRecord: RowDecodable {
    /// The day and the time of the entry, and its position among those of its time.
    let place: EntryPlace
    let picture: Picture

    private static let columns: SQL = """
        day, time, entry_position, image, text, taken_on, taken_at, utc_offset, latitude, longitude, position_kind
        """
    private static let insertion: SQL =
        "INSERT INTO picture (trip, \(columns), position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    /// Selects the pictures of the trip with the key `trip`, or of one day of it, in the order of its timeline.
    static func select(of trip: Int64, day: Int? = nil) -> SQL {
        let isOnDay: SQL = day.map { "AND day = \($0)" } ?? ""
        return """
            SELECT \(columns) FROM picture WHERE trip = \(trip) \(isOnDay)
            ORDER BY day, time, entry_position, position
            """
    }

    init(row: borrowing Row) throws {
        (place, picture) = try row.read { columns in
            let place = EntryPlace(
                day: try columns.next(), minutes: try columns.next(), position: try columns.next())
            return (
                place,
                try Picture(
                    columns.next(), text: columns.next(), takenOn: columns.next(), takenAt: columns.next(),
                    utcOffset: columns.next(), latitude: columns.next(), longitude: columns.next(),
                    positionKind: columns.next())
            )
        }
    }

    /// Inserts the pictures of entries of the trips with these keys.
    static func insert(_ entries: some Sequence<(entry: PositionedEntry, trip: Int64)>, _ db: Connection) throws {
        let rows = entries.lazy.flatMap { row in
            row.entry.entry.pictures.enumerated().lazy.map { (row: row, position: $0.offset, picture: $0.element) }
        }
        try db.execute(insertion, forEach: rows) { row, values in
            let (entry, picture) = (row.row.entry, row.picture)
            try values.bind(row.row.trip)
            try values.bind(entry.entry.day)
            try values.bind(entry.entry.time.minutes)
            try values.bind(entry.position)
            try values.bind(picture.id.bytes)
            try values.bind(picture.text?.text)
            try values.bind(picture.taken?.day.daysSince1970)
            try values.bind(picture.taken?.time.minutes)
            try values.bind(picture.taken?.utcOffset)
            try values.bind(picture.position?.coordinate?.latitude)
            try values.bind(picture.position?.coordinate?.longitude)
            try values.bind(picture.position?.kind)
            try values.bind(row.position)
        }
    }
}

/// Where an entry stands in the timeline of its trip.
struct EntryPlace: Hashable {
    let day: Int
    let minutes: Int
    let position: Int
}

extension EntryRecord {
    /// The timeline of the trip with the key `trip`, or one day of it, with its pictures.
    static func timeline(of trip: Int64, day: Int? = nil, _ db: Connection) throws -> [TimelineEntry] {
        let entries = try db.fetchAll(EntryRecord.self, select(of: trip, day: day))
        guard entries.contains(where: \.hasPictures) else { return entries.map(\.entry) }
        // Both are in the order of the timeline.
        var pictures = try db.fetchAll(PictureRecord.self, PictureRecord.select(of: trip, day: day))[...]
        return try readingValues {
            try entries.map { record in
                guard record.hasPictures else { return record.entry }
                let place = record.place
                let own = pictures.prefix { $0.place == place }
                pictures = pictures.dropFirst(own.count)
                return try record.entry.with(pictures: own.map(\.picture))
            }
        }
    }
}
