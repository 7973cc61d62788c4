internal import SQLiteStore
import TravelDomain

/// A row of `entry`.
struct EntryRecord: RowDecodable {
    let entry: TimelineEntry

    /// The timeline of the travel whose key is `travel`, in order.
    static func select(of travel: Int64) -> SQL {
        """
        SELECT id, day, time, title, text, place_name, place_address, latitude, longitude
        FROM entry WHERE travel = \(travel) ORDER BY day, time, id
        """
    }

    init(row: borrowing Row) throws {
        var place: Place?
        if let name: String = try row[5] {
            let coordinate = try Coordinate(latitude: row[7], longitude: row[8])
            place = try Place(name: name, address: row[6] as String, coordinate: coordinate)
        }
        entry = try TimelineEntry(
            id: TimelineEntry.ID(row, 0), day: row[1], time: TimeOfDay(minutesSinceMidnight: row[2]),
            title: Title(row[3] as String),
            text: EntryText(row[4] as String), place: place)
    }

    /// Adds a row for `entry` to the travel whose key is `travel`.
    static func insert(_ entry: TimelineEntry, travel: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO entry (
                travel, day, time, id, title, text, place_name, place_address, latitude, longitude)
            VALUES (
                \(travel), \(entry.day), \(entry.time.minutes), \(entry.id.bytes), \(entry.title.text), \(entry.text.text),
                \(entry.place?.name), \(entry.place?.address), \(entry.place?.coordinate.latitude),
                \(entry.place?.coordinate.longitude))
            """)
    }
}
