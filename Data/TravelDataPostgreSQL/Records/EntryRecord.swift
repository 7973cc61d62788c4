#if PostgreSQL
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif
    internal import PostgreSQLStore
    import TravelDomain

    /// A row of `entry`.
    struct EntryRecord: RowDecodable {
        let entry: TimelineEntry

        /// Selects the timeline of the travel with the key `travel`, or one day of it, in order.
        static func select(of travel: Travel.ID, day: Int? = nil) -> SQL {
            let isOnDay: SQL = day.map { "AND day = \($0)" } ?? ""
            return """
                SELECT id, day, minutes, title, text, place_name, place_address, latitude, longitude, image
                FROM entry WHERE travel = \(travel.rawValue) \(isOnDay) ORDER BY day, minutes, id
                """
        }

        init(row: borrowing Row) throws {
            let id = TimelineEntry.ID(try row[0] as UUID)
            let (day, minutes): (Int, Int) = (try row[1], try row[2])
            let (title, text): (String, String) = (try row[3], try row[4])
            let (name, address): (String?, String?) = (try row[5], try row[6])
            let (latitude, longitude): (Double?, Double?) = (try row[7], try row[8])
            let image = (try row[9] as UUID?).map { TravelImage.ID($0) }
            entry = try readingValues {
                var place: Place?
                if let name, let address, let latitude, let longitude {
                    let coordinate = try Coordinate(latitude: latitude, longitude: longitude)
                    place = try Place(name: name, address: address, coordinate: coordinate)
                }
                return try TimelineEntry(
                    id: id, day: day, time: TimeOfDay(minutesSinceMidnight: minutes), title: Title(title),
                    text: EntryText(text), place: place, image: image)
            }
        }

        /// Inserts the entries of a travel, whose IDs no other entry may have.
        static func insert(_ entries: [TimelineEntry], travel: Travel.ID, _ db: Connection) throws {
            for entry in entries {
                try unique(.entry(entry.id)) {
                    try db.execute(
                        """
                        INSERT INTO entry (
                            id, travel, day, minutes, title, text, place_name, place_address, latitude, longitude, image)
                        VALUES (
                            \(entry.id.rawValue), \(travel.rawValue), \(entry.day), \(entry.time.minutes), \(entry.title.text),
                            \(entry.text.text), \(entry.place?.name), \(entry.place?.address),
                            \(entry.place?.coordinate.latitude), \(entry.place?.coordinate.longitude),
                            \(entry.image?.rawValue))
                        """)
                }
            }
        }
    }
#endif
