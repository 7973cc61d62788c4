#if PostgreSQL
public import PostgreSQLStore
import TravelDataShared
public import TravelDomain

/// A trip as a viewer sees it, from the rows of `trip`, `trip_rank`, `user` and `liked`.
struct TripRecord: RowDecodable {
    let trip: Trip
    /// The number of reports, which decides whether the trip is shown.
    let reports: Int

    /// The columns of a trip, and the tables that they come from. `rank` is a row of `trip_rank`.
    ///
    /// Planning the joins takes a millisecond or two, ten times as long as reading a page of trips: the server
    /// plans them once.
    static func select(seenBy viewer: User.ID?) -> SQL {
        let select: SQL = """
            SELECT trip.id, app_user.id, app_user.nickname, avatar.id, \(contentList), trip.thumbnail, trip.cover,
                trip.created_at, trip.updated_at, trip.version, rank.like_count, mine.trip IS NOT NULL,
                app_user.id = \(viewer) IS TRUE, rank.report_count
            FROM trip_rank AS rank
                JOIN trip ON trip.id = rank.trip
                JOIN app_user ON app_user.id = trip.author
                LEFT JOIN avatar ON avatar.app_user = trip.author
                LEFT JOIN liked AS mine ON mine.trip = rank.trip AND mine.app_user = \(viewer)
            """
        return select.planned(.generic)
    }

    init(row: borrowing Row) throws {
        (trip, reports) = try row.read { columns in
            let (id, author) = (try columns.next() as Trip.ID, try UserRecord.user(&columns))
            var content: TripContent = try columns.next()
            content.thumbnail = try columns.next()
            let cover: TripImage.ID? = try columns.next()
            let (createdAt, updatedAt) = (try columns.next() as Double, try columns.next() as Double?)
            let (version, likeCount) = (try columns.next() as Int, try columns.next() as Int)
            let (isLiked, isMine) = (try columns.next() as Bool, try columns.next() as Bool)
            let reports = try columns.next() as Int - StoredReport.weight(of: content.audience)
            let trip = try Trip(
                id: id, author: author, content: content, cover: cover, createdAt: createdAt, updatedAt: updatedAt,
                version: version, likeCount: likeCount, isLiked: isLiked, isMine: isMine, reports: reports)
            return (trip, reports)
        }
    }

    /// Inserts trips with their authors, images and entries.
    static func add(_ trips: [RecordedTrip], _ new: inout NewImages, _ db: Connection) throws {
        var authors: Set<User.ID> = []
        for trip in trips {
            if authors.insert(trip.author.id).inserted { try UserRecord.save(trip.author, db) }
            let isOfAnother: SQL = """
                SELECT EXISTS (SELECT 1 FROM removed_trip WHERE id = \(trip.id) AND author <> \(trip.author.id))
                """
            if try db.fetchOne(Bool.self, isOfAnother) == true { throw TravelError.conflict(.trip(trip.id)) }
            try unique(.trip(trip.id)) {
                try db.execute(insertion, forEach: CollectionOfOne(trip)) { trip, values in
                    try bindAll(trip, to: &values)
                }
            }
            let traits = TraitLayout.traits(of: trip.content)
            try db.execute(
                """
                INSERT INTO trip_rank (trip, author, created_at, first_day, traits, cell, signature, report_count)
                VALUES (
                    \(trip.id), \(trip.author.id),
                    \(trip.createdAt.timeIntervalSinceReferenceDate),
                    \(trip.content.days.first.daysSince1970), \(traits), \(TraitCell.number(of: traits)),
                    \(TripTerms.signature(of: trip.content.title)),
                    \(StoredReport.weight(of: trip.content.audience)))
                """)
            try ImageRecord.insert(new.take(for: trip), trip: trip.id, db)
            try EntryRecord.insert(trip.timeline.positioned, trip: trip.id, db)
            if let track = trip.track { try TrackRecord.set(track, of: trip.id, db) }
        }
    }

    private static let content = Columns(TripContent.columnNames.map(\.description))
    private static let contentList = content.list(of: "trip")
    /// What an edit can change, and what follows from it: in the order of ``bind(_:to:)``.
    private static let changing =
        Columns(["version", "updated_at"]) + content + Columns(["thumbnail", "cover", "title_key", "terms"])
    private static let all = Columns(["id", "author", "created_at"]) + changing
    private static let insertion: SQL = "INSERT INTO trip (\(all.list)) VALUES (\(all.parameters))"
    private static let edit: SQL = """
        UPDATE trip SET (\(changing.list)) = ROW(\(changing.parameters))
        WHERE id = $\(raw: String(changing.names.count + 1))
        """

    private static func bind(_ trip: RecordedTrip, to values: inout ParameterBinder) throws {
        try values.bind(trip.version.number)
        try values.bind(trip.storedUpdatedAt)
        try values.bind(trip.content)
        try values.bind(trip.content.thumbnail)
        try values.bind(trip.thumbnail)
        try values.bind(CharacterKey.title(trip.content.title.text))
        try values.bind(TripTerms.of(trip.content.title))
    }

    private static func bindAll(_ trip: RecordedTrip, to values: inout ParameterBinder) throws {
        try values.bind(trip.id, trip.author.id, trip.createdAt.timeIntervalSinceReferenceDate)
        try bind(trip, to: &values)
    }

    /// Deletes some trips of an author, whose row is locked, with everything that belongs to them. Returns their
    /// number.
    static func removeSome(by author: User.ID, atMost limit: Int, _ db: Connection) throws -> Int {
        let some = try db.fetchAll(
            Trip.ID.self, "SELECT id FROM trip WHERE author = \(author) LIMIT \(raw: String(limit))")
        guard !some.isEmpty else { return 0 }
        try lock(some, db)
        try remove(some, by: author, db)
        return some.count
    }

    /// Deletes trips of an author, who alone may use their IDs again.
    static func remove(_ trips: [Trip.ID], by author: User.ID, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO removed_trip (id, author) SELECT id, \(author) FROM unnest(\(trips)::uuid[]) AS id
            ON CONFLICT (id) DO UPDATE SET author = excluded.author
            """)
        try db.execute("DELETE FROM trip WHERE id = ANY(\(trips))")
    }

    /// Locks trips until the end of the transaction, as who likes or edits them does. All lock them in this
    /// order, so that none waits for another that waits for it.
    static func lock(_ trips: [Trip.ID], _ db: Connection) throws {
        try db.execute("SELECT trip FROM trip_rank WHERE trip = ANY(\(trips)) ORDER BY trip FOR UPDATE")
    }

    /// Replaces the content, the timeline and the images of a trip. Writes only the rows that differ.
    ///
    /// - Throws: `TravelError.conflict` when another trip has one of the entries or images, or an entry is
    ///   repeated.
    static func update(
        from recorded: RecordedTrip, to changed: RecordedTrip, _ new: inout NewImages, _ db: Connection
    ) throws {
        let id = recorded.id
        try db.execute(edit, forEach: CollectionOfOne(changed)) { trip, values in
            try bind(trip, to: &values)
            try values.bind(id)
        }
        if changed.content != recorded.content {
            let traits = TraitLayout.traits(of: changed.content)
            let weight =
                StoredReport.weight(of: changed.content.audience) - StoredReport.weight(of: recorded.content.audience)
            try db.execute(
                """
                UPDATE trip_rank SET traits = \(traits), cell = \(TraitCell.number(of: traits)),
                    first_day = \(changed.content.days.first.daysSince1970),
                    signature = \(TripTerms.signature(of: changed.content.title)),
                    report_count = report_count + \(weight)
                WHERE trip = \(id)
                """)
        }
        try ImageRecord.insert(new.take(for: changed, besides: recorded.images), trip: changed.id, db)
        try EntryRecord.update(from: recorded.timeline, to: changed.timeline, trip: changed.id, db)
        if changed.track != recorded.track { try TrackRecord.set(changed.track, of: changed.id, db) }
        if !recorded.images.isEmpty {
            try db.execute("DELETE FROM image WHERE trip = \(id) AND id <> ALL(\(changed.images))")
        }
    }
}

extension TripRecord {
    /// Inserts many new trips of people who are stored, without new images, each with the people who like it:
    /// with `COPY`, which takes a fraction of the time of single inserts.
    ///
    /// - Parameters:
    ///   - trips: The trips.
    ///   - likedBy: For each trip the different people who like it.
    /// - Throws: `TravelError.conflict` for a trip or an entry whose ID is known; it names the first one of them
    ///   all, because the server does not say which. `TravelError.notFound` for an unknown user; it names the
    ///   first author.
    static func load(_ trips: [RecordedTrip], likedBy: [[User.ID]], _ db: Connection) throws {
        guard let first = trips.first else { return }
        do {
            try copyTrips(trips, db)
            try copyRanks(zip(trips, likedBy), db)
            try copyLikes(zip(trips, likedBy), db)
            try copyEntries(of: trips, db)
            try copyTracks(of: trips, db)
        } catch let error as PostgreSQLError where error.code == .uniqueViolation {
            throw TravelError.conflict(.trip(first.id))
        } catch let error as PostgreSQLError where error.code == .foreignKeyViolation {
            throw TravelError.notFound(.user(first.author.id))
        }
    }

    private static func copyTrips(_ trips: [RecordedTrip], _ db: Connection) throws {
        try db.copy(into: "trip", columns: all.names, trips) { trip, values in try bindAll(trip, to: &values) }
    }

    private static func copyRanks(
        _ trips: Zip2Sequence<[RecordedTrip], [[User.ID]]>, _ db: Connection
    ) throws {
        let columns = [
            "trip", "author", "created_at", "first_day", "like_count", "traits", "cell", "signature", "report_count",
        ]
        try db.copy(into: "trip_rank", columns: columns, trips) { pair, values in
            let (trip, likedBy) = pair
            let traits = TraitLayout.traits(of: trip.content)
            try values.bind(
                trip.id, trip.author.id, trip.createdAt.timeIntervalSinceReferenceDate,
                trip.content.days.first.daysSince1970, likedBy.count, traits, TraitCell.number(of: traits),
                TripTerms.signature(of: trip.content.title), StoredReport.weight(of: trip.content.audience))
        }
    }

    private static func copyLikes(
        _ trips: Zip2Sequence<[RecordedTrip], [[User.ID]]>, _ db: Connection
    ) throws {
        let likes = trips.lazy.flatMap { trip, likedBy in likedBy.lazy.map { (trip: trip, likingUser: $0) } }
        try db.copy(into: "liked", columns: ["trip", "app_user", "created_at"], likes) { like, values in
            try values.bind(like.trip.id, like.likingUser, like.trip.createdAt.timeIntervalSinceReferenceDate)
        }
    }

    private static func copyTracks(of trips: [RecordedTrip], _ db: Connection) throws {
        let tracks = trips.lazy.compactMap { trip in trip.track.map { (trip: trip.id, track: $0) } }
        try db.copy(into: "track", columns: ["trip", "way"], tracks) { pair, values in
            try values.bind(pair.trip, Data(pair.track.bytes))
        }
    }

    private static func copyEntries(of trips: [RecordedTrip], _ db: Connection) throws {
        let entries = trips.lazy.flatMap { trip in trip.timeline.positioned.lazy.map { (trip: trip.id, entry: $0) } }
        try db.copy(into: "entry", columns: EntryRecord.all.names, entries) { pair, values in
            try EntryRecord.bind(pair.entry, of: pair.trip, to: &values)
        }
    }
}

/// A row of `entry`. Its column `image` has the image of the first picture.
struct EntryRecord: RowDecodable {
    let entry: TimelineEntry

    /// Selects the timeline of the trip with the key `trip`, or one day of it, in order.
    static func select(of trip: Trip.ID, day: Int? = nil) -> SQL {
        let isOnDay: SQL = day.map { "AND day = \($0)" } ?? ""
        return """
            SELECT \(columnList) FROM entry WHERE trip = \(trip) \(isOnDay) ORDER BY day, minutes, position
            """
    }

    private static let columns = Columns([
        "id", "day", "minutes", "title", "text", "place_name", "place_address", "latitude", "longitude", "pictures",
    ])
    /// `a, b, c`, to be read by ``init(reading:)``.
    static let columnList = columns.list
    /// The columns, in the order of ``bind(_:of:to:)``.
    static let all = Columns(["trip"]) + columns + Columns(["image", "position", "terms"])
    private static let insertion: SQL = """
        INSERT INTO entry (\(all.list)) VALUES (\(all.parameters)) ON CONFLICT DO NOTHING
        """

    init(row: borrowing Row) throws {
        self = try row.read { try EntryRecord(reading: &$0) }
    }

    /// Reads the entry from the columns of ``columnList``.
    init(reading columns: inout ColumnCursor) throws {
        entry = try TimelineEntry(
            id: columns.next(), day: columns.next(), minutes: columns.next(), title: columns.next(),
            text: columns.next(), placeName: columns.next(), placeAddress: columns.next(), latitude: columns.next(),
            longitude: columns.next(), pictures: Self.pictures(&columns))
    }

    private static func pictures(_ columns: inout ColumnCursor) throws -> [Picture] {
        try columns.withNext { column in
            column.isNull ? [] : try column.withBytes { try PictureList.pictures($0) }
        }
    }

    /// The timeline of a trip, or one day of it.
    static func timeline(of trip: Trip.ID, day: Int? = nil, _ db: Connection) throws -> [TimelineEntry] {
        try db.fetchAll(EntryRecord.self, select(of: trip, day: day)).map(\.entry)
    }

    static func bind(_ positioned: PositionedEntry, of trip: Trip.ID, to values: inout ParameterBinder) throws {
        let entry = positioned.entry
        try values.bind(
            trip, entry.id, entry.day, entry.time.minutes, entry.title.text, entry.text.text, entry.place?.name,
            entry.place?.address, entry.place?.coordinate?.latitude, entry.place?.coordinate?.longitude,
            PictureList.bytes(of: entry.pictures), entry.image, positioned.position,
            TripTerms.of(entryTitle: entry.title.text, placeName: entry.place?.name))
    }

    /// The first entry of each of these trips whose title or place has the keyword, of those that have its terms.
    static func first(
        of trips: [Trip.ID], with keyword: Keyword, _ terms: [Int32], _ db: Connection
    ) throws -> [Trip.ID: MatchedEntry] {
        var entries: [Trip.ID: MatchedEntry] = [:]
        let select: SQL = """
            SELECT trip, title, place_name, id, day FROM entry
            WHERE trip = ANY(\(trips)) AND \(TripSearch.hasTerms(terms, "entry"))
            ORDER BY trip, day, minutes, position
            """
        try db.forEach(select) { row in
            try row.read { columns in
                let (trip, title): (Trip.ID, String) = (try columns.next(), try columns.next())
                let placeName: String? = try columns.next()
                guard entries[trip] == nil, keyword.matches(entryTitle: title, placeName: placeName) else { return }
                let (id, day): (TimelineEntry.ID, Int) = (try columns.next(), try columns.next())
                entries[trip] = MatchedEntry(
                    id: id, day: day, title: try readingValues { try Title(stored: title) }, placeName: placeName)
            }
        }
        return entries
    }

    /// Inserts entries of a trip that already has `others`.
    ///
    /// - Throws: `TravelError.conflict` over the first entry whose ID another one has.
    static func insert(
        _ entries: [PositionedEntry], beside others: [PositionedEntry] = [], trip: Trip.ID, _ db: Connection
    ) throws {
        guard !entries.isEmpty else { return }
        let count = try db.execute(insertion, forEach: entries) { entry, values in
            try bind(entry, of: trip, to: &values)
        }
        guard count < entries.count else { return }
        let ids = entries.map(\.entry.id)
        let ofOthers: SQL = "SELECT id FROM entry WHERE id = ANY(\(ids)) AND trip <> \(trip)"
        var taken = Set(try db.fetchAll(TimelineEntry.ID.self, ofOthers))
        if let entry = (others + entries).first(where: { !taken.insert($0.entry.id).inserted }) {
            throw TravelError.conflict(.entry(entry.entry.id))
        }
    }

    /// Changes the timeline of a trip: deletes and inserts only the rows of entries that differ.
    ///
    /// - Throws: `TravelError.conflict` over an entry whose ID another one has.
    static func update(
        from recorded: [TimelineEntry], to changed: [TimelineEntry], trip: Trip.ID, _ db: Connection
    ) throws {
        let (recorded, changed) = (recorded.positioned, changed.positioned)
        let after = Set(changed)
        let removed = recorded.filter { !after.contains($0) }.map(\.entry.id)
        if !removed.isEmpty {
            try db.execute("DELETE FROM entry WHERE trip = \(trip) AND id = ANY(\(removed))")
        }
        // Each entry stays once: a repeated one is inserted, which is a conflict.
        var before = Set(recorded)
        var (kept, inserted): ([PositionedEntry], [PositionedEntry]) = ([], [])
        for entry in changed {
            if before.remove(entry) == nil { inserted.append(entry) } else { kept.append(entry) }
        }
        try insert(inserted, beside: kept, trip: trip, db)
    }
}

enum TrackRecord {
    /// The paths of the recorded tracks of these trips.
    static func tracks(of trips: [Trip.ID], _ db: Connection) throws -> [Trip.ID: TrackGeometry] {
        let rows = try db.fetchAll("SELECT trip, way FROM track WHERE trip = ANY(\(trips))") { row in
            try row.read { (trip: try $0.next() as Trip.ID, way: try $0.next() as Data) }
        }
        return try readingValues {
            try Dictionary(uniqueKeysWithValues: rows.map { ($0.trip, try TrackGeometry(bytes: Array($0.way))) })
        }
    }

    /// Replaces the path of a trip; `nil` removes it.
    static func set(_ track: TrackGeometry?, of trip: Trip.ID, _ db: Connection) throws {
        try db.execute("DELETE FROM track WHERE trip = \(trip)")
        guard let track else { return }
        try db.execute(
            "INSERT INTO track (trip, way) VALUES (\(trip), \(Data(track.bytes)))")
    }
}

extension Identifier: SQLCodable {
    public var sqlValue: SQLValue { .uuid(rawValue) }

    public init(column: borrowing Column) throws {
        self.init(try UUID(column: column))
    }
}
#endif
