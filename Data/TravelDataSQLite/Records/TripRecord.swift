internal import SQLiteStore
import TravelDataShared
import TravelDomain

/// A row of `trip` joined with its author, as one viewer sees it.
struct TripRecord: RowDecodable {
    let trip: Trip
    let key: Int64

    /// Selects the trips that meet `condition`, as `viewer` sees them.
    static func select(seenBy viewer: User.ID?, where condition: SQL) -> SQL {
        """
        SELECT trip.id, app_user.id, nickname, (SELECT id FROM avatar WHERE app_user = author), \(contentList),
            (SELECT id FROM image WHERE trip = trip.key AND is_thumbnail),
            ifnull(
                (SELECT image FROM entry INDEXED BY entry_image
                WHERE trip = trip.key AND image IS NOT NULL ORDER BY day, time, position LIMIT 1),
                (SELECT thumbnail FROM unfetched_timeline WHERE trip = trip.key)),
            trip.created_at, updated_at, version, like_count,
            EXISTS (
                SELECT 1 FROM liked
                WHERE trip = trip.key AND app_user = (SELECT key FROM app_user WHERE id = \(viewer))),
            app_user.id = \(viewer) IS TRUE, report_count, trip.key
        FROM trip JOIN app_user ON app_user.key = author
        WHERE \(condition)
        """
    }

    init(row: borrowing Row) throws {
        (trip, key) = try row.read { columns in
            let (id, author) = (try columns.next() as Trip.ID, try UserRecord.user(&columns))
            var content: TripContent = try columns.next()
            content.thumbnail = try columns.next()
            let firstImage: TripImage.ID? = try columns.next()
            let trip = try Trip(
                id: id, author: author, content: content, cover: content.thumbnail ?? firstImage,
                createdAt: columns.next(), updatedAt: columns.next(), version: columns.next(),
                likeCount: columns.next(), isLiked: columns.next(), isMine: columns.next(), reports: columns.next())
            return (trip, try columns.next())
        }
    }

    /// The trip with its timeline and its track; `key` is its key.
    static func details(of trip: Trip, _ key: Int64, _ db: Connection) throws -> TripDetails {
        TripDetails(
            trip: trip, timeline: try EntryRecord.timeline(of: key, db),
            track: try TrackRecord.track(of: key, db))
    }

    /// Inserts complete trips with their authors and images.
    ///
    /// - Throws: `TravelError.conflict` when a trip, an entry or an image with the same ID already exists, or a trip of
    ///   another author had it.
    static func add(
        _ trips: [RecordedTrip], _ new: inout NewImages, _ write: inout ImageWrite, _ db: Connection
    ) throws {
        var authors: [User: Int64] = [:]
        var changes: [RowSets.Change] = []
        for trip in trips {
            let author = try authors[trip.author] ?? UserRecord.save(trip.author, db)
            authors[trip.author] = author
            let isOfAnother: SQL = """
                SELECT EXISTS (SELECT 1 FROM removed_trip WHERE id = \(trip.id) AND author <> \(trip.author.id))
                """
            if try db.fetchOne(Bool.self, isOfAnother) == true { throw TravelError.conflict(.trip(trip.id)) }
            let traits = TraitLayout.traits(of: trip.content)
            try unique(.trip(trip.id)) {
                try insert(CollectionOfOne(NewRow(trip: trip, author: author, traits: traits)), db)
            }
            let key = db.lastInsertedRowID
            changes.append(
                RowSets.Change(
                    row: key,
                    joins: TripSets.of(traits: traits, title: trip.content.title) + TripSets.of(trip.timeline)
                        + [TripSets.of(trip.content.audience, by: author)]))
            try addImages(of: trip, key, new.take(for: trip), &write, db)
            for entry in trip.timeline.positioned {
                try unique(.entry(entry.entry.id)) { try EntryRecord.insert(entry, trip: key, db) }
            }
            if let track = trip.track { try TrackRecord.set(track, of: key, db) }
        }
        try RowSets.apply(changes, db)
    }

    private static let content = Columns(TripContent.columnNames)
    private static let contentList = content.list
    /// What an edit can change, and what follows from it: in the order of ``bind(_:traits:to:)``.
    private static let changing = Columns(["version", "updated_at"]) + content + Columns(["title_key", "traits"])
    private static let all = Columns(["key", "id", "author", "created_at", "like_count"]) + changing
    private static let insertion: SQL = "INSERT INTO trip (\(all.list)) VALUES (\(all.parameters))"
    private static let edit: SQL = "UPDATE trip SET (\(changing.list)) = (\(changing.parameters)) WHERE key = ?"

    private static func bind(_ trip: RecordedTrip, traits: Int64, to values: inout ParameterBinder) throws {
        try values.bind(trip.version.number)
        try values.bind(trip.storedUpdatedAt)
        try values.bind(trip.content)
        try values.bind(CharacterKey.title(trip.content.title.text))
        try values.bind(traits)
    }

    /// A row of `trip` to be inserted, without anything that belongs to it.
    struct NewRow {
        /// `nil` for the next one.
        var key: Int64?
        let trip: RecordedTrip
        /// The key of the author.
        let author: Int64
        var likeCount = 0
        let traits: Int64
    }

    static func insert(_ rows: some Sequence<NewRow>, _ db: Connection) throws {
        try db.execute(insertion, forEach: rows) { row, values in
            try values.bind(row.key)
            try values.bind(row.trip.id.bytes)
            try values.bind(row.author)
            try values.bind(row.trip.createdAt.timeIntervalSinceReferenceDate)
            try values.bind(row.likeCount)
            try bind(row.trip, traits: row.traits, to: &values)
        }
    }

    /// Replaces the content and the timeline of `recorded`, the trip with the key `key`, with those of `changed`.
    /// Writes only what differs.
    ///
    /// - Throws: `TravelError.conflict` when another trip has one of the entries or images, or an entry is repeated.
    static func update(
        _ key: Int64, from recorded: RecordedTrip, to changed: RecordedTrip, _ images: inout NewImages,
        _ write: inout ImageWrite, _ db: Connection
    ) throws {
        let (old, new) = (recorded.timeline.positioned, changed.timeline.positioned)
        var before = Set(old)
        let after = Set(new)
        // First, because entries must not lie on days that the trip no longer has.
        try db.withinTrips([key]) {
            for entry in old where !after.contains(entry) { try EntryRecord.remove(entry.entry, trip: key, db) }
        }
        try setContent(of: key, to: changed, db)
        if changed.track != recorded.track {
            try db.withinTrips([key]) { try TrackRecord.set(changed.track, of: key, db) }
        }
        try addImages(of: changed, key, images.take(for: changed, besides: recorded.images), &write, db)
        // Each entry stays once: a repeated one is a conflict, also if it is there already.
        let inserted = new.filter { before.remove($0) == nil }
        try db.withinTrips([key]) {
            for entry in inserted {
                try unique(.entry(entry.entry.id)) { try EntryRecord.insert(entry, trip: key, db) }
            }
        }
        try RowSets.apply([RowSets.Change(row: key, joins: TripSets.of(inserted.lazy.map(\.entry)))], db)
        if !recorded.images.isEmpty {
            write.abandon(try ImageRecord.removeUnused(of: key, showing: changed.images, db))
        }
    }

    /// Replaces the content and the version of the trip with the key `key`. Its timeline and images stay.
    static func setContent(of key: Int64, to changed: RecordedTrip, _ db: Connection) throws {
        let before = try db.fetchOne("SELECT traits, title, author, audience FROM trip WHERE key = \(key)") { row in
            try row.read { columns in
                let (traits, title): (Int64, String) = (try columns.next(), try columns.next())
                let author: Int64 = try columns.next()
                let audience = TripSets.of(try columns.next(), by: author)
                return try readingValues {
                    (
                        all: Set(TripSets.of(traits: traits, title: try Title(stored: title)) + [audience]),
                        current: TripSets.of(traits: traits) + [audience], author: author
                    )
                }
            }
        }
        let traits = TraitLayout.traits(of: changed.content)
        try db.withinTrips([key]) {
            try db.execute(edit, forEach: CollectionOfOne(changed)) { trip, values in
                try bind(trip, traits: traits, to: &values)
                try values.bind(key)
            }
        }
        var joined = Set(TripSets.of(traits: traits, title: changed.content.title))
        if let author = before?.author { joined.insert(TripSets.of(changed.content.audience, by: author)) }
        // It stays in the sets of its former title, which halves what an edit writes: searches compare titles anyway.
        let change = RowSets.Change(
            row: key, leaves: (before?.current ?? []).filter { !joined.contains($0) },
            joins: Array(joined.subtracting(before?.all ?? [])))
        guard !change.leaves.isEmpty || !change.joins.isEmpty else { return }
        try RowSets.apply([change], db)
    }

    /// Inserts new images of the trip with the key `key`, and stores which one represents it.
    private static func addImages(
        of trip: RecordedTrip, _ key: Int64, _ images: [TripImage], _ write: inout ImageWrite, _ db: Connection
    ) throws {
        for image in images {
            try AvatarRecord.requireNone(image.id, db)
            let file = write.file(of: image.id)
            try unique(.image(image.id)) {
                try db.withinTrips([key]) { try ImageRecord.insert(image, file: file, trip: key, db) }
            }
        }
        if !trip.images.isEmpty { try ImageRecord.setThumbnail(trip.content.thumbnail, of: key, db) }
    }

    /// Deletes the trips that meet `condition`, with their timelines, images and likes, and returns their number.
    @discardableResult
    static func remove(where condition: SQL, _ write: inout ImageWrite, _ db: Connection) throws -> Int {
        let keys = try db.fetchAll(Int64.self, "SELECT key FROM trip WHERE \(condition)")
        for key in keys {
            write.abandon(try ImageRecord.files(of: key, db))
            try db.execute("DELETE FROM trip WHERE key = \(key)")
        }
        try RowSets.remove(keys, db)
        return keys.count
    }

    /// Deletes the trips that meet `condition`, as ``remove(where:_:_:)`` does, for their author, who alone may use their
    /// IDs again.
    @discardableResult
    static func removeForGood(where condition: SQL, _ write: inout ImageWrite, _ db: Connection) throws -> Int {
        try db.execute(
            """
            INSERT OR REPLACE INTO removed_trip (id, author)
            SELECT trip.id, app_user.id FROM trip JOIN app_user ON app_user.key = author
            WHERE trip.key IN (SELECT key FROM trip WHERE \(condition))
            """)
        return try remove(where: condition, &write, db)
    }

    /// Calls `insert` and converts a uniqueness violation to a conflict about `subject`.
    static func unique<Value>(_ subject: TravelError.Subject, _ insert: () throws -> Value) throws -> Value {
        do {
            return try insert()
        } catch let error as SQLiteError
            where error.extendedCode == .constraintUnique || error.extendedCode == .constraintPrimaryKey
        {
            throw TravelError.conflict(subject)
        }
    }
}

/// A row of `entry`. Its column `image` has the image of the first picture, by which lists find the cover of a trip.
struct EntryRecord: RowDecodable {
    let entry: TimelineEntry

    /// Selects the timeline of the trip with the key `trip`, or one day of it, in order.
    static func select(of trip: Int64, day: Int? = nil) -> SQL {
        let isOnDay: SQL = day.map { "AND day = \($0)" } ?? ""
        return """
            SELECT \(columns) FROM entry WHERE trip = \(trip) \(isOnDay) ORDER BY day, time, position
            """
    }

    /// The first entry of the trip with the key `trip` whose title or place has the keyword.
    static func first(of trip: Int64, with keyword: Keyword, _ db: Connection) throws -> MatchedEntry? {
        var entry: MatchedEntry?
        try db.forEach(selectTexts(of: trip)) { row, stop in
            try row.read { columns in
                let (title, placeName): (String, String?) = (try columns.next(), try columns.next())
                stop = keyword.matches(entryTitle: title, placeName: placeName)
                guard stop else { return }
                let (id, day): (TimelineEntry.ID, Int) = (try columns.next(), try columns.next())
                entry = MatchedEntry(
                    id: id, day: day, title: try readingValues { try Title(stored: title) }, placeName: placeName)
            }
        }
        return entry
    }

    /// Selects what searches compare of the timeline of a trip, in order: from an index, since the texts of entries, which
    /// may be long, lie before the names of places in the table.
    static func selectTexts(of trip: Int64) -> SQL {
        """
        SELECT title, place_name, id, day FROM entry INDEXED BY entry_texts WHERE trip = \(trip)
        ORDER BY day, time, position
        """
    }

    private static let columns: SQL =
        "id, day, time, title, text, place_name, place_address, latitude, longitude, pictures"
    private static let insertion: SQL =
        "INSERT INTO entry (trip, \(columns), image, position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    init(row: borrowing Row) throws {
        entry = try row.read { columns in
            try TimelineEntry(
                id: columns.next(), day: columns.next(), minutes: columns.next(), title: columns.next(),
                text: columns.next(), placeName: columns.next(), placeAddress: columns.next(),
                latitude: columns.next(), longitude: columns.next(),
                pictures: Self.pictures(&columns))
        }
    }

    private static func pictures(_ columns: inout ColumnCursor) throws -> [Picture] {
        try columns.withNext { column in
            if column.isNull { return [] }
            return try column.withBlobBytes { try PictureList.pictures(UnsafeRawBufferPointer($0)) }
        }
    }

    /// The timeline of the trip with the key `trip`, or one day of it.
    static func timeline(of trip: Int64, day: Int? = nil, _ db: Connection) throws -> [TimelineEntry] {
        try db.fetchAll(EntryRecord.self, select(of: trip, day: day)).map(\.entry)
    }

    /// Inserts entries of the trips with these keys.
    static func insert(_ entries: some Sequence<(entry: PositionedEntry, trip: Int64)>, _ db: Connection) throws {
        try db.execute(insertion, forEach: entries) { row, values in
            let entry = row.entry.entry
            try values.bind(row.trip)
            try values.bind(entry.id.bytes)
            try values.bind(entry.day)
            try values.bind(entry.time.minutes)
            try values.bind(entry.title.text)
            try values.bind(entry.text.text)
            try values.bind(entry.place?.name)
            try values.bind(entry.place?.address)
            try values.bind(entry.place?.coordinate?.latitude)
            try values.bind(entry.place?.coordinate?.longitude)
            try values.bind(PictureList.bytes(of: entry.pictures))
            try values.bind(entry.image?.bytes)
            try values.bind(row.entry.position)
        }
    }

    static func insert(_ entry: PositionedEntry, trip: Int64, _ db: Connection) throws {
        try insert(CollectionOfOne((entry: entry, trip: trip)), db)
    }

    static func remove(_ entry: TimelineEntry, trip: Int64, _ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM entry
            WHERE trip = \(trip) AND day = \(entry.day) AND time = \(entry.time.minutes) AND id = \(entry.id)
            """)
    }
}

enum TrackRecord {
    /// The path of the recorded track of the trip with the key `trip`.
    static func track(of trip: Int64, _ db: Connection) throws -> TrackGeometry? {
        guard let bytes = try db.fetchOne([UInt8].self, "SELECT way FROM track WHERE trip = \(trip)") else {
            return nil
        }
        return try readingValues { try TrackGeometry(bytes: bytes) }
    }

    /// Replaces the path of a trip; `nil` removes it.
    static func set(_ track: TrackGeometry?, of trip: Int64, _ db: Connection) throws {
        try db.execute("DELETE FROM track WHERE trip = \(trip)")
        guard let track else { return }
        try db.execute("INSERT INTO track (trip, way) VALUES (\(trip), \(track.bytes))")
    }
}

enum LikeRecord {
    /// Inserts a like of the trip with the key `trip` by the user with the key `user`, unless there is one.
    static func insert(_ trip: Int64, by user: Int64, _ db: Connection) throws {
        try db.withinTrips([trip]) {
            try db.execute(
                """
                INSERT OR IGNORE INTO liked (trip, app_user, created_at)
                SELECT key, \(user), created_at FROM trip WHERE key = \(trip)
                """)
        }
    }

    /// Deletes a like, and returns whether there was one.
    static func remove(_ trip: Trip.ID, by user: User.ID, _ db: Connection) throws -> Bool {
        guard let key = try db.fetchOne(Int64.self, "SELECT key FROM trip WHERE id = \(trip)") else { return false }
        let like: SQL = "trip = \(key) AND app_user = (SELECT key FROM app_user WHERE id = \(user))"
        return try db.withinTrips([key]) { try db.execute("DELETE FROM liked WHERE \(like)") == 1 }
    }

    /// Deletes some likes of the user with the key `user`, and returns their number.
    static func removeSome(of user: Int64, atMost count: Int, _ db: Connection) throws -> Int {
        let some: SQL = "SELECT trip FROM liked WHERE app_user = \(user) LIMIT \(count)"
        return try db.execute("DELETE FROM liked WHERE app_user = \(user) AND trip IN (\(some))")
    }
}
