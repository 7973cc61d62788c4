#if PostgreSQL
public import PostgreSQLStore
import TravelDataShared
public import TravelDomain

/// A travel as a viewer sees it, from the rows of `travel`, `travel_rank`, `person` and `liked`.
struct TravelRecord: RowDecodable {
    let travel: Travel
    /// The number of reports, which decides whether the travel is shown.
    let reports: Int

    /// The columns of a travel, and the tables that they come from. `rank` is a row of `travel_rank`.
    ///
    /// Planning the joins takes a millisecond or two, ten times as long as reading a page of travels: the server
    /// plans them once.
    static func select(seenBy viewer: User.ID?) -> SQL {
        let select: SQL = """
            SELECT travel.id, person.id, person.nickname, travel.created_at, travel.title, travel.region, travel.first_day,
                travel.last_day, travel.themes, travel.companions, travel.headcount, travel.budget, travel.transportation,
                rank.like_count, person.id = \(viewer) IS TRUE, mine.travel IS NOT NULL, travel.thumbnail,
                travel.cover, travel.version, travel.updated_at, rank.report_count, avatar.id
            FROM travel_rank AS rank
                JOIN travel ON travel.id = rank.travel
                JOIN person ON person.id = travel.author
                LEFT JOIN avatar ON avatar.person = travel.author
                LEFT JOIN liked AS mine ON mine.travel = rank.travel AND mine.person = \(viewer)
            """
        return select.planned(.generic)
    }

    init(row: borrowing Row) throws {
        let content = try ContentColumns(
            title: row[4], region: row[5], firstDay: row[6], lastDay: row[7], themes: row[8], companions: row[9],
            headcount: row[10], budget: row[11], transportation: row[12])
        travel = try Travel(
            id: row[0], author: User(id: row[1], nickname: row[2] as String, avatar: row[21]), content: content,
            thumbnail: row[16], cover: row[17], createdAt: row[3], updatedAt: row[19], version: row[18],
            likeCount: row[13], isLiked: row[15], isMine: row[14])
        reports = try row[20]
    }

    /// Inserts travels with their authors, images and entries.
    static func add(_ travels: [RecordedTravel], _ new: inout NewImages, _ db: Connection) throws {
        var authors: Set<User.ID> = []
        for travel in travels {
            if authors.insert(travel.author.id).inserted { try PersonRecord.save(travel.author, db) }
            try unique(.travel(travel.id)) {
                try db.execute(
                    """
                    INSERT INTO travel (id, author, created_at, \(columnList))
                    VALUES (
                        \(travel.id), \(travel.author.id),
                        \(travel.createdAt.timeIntervalSinceReferenceDate), \(values(of: travel)))
                    """)
            }
            let traits = TraitLayout.traits(of: travel.content)
            try db.execute(
                """
                INSERT INTO travel_rank (travel, author, created_at, first_day, traits, cell, signature)
                VALUES (
                    \(travel.id), \(travel.author.id),
                    \(travel.createdAt.timeIntervalSinceReferenceDate),
                    \(travel.content.days.first.daysSince1970), \(traits), \(TraitCell.number(of: traits)),
                    \(TravelTerms.signature(of: travel.content.title)))
                """)
            try ImageRecord.insert(new.take(for: travel), travel: travel.id, db)
            try EntryRecord.insert(travel.timeline, travel: travel.id, db)
            if let track = travel.track { try TrackRecord.set(track, of: travel.id, db) }
        }
    }

    private static let columns = [
        "version", "updated_at", "title", "region", "first_day", "last_day", "themes", "companions", "headcount",
        "budget", "transportation", "thumbnail", "cover", "title_key", "terms",
    ]
    private static let columnList = SQL(raw: columns.joined(separator: ", "))

    private static func values(of recorded: RecordedTravel) -> SQL {
        let content = ContentColumns(recorded.content)
        return """
            \(recorded.version.number), \(recorded.storedUpdatedAt), \(content.title), \(content.region),
            \(content.firstDay), \(content.lastDay), \(content.themes), \(content.companions), \(content.headcount),
            \(content.budget), \(content.transportation), \(recorded.content.thumbnail),
            \(recorded.thumbnail), \(CharacterKey.title(content.title)),
            \(TravelTerms.of(recorded.content.title))
            """
    }

    /// Deletes some travels of an author, whose row is locked, with everything that belongs to them. Returns their
    /// number.
    static func removeSome(by author: User.ID, atMost limit: Int, _ db: Connection) throws -> Int {
        let some = try db.fetchAll(
            Travel.ID.self, "SELECT id FROM travel WHERE author = \(author) LIMIT \(raw: String(limit))")
        guard !some.isEmpty else { return 0 }
        try lock(some, db)
        try db.execute("DELETE FROM travel WHERE id = ANY(\(some))")
        return some.count
    }

    /// Locks travels until the end of the transaction, as who likes or edits them does. All lock them in this
    /// order, so that none waits for another that waits for it.
    static func lock(_ travels: [Travel.ID], _ db: Connection) throws {
        try db.execute("SELECT travel FROM travel_rank WHERE travel = ANY(\(travels)) ORDER BY travel FOR UPDATE")
    }

    /// Replaces the content, the timeline and the images of a travel. Writes only the rows that differ.
    ///
    /// - Throws: `TravelError.conflict` when another travel has one of the entries or images, or an entry is
    ///   repeated.
    static func update(
        from recorded: RecordedTravel, to changed: RecordedTravel, _ new: inout NewImages, _ db: Connection
    ) throws {
        let id = recorded.id
        try db.execute("UPDATE travel SET (\(columnList)) = ROW(\(values(of: changed))) WHERE id = \(id)")
        if changed.content != recorded.content {
            let traits = TraitLayout.traits(of: changed.content)
            try db.execute(
                """
                UPDATE travel_rank SET traits = \(traits), cell = \(TraitCell.number(of: traits)),
                    first_day = \(changed.content.days.first.daysSince1970),
                    signature = \(TravelTerms.signature(of: changed.content.title))
                WHERE travel = \(id)
                """)
        }
        try ImageRecord.insert(new.take(for: changed, besides: recorded.images), travel: changed.id, db)
        try EntryRecord.update(from: recorded.timeline, to: changed.timeline, travel: changed.id, db)
        if changed.track != recorded.track { try TrackRecord.set(changed.track, of: changed.id, db) }
        if !recorded.images.isEmpty {
            try db.execute("DELETE FROM image WHERE travel = \(id) AND id <> ALL(\(changed.images))")
        }
    }
}

extension TravelRecord {
    /// Inserts many new travels of people who are stored, without new images, each with the people who like it:
    /// with `COPY`, which takes a fraction of the time of single inserts.
    ///
    /// - Parameters:
    ///   - travels: The travels.
    ///   - likers: For each travel the different people who like it.
    /// - Throws: `TravelError.conflict` for a travel or an entry whose ID is known; it names the first one of them
    ///   all, because the server does not say which. `TravelError.notFound` for an unknown person; it names the
    ///   first author.
    static func load(_ travels: [RecordedTravel], likedBy likers: [[User.ID]], _ db: Connection) throws {
        guard let first = travels.first else { return }
        do {
            try copyTravels(travels, db)
            try copyRanks(zip(travels, likers), db)
            try copyLikes(zip(travels, likers), db)
            try copyEntries(of: travels, db)
            try copyTracks(of: travels, db)
        } catch let error as PostgreSQLError where error.code == .uniqueViolation {
            throw TravelError.conflict(.travel(first.id))
        } catch let error as PostgreSQLError where error.code == .foreignKeyViolation {
            throw TravelError.notFound(.user(first.author.id))
        }
    }

    private static func copyTravels(_ travels: [RecordedTravel], _ db: Connection) throws {
        try db.copy(into: "travel", columns: ["id", "author", "created_at"] + columns, travels) { travel, values in
            let content = ContentColumns(travel.content)
            try values.bind(
                travel.id, travel.author.id, travel.createdAt.timeIntervalSinceReferenceDate, travel.version.number,
                travel.storedUpdatedAt, content.title, content.region, content.firstDay, content.lastDay,
                content.themes, content.companions, content.headcount, content.budget, content.transportation,
                travel.content.thumbnail, travel.thumbnail, CharacterKey.title(content.title),
                TravelTerms.of(travel.content.title))
        }
    }

    private static func copyRanks(
        _ travels: Zip2Sequence<[RecordedTravel], [[User.ID]]>, _ db: Connection
    ) throws {
        let columns = ["travel", "author", "created_at", "first_day", "like_count", "traits", "cell", "signature"]
        try db.copy(into: "travel_rank", columns: columns, travels) { pair, values in
            let (travel, likers) = pair
            let traits = TraitLayout.traits(of: travel.content)
            try values.bind(
                travel.id, travel.author.id, travel.createdAt.timeIntervalSinceReferenceDate,
                travel.content.days.first.daysSince1970, likers.count, traits, TraitCell.number(of: traits),
                TravelTerms.signature(of: travel.content.title))
        }
    }

    private static func copyLikes(
        _ travels: Zip2Sequence<[RecordedTravel], [[User.ID]]>, _ db: Connection
    ) throws {
        let likes = travels.lazy.flatMap { travel, likers in likers.lazy.map { (travel: travel, liker: $0) } }
        try db.copy(into: "liked", columns: ["travel", "person", "created_at"], likes) { like, values in
            try values.bind(like.travel.id, like.liker, like.travel.createdAt.timeIntervalSinceReferenceDate)
        }
    }

    private static func copyTracks(of travels: [RecordedTravel], _ db: Connection) throws {
        let tracks = travels.lazy.compactMap { travel in travel.track.map { (travel: travel.id, track: $0) } }
        try db.copy(into: "track", columns: ["travel", "way"], tracks) { pair, values in
            try values.bind(pair.travel, Data(pair.track.bytes))
        }
    }

    private static func copyEntries(of travels: [RecordedTravel], _ db: Connection) throws {
        let entries = travels.lazy.flatMap { travel in travel.timeline.lazy.map { (travel: travel.id, entry: $0) } }
        try db.copy(into: "entry", columns: EntryRecord.columns, entries) { pair, values in
            try EntryRecord.bind(pair.entry, of: pair.travel, to: &values)
        }
    }
}

struct EntryRecord: RowDecodable {
    let entry: TimelineEntry

    /// Selects the timeline of the travel with the key `travel`, or one day of it, in order.
    static func select(of travel: Travel.ID, day: Int? = nil) -> SQL {
        let isOnDay: SQL = day.map { "AND day = \($0)" } ?? ""
        return """
            SELECT id, day, minutes, title, text, place_name, place_address, latitude, longitude, image
            FROM entry WHERE travel = \(travel) \(isOnDay) ORDER BY day, minutes, id
            """
    }

    init(row: borrowing Row) throws {
        entry = try TimelineEntry(
            id: row[0], day: row[1], minutes: row[2], title: row[3], text: row[4],
            placeName: row[5], placeAddress: row[6], latitude: row[7], longitude: row[8],
            image: row[9])
    }

    /// The columns, in the order of `bind(_:of:to:)`.
    static let columns = [
        "id", "travel", "day", "minutes", "title", "text", "place_name", "place_address", "latitude", "longitude",
        "image",
    ]

    static func bind(_ entry: TimelineEntry, of travel: Travel.ID, to values: inout ParameterBinder) throws {
        try values.bind(
            entry.id, travel, entry.day, entry.time.minutes, entry.title.text, entry.text.text, entry.place?.name,
            entry.place?.address, entry.coordinate?.latitude, entry.coordinate?.longitude, entry.image)
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
        let ids = entries.map(\.id)
        let ofOthers: SQL = "SELECT id FROM entry WHERE id = ANY(\(ids)) AND travel <> \(travel)"
        var taken = Set(try db.fetchAll(TimelineEntry.ID.self, ofOthers))
        if let entry = (others + entries).first(where: { !taken.insert($0.id).inserted }) {
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
        let removed = recorded.filter { !after.contains($0) }.map(\.id)
        if !removed.isEmpty {
            try db.execute("DELETE FROM entry WHERE travel = \(travel) AND id = ANY(\(removed))")
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

enum TrackRecord {
    /// The ways of the recorded tracks of these travels.
    static func tracks(of travels: [Travel.ID], _ db: Connection) throws -> [Travel.ID: TrackGeometry] {
        let rows = try db.fetchAll("SELECT travel, way FROM track WHERE travel = ANY(\(travels))") { row in
            (travel: try row[0] as Travel.ID, way: try row[1] as Data)
        }
        return try readingValues {
            try Dictionary(uniqueKeysWithValues: rows.map { ($0.travel, try TrackGeometry(bytes: Array($0.way))) })
        }
    }

    /// Replaces the way of a travel; `nil` removes it.
    static func set(_ track: TrackGeometry?, of travel: Travel.ID, _ db: Connection) throws {
        try db.execute("DELETE FROM track WHERE travel = \(travel)")
        guard let track else { return }
        try db.execute(
            "INSERT INTO track (travel, way) VALUES (\(travel), \(Data(track.bytes)))")
    }
}

extension Identifier: SQLCodable {
    public var sqlValue: SQLValue { .uuid(rawValue) }

    public init(column: borrowing Column) throws {
        self.init(try UUID(column: column))
    }
}
#endif
