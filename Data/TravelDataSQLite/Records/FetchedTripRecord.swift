internal import SQLiteStore
import TravelDataShared
import TravelDomain

/// Stores trips as another store has answered them.
enum FetchedTripRecord {
    /// Inserts or replaces a trip; without a timeline, a complete one keeps its content.
    static func save(
        _ trip: Trip, timeline: [TimelineEntry]?, track: TrackGeometry?, _ write: inout ImageWrite, _ db: Connection
    ) throws {
        _ = try UserRecord.saveFetched(trip.author, &write, db)
        // Without entries and images, which are stored below.
        let after = try header(of: trip)
        if let known = try known(trip.id, db) {
            if known.createdAt != trip.createdAt.timeIntervalSinceReferenceDate || known.author != trip.author.id {
                // Another trip with this ID was refused by the other store.
                try remove(trip.id, &write, db)
                return try save(trip, timeline: timeline, track: track, &write, db)
            }
            if timeline == nil && known.isComplete { return }
            try db.execute("DELETE FROM entry WHERE trip = \(known.key)")
            // A version that is stored already is stored again, because only the other store's content counts.
            try TripRecord.setContent(of: known.key, to: after, db)
            try saveParts(of: trip, timeline, track, key: known.key, &write, db)
        } else {
            // Who may use the ID of a trip that was removed here, the other store decides.
            try db.execute("DELETE FROM removed_trip WHERE id = \(trip.id)")
            var new = try NewImages([])
            try TripRecord.add([after], &new, &write, db)
            guard let known = try known(trip.id, db) else { return }
            try saveParts(of: trip, timeline, track, key: known.key, &write, db)
        }
    }

    private static func known(
        _ id: Trip.ID, _ db: Connection
    ) throws -> (key: Int64, author: User.ID, createdAt: Double, isComplete: Bool)? {
        let select: SQL = """
            SELECT trip.key, app_user.id, created_at, NOT EXISTS (SELECT 1 FROM unfetched_timeline WHERE trip = trip.key)
            FROM trip JOIN app_user ON app_user.key = author WHERE trip.id = \(id)
            """
        return try db.fetchOne(select) { row in
            try row.read { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        }
    }

    private static func header(of trip: Trip) throws -> RecordedTrip {
        var content = trip.content
        content.thumbnail = nil
        return try RecordedTrip(
            id: trip.id, author: trip.author, createdAt: trip.createdAt, updatedAt: trip.updatedAt,
            version: trip.version, content: content, timeline: [])
    }

    /// Inserts the images and entries of the trip with the key `key`, which has no entries.
    private static func saveParts(
        of trip: Trip, _ timeline: [TimelineEntry]?, _ track: TrackGeometry?, key: Int64, _ write: inout ImageWrite,
        _ db: Connection
    ) throws {
        let complete = try RecordedTrip(
            id: trip.id, author: trip.author, createdAt: trip.createdAt, content: trip.content,
            timeline: timeline ?? [])
        for image in complete.images {
            try removeOther(key, "SELECT trip FROM image WHERE id = \(image)", &write, db)
            let isKnown: SQL = "SELECT EXISTS (SELECT 1 FROM image WHERE trip = \(key) AND id = \(image))"
            if try db.fetchOne(Bool.self, isKnown) ?? false { continue }
            try db.execute(
                "INSERT INTO image (trip, id, file, size) VALUES (\(key), \(image), \(ImageFolder.FileID()), 1)"
            )
            try db.execute("INSERT INTO unfetched_image VALUES (\(image))")
        }
        for entry in complete.timeline.positioned {
            try removeOther(key, "SELECT trip FROM entry WHERE id = \(entry.entry.id)", &write, db)
            try EntryRecord.insert(entry, trip: key, db)
        }
        try RowSets.apply([RowSets.Change(row: key, joins: TripSets.of(complete.timeline))], db)
        try TrackRecord.set(timeline == nil ? nil : track, of: key, db)
        try ImageRecord.setThumbnail(trip.content.thumbnail, of: key, db)
        try db.execute("DELETE FROM unfetched_timeline WHERE trip = \(key)")
        if timeline == nil {
            try db.execute("INSERT INTO unfetched_timeline VALUES (\(key), \(trip.thumbnail))")
        } else {
            write.abandon(try ImageRecord.removeUnused(of: key, showing: complete.images, db))
        }
    }

    /// Removes the trip that `select` finds, unless it has the key `key`.
    private static func removeOther(
        _ key: Int64, _ select: SQL, _ write: inout ImageWrite, _ db: Connection
    ) throws {
        guard let other = try db.fetchOne(Int64.self, select), other != key else { return }
        try TripRecord.remove(where: "key = \(other)", &write, db)
    }

    /// Deletes a trip with everything that belongs to it; does nothing if there is none.
    static func remove(_ id: Trip.ID, _ write: inout ImageWrite, _ db: Connection) throws {
        guard let key = try known(id, db)?.key else { return }
        try TripRecord.remove(where: "key = \(key)", &write, db)
    }

    /// Stores whether `viewer` likes the trip, and how many people do; and whether others see it.
    static func saveLikes(of trip: Trip, viewer: User.ID?, _ db: Connection) throws {
        guard let key = try known(trip.id, db)?.key else { return }
        if let viewer {
            if !trip.isLiked {
                _ = try LikeRecord.remove(trip.id, by: viewer, db)
            } else {
                try LikeRecord.insert(key, by: UserRecord.saveUnfetched(viewer, db), db)
            }
        }
        // There are fewer likes than known people who like it: which of them removed their like is unknown.
        try db.execute(
            """
            DELETE FROM liked WHERE trip = \(key) AND app_user IN (
                SELECT app_user FROM liked JOIN app_user ON app_user.key = liked.app_user
                WHERE trip = \(key) ORDER BY app_user.id IS \(viewer) DESC LIMIT -1 OFFSET \(trip.likeCount))
            """)
        try db.execute(
            "UPDATE trip SET like_count = \(trip.likeCount) WHERE key = \(key) AND like_count <> \(trip.likeCount)"
        )
        try HiddenTripRecord.set(trip.isHidden, key, db)
        if viewer != trip.author.id {
            try db.execute(
                """
                DELETE FROM reported WHERE trip = \(key) AND app_user IN (
                    SELECT app_user FROM reported WHERE trip = \(key)
                    ORDER BY app_user LIMIT -1 OFFSET \(Visibility.toleratedReports))
                """)
        }
    }

    /// Removes the blocks of authors whose trips the user sees.
    static func removeBlocks(by user: User.ID, of authors: Set<User.ID>, _ db: Connection) throws {
        guard let user = try UserRecord.key(of: user, db) else { return }
        for author in authors.sorted() {
            try db.execute(
                """
                DELETE FROM blocked
                WHERE app_user = \(user) AND author = (SELECT key FROM app_user WHERE id = \(author))
                """)
        }
    }

    /// Replaces the blocks by a user, whose own profile may be unknown.
    static func saveBlocks(
        by user: User.ID, of authors: [User], _ write: inout ImageWrite, _ db: Connection
    ) throws {
        let keys = try authors.map { try UserRecord.saveFetched($0, &write, db) }
        let user = try UserRecord.saveUnfetched(user, db)
        try db.execute("DELETE FROM blocked WHERE app_user = \(user)")
        for author in keys where author != user {
            try db.execute("INSERT INTO blocked (app_user, author) VALUES (\(user), \(author))")
        }
    }

    /// Stores the file of an image that a known trip or user shows; otherwise leaves it to be removed.
    static func save(_ image: TripImage, _ write: inout ImageWrite, _ db: Connection) throws {
        let file = write.file(of: image.id)
        if try AvatarRecord.setFile(file, of: image, db) { return }
        if try db.execute("DELETE FROM unfetched_image WHERE id = \(image.id)") == 1 {
            try db.execute(
                "UPDATE image SET (file, size) = (\(file), \(image.bytes.count)) WHERE id = \(image.id)")
            return
        }
        let showing: SQL = """
            SELECT trip FROM unfetched_timeline WHERE thumbnail = \(image.id)
                AND NOT EXISTS (SELECT 1 FROM image WHERE id = \(image.id))
            """
        guard let trip = try db.fetchOne(Int64.self, showing) else { return write.abandon([file]) }
        try ImageRecord.insert(image, file: file, trip: trip, db)
    }
}

extension UserRecord {
    /// Inserts the user, or replaces their nickname and picture, and returns the key.
    static func saveFetched(_ user: User, _ write: inout ImageWrite, _ db: Connection) throws -> Int64 {
        let key = try save(user, db)
        try AvatarRecord.setSeen(user.avatar, of: key, &write, db)
        try rename(key, to: user.nickname, db)
        return key
    }
}
