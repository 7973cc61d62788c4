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

        /// The columns, in the order of `bind(_:of:to:)`.
        static let columns = [
            "id", "travel", "day", "minutes", "title", "text", "place_name", "place_address", "latitude", "longitude",
            "image",
        ]

        /// Binds the values of `columns`.
        static func bind(_ entry: TimelineEntry, of travel: Travel.ID, to values: inout ParameterBinder) throws {
            try values.bind(entry.id.rawValue)
            try values.bind(travel.rawValue)
            try values.bind(entry.day)
            try values.bind(entry.time.minutes)
            try values.bind(entry.title.text)
            try values.bind(entry.text.text)
            try values.bind(entry.place?.name)
            try values.bind(entry.place?.address)
            try values.bind(entry.coordinate?.latitude)
            try values.bind(entry.coordinate?.longitude)
            try values.bind(entry.image?.rawValue)
        }

        /// Inserts entries of a travel that already has `others`.
        ///
        /// - Throws: `TravelError.conflict` over the first entry whose ID another one has.
        static func insert(
            _ entries: [TimelineEntry], beside others: [TimelineEntry] = [], travel: Travel.ID, _ db: Connection
        ) throws {
            guard !entries.isEmpty else { return }
            let count = try db.execute(
                """
                INSERT INTO entry (\(raw: columns.joined(separator: ", ")))
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING
                """, forEach: entries
            ) { entry, values in try bind(entry, of: travel, to: &values) }
            guard count < entries.count else { return }
            let ids = entries.map(\.id.rawValue)
            let ofOthers: SQL = "SELECT id FROM entry WHERE id = ANY(\(ids)) AND travel <> \(travel.rawValue)"
            var taken = Set(try db.fetchAll(UUID.self, ofOthers))
            if let entry = (others + entries).first(where: { !taken.insert($0.id.rawValue).inserted }) {
                throw TravelError.conflict(.entry(entry.id))
            }
        }

        /// Changes the timeline of a travel: deletes and inserts only the rows of entries that differ.
        ///
        /// - Throws: `TravelError.conflict` over an entry whose ID another one has.
        static func update(
            from recorded: [TimelineEntry], to changed: [TimelineEntry], travel: Travel.ID, _ db: Connection
        ) throws {
            let after = Set(changed)
            let removed = recorded.filter { !after.contains($0) }.map(\.id.rawValue)
            if !removed.isEmpty {
                try db.execute("DELETE FROM entry WHERE travel = \(travel.rawValue) AND id = ANY(\(removed))")
            }
            // Each entry stays once: a repeated one is inserted, which is a conflict.
            var before = Set(recorded)
            var (kept, inserted): ([TimelineEntry], [TimelineEntry]) = ([], [])
            for entry in changed {
                if before.remove(entry) == nil { inserted.append(entry) } else { kept.append(entry) }
            }
            try insert(inserted, beside: kept, travel: travel, db)
        }
    }

    /// A row of `track`.
    enum TrackRecord {
        /// The ways of the recorded tracks of these travels.
        static func tracks(of travels: [UUID], _ db: Connection) throws -> [Travel.ID: TrackGeometry] {
            let rows = try db.fetchAll("SELECT travel, way FROM track WHERE travel = ANY(\(travels))") { row in
                (travel: Travel.ID(try row[0] as UUID), way: try row[1] as Data)
            }
            return try readingValues {
                try Dictionary(uniqueKeysWithValues: rows.map { ($0.travel, try TrackGeometry(bytes: Array($0.way))) })
            }
        }

        /// Replaces the way of a travel; `nil` removes it.
        static func set(_ track: TrackGeometry?, of travel: Travel.ID, _ db: Connection) throws {
            try db.execute("DELETE FROM track WHERE travel = \(travel.rawValue)")
            guard let track else { return }
            try db.execute(
                "INSERT INTO track (travel, way) VALUES (\(travel.rawValue), \(Data(track.bytes)))")
        }
    }
#endif
