internal import SQLiteStore
import TravelDomain

/// A row of `entry`.
struct EntryRecord: RowDecodable {
    let entry: TimelineEntry

    /// Selects the timeline of the travel with the key `travel`, or one day of it, in order.
    static func select(of travel: Int64, day: Int? = nil) -> SQL {
        let isOnDay: SQL = day.map { "AND day = \($0)" } ?? ""
        return """
            SELECT id, day, time, title, text, place_name, place_address, latitude, longitude, image
            FROM entry WHERE travel = \(travel) \(isOnDay) ORDER BY day, time, id
            """
    }

    init(row: borrowing Row) throws {
        let id = try TimelineEntry.ID(row, 0)
        let (day, minutes): (Int, Int) = (try row[1], try row[2])
        let (title, text): (String, String) = (try row[3], try row[4])
        let (name, address): (String?, String?) = (try row[5], try row[6])
        let (latitude, longitude): (Double?, Double?) = (try row[7], try row[8])
        let image = try TravelImage.ID(ifPresent: row, 9)
        entry = try readingValues {
            var place: Place?
            if let name, let address {
                var coordinate: Coordinate?
                if let latitude, let longitude {
                    coordinate = try Coordinate(latitude: latitude, longitude: longitude)
                }
                place = try Place(name: name, address: address, coordinate: coordinate)
            }
            return try TimelineEntry(
                id: id, day: day, time: TimeOfDay(minutesSinceMidnight: minutes), title: Title(title),
                text: EntryText(text), place: place, image: image)
        }
    }

    /// Inserts a row for `entry` of the travel with the key `travel`.
    static func insert(_ entry: TimelineEntry, travel: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO entry (
                travel, day, time, id, title, text, place_name, place_address, latitude, longitude, image)
            VALUES (
                \(travel), \(entry.day), \(entry.time.minutes), \(entry.id.bytes), \(entry.title.text), \(entry.text.text),
                \(entry.place?.name), \(entry.place?.address), \(entry.coordinate?.latitude),
                \(entry.coordinate?.longitude), \(entry.image?.bytes))
            """)
    }

    /// Deletes the row of `entry` of the travel with the key `travel`.
    static func remove(_ entry: TimelineEntry, travel: Int64, _ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM entry
            WHERE travel = \(travel) AND day = \(entry.day) AND time = \(entry.time.minutes) AND id = \(entry.id.bytes)
            """)
    }
}

/// A row of `track`.
enum TrackRecord {
    /// The way of the recorded track of the travel with the key `travel`.
    static func track(of travel: Int64, _ db: Connection) throws -> TrackGeometry? {
        guard let bytes = try db.fetchOne([UInt8].self, "SELECT way FROM track WHERE travel = \(travel)") else {
            return nil
        }
        return try readingValues { try TrackGeometry(bytes: bytes) }
    }

    /// Replaces the way of a travel; `nil` removes it.
    static func set(_ track: TrackGeometry?, of travel: Int64, _ db: Connection) throws {
        try db.execute("DELETE FROM track WHERE travel = \(travel)")
        guard let track else { return }
        try db.execute("INSERT INTO track (travel, way) VALUES (\(travel), \(track.bytes))")
    }
}
