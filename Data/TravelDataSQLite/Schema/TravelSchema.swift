internal import SQLiteStore
internal import TravelDataShared
import TravelDomain

enum TravelSchema {
    /// The `PRAGMA application_id` that identifies a SQLite file as a travel database: "TRVL" in ASCII.
    static let applicationID: Int32 = 0x5452_564C

    /// All migrations, from an empty file to the current schema. A released migration never changes; add a new one.
    static let migrations = [
        Migration(
            "0.1",
            script: [identity, users, trips, timelines, opinions, sets, device, cache, rules].joined(separator: "\n")
        ),
        Migration("accounts", script: accounts),
        Migration("removed trips", script: removedTrips),
        Migration("reports that count", script: countingReports),
        Migration("nickname skeletons", revision: skeletons) { db in
            try db.executeScript(skeletons)
            let people = try db.fetchAll(
                "SELECT key, nickname FROM app_user WHERE key NOT IN (SELECT app_user FROM unseen_user)"
            ) { row in (key: try row[0] as Int64, nickname: try row[1] as String) }
            for (key, nickname) in people {
                // A damaged nickname is found when it is read.
                guard let nickname = try? Nickname(stored: nickname) else { continue }
                try db.execute(
                    "UPDATE app_user SET nickname_skeleton = \(CharacterKey.skeleton(nickname)) WHERE key = \(key)")
            }
        },
        Migration("invitations", script: invitations),
        Migration("unfetched rows", script: unfetchedRows),
        Migration("positions of entries", script: positions),
        Migration("pictures of entries", script: pictures),
        Migration("entries in searches", revision: entryTexts) { db in
            try db.executeScript(entryTexts)
            try addSetsOfEntries(db)
        },
        Migration("audiences", script: audiences),
        Migration("pictures in rows of entries", revision: pictureLists) { db in
            try db.executeScript(pictureLists)
            try addPictureLists(db)
            try db.executeScript("DROP TABLE picture;")
        },
        Migration("audiences in searches", revision: "sets of audiences", addSetsOfAudiences),
    ]

    private static let identity = "PRAGMA application_id = 0x5452564C;"

    /// People are found by `nickname_key`. A row of `avatar` without a file is a picture that another store has. The
    /// profile of a user in `unseen_user`, later `unfetched_user`, is not known here, only their ID.
    private static let users = """
        CREATE TABLE app_user (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            nickname TEXT NOT NULL CHECK (length(nickname) >= 2),
            nickname_key TEXT NOT NULL
        ) STRICT;
        CREATE INDEX app_user_nickname ON app_user (nickname_key);
        CREATE TABLE avatar (
            app_user INTEGER PRIMARY KEY REFERENCES app_user (key) ON DELETE CASCADE,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            file BLOB UNIQUE CHECK (length(file) = 16),
            size INTEGER CHECK (size BETWEEN 1 AND 10485760),
            CHECK ((file IS NULL) = (size IS NULL))
        ) STRICT;
        CREATE TABLE unseen_user (
            app_user INTEGER PRIMARY KEY REFERENCES app_user (key) ON DELETE CASCADE
        ) STRICT;
        """

    /// Keys are never used again (`AUTOINCREMENT`): sets of rows name them. `traits` holds what filters look for, a bit for
    /// each value (``TraitLayout``); `title_key` is what suggestions compare. Indexes are ascending, although searches read
    /// them in descending order: new rows are appended at the end, which is fastest in SQLite.
    private static let trips = """
        CREATE TABLE trip (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            author INTEGER NOT NULL REFERENCES app_user (key) ON DELETE CASCADE,
            created_at REAL NOT NULL,
            title TEXT NOT NULL CHECK (length(title) >= 1),
            title_key TEXT NOT NULL CHECK (length(title_key) >= 1),
            region INTEGER NOT NULL CHECK (region BETWEEN 0 AND 17),
            first_day INTEGER NOT NULL CHECK (first_day BETWEEN -719162 AND 2932896),
            last_day INTEGER NOT NULL CHECK (last_day BETWEEN first_day AND 2932896),
            themes INTEGER NOT NULL CHECK (themes BETWEEN 0 AND 511),
            companions INTEGER NOT NULL CHECK (companions BETWEEN 0 AND 15),
            headcount INTEGER CHECK (headcount BETWEEN 0 AND 4),
            budget INTEGER CHECK (budget BETWEEN 0 AND 3),
            transportation INTEGER CHECK (transportation BETWEEN 0 AND 1),
            like_count INTEGER NOT NULL DEFAULT 0 CHECK (like_count >= 0),
            report_count INTEGER NOT NULL DEFAULT 0 CHECK (report_count >= 0),
            traits INTEGER NOT NULL CHECK (traits = (
                (1 << iif(region = 17, 51, region))
                | (1 << (17 + CASE CAST(strftime('%m', first_day * 86400, 'unixepoch') AS INTEGER)
                    WHEN 3 THEN 0 WHEN 4 THEN 0 WHEN 5 THEN 0
                    WHEN 6 THEN 1 WHEN 7 THEN 1 WHEN 8 THEN 1 WHEN 9 THEN 1
                    WHEN 10 THEN 2 WHEN 11 THEN 2 ELSE 3 END))
                | (1 << (21 + CASE WHEN last_day - first_day < 3 THEN last_day - first_day
                    WHEN last_day - first_day < 6 THEN 3 WHEN last_day - first_day < 29 THEN 4 ELSE 5 END))
                | ifnull(1 << (27 + headcount), 0) | ifnull(1 << (32 + budget), 0)
                | ifnull(1 << (36 + transportation), 0) | (themes << 38) | (companions << 47)
            )),
            version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
            updated_at REAL
        ) STRICT;
        CREATE INDEX trip_newest ON trip (created_at, id);
        CREATE INDEX trip_most_liked ON trip (like_count, created_at, id);
        CREATE INDEX trip_author_newest ON trip (author, created_at, id);
        CREATE INDEX trip_author_most_liked ON trip (author, like_count, created_at, id);
        CREATE INDEX trip_title ON trip (title_key, title);
        CREATE INDEX trip_by_date ON trip (first_day, created_at, id);
        CREATE INDEX trip_author_by_date ON trip (author, first_day, created_at, id);
        """

    /// An image is a file beside the database (``ImageFolder``), identified by its row. An entry shows only images of its own
    /// trip, and at most one image of a trip is chosen as its thumbnail. A place may have no coordinates.
    private static let timelines = """
        CREATE TABLE image (
            trip INTEGER NOT NULL REFERENCES trip (key) ON DELETE CASCADE,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            file BLOB NOT NULL UNIQUE CHECK (length(file) = 16),
            size INTEGER NOT NULL CHECK (size BETWEEN 1 AND 10485760),
            is_thumbnail INTEGER NOT NULL DEFAULT 0 CHECK (is_thumbnail IN (0, 1)),
            PRIMARY KEY (trip, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX image_thumbnail ON image (trip) WHERE is_thumbnail;
        CREATE TABLE entry (
            trip INTEGER NOT NULL REFERENCES trip (key) ON DELETE CASCADE,
            day INTEGER NOT NULL CHECK (day >= 1),
            time INTEGER NOT NULL CHECK (time BETWEEN 0 AND 1439),
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            title TEXT NOT NULL CHECK (length(title) >= 1),
            text TEXT NOT NULL CHECK (length(text) >= 1),
            place_name TEXT CHECK (length(place_name) >= 1),
            place_address TEXT,
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            image BLOB,
            PRIMARY KEY (trip, day, time, id),
            FOREIGN KEY (trip, image) REFERENCES image (trip, id),
            CHECK ((place_name IS NULL) = (place_address IS NULL)),
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK (latitude IS NULL OR place_name IS NOT NULL)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX entry_image ON entry (trip, day, time, id, image) WHERE image IS NOT NULL;
        CREATE TABLE track (
            trip INTEGER PRIMARY KEY REFERENCES trip (key) ON DELETE CASCADE,
            way BLOB NOT NULL CHECK (length(way) >= 6)
        ) STRICT;
        """

    /// `liked` has the time at which its trip was recorded, so that the likes of a user are read in that order.
    private static let opinions = """
        CREATE TABLE liked (
            trip INTEGER NOT NULL REFERENCES trip (key) ON DELETE CASCADE,
            app_user INTEGER NOT NULL REFERENCES app_user (key) ON DELETE CASCADE,
            created_at REAL NOT NULL,
            PRIMARY KEY (trip, app_user)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX liked_newest ON liked (app_user, created_at);
        CREATE TABLE reported (
            trip INTEGER NOT NULL REFERENCES trip (key) ON DELETE CASCADE,
            app_user INTEGER NOT NULL REFERENCES app_user (key) ON DELETE CASCADE,
            PRIMARY KEY (trip, app_user)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reported_user ON reported (app_user);
        CREATE TABLE blocked (
            app_user INTEGER NOT NULL REFERENCES app_user (key) ON DELETE CASCADE,
            author INTEGER NOT NULL REFERENCES app_user (key) ON DELETE CASCADE CHECK (author <> app_user),
            PRIMARY KEY (app_user, author)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX blocked_author ON blocked (author);
        """

    /// Sets of rows, by number (``TripSets``, ``RowSets``), and the first block that is not cleaned yet.
    private static let sets = """
        CREATE TABLE row_set (
            key INTEGER PRIMARY KEY,
            rows BLOB NOT NULL CHECK (length(rows) BETWEEN 2 AND 4000)
        ) STRICT;
        CREATE TABLE row_set_cleaned (
            key INTEGER NOT NULL
        ) STRICT;
        INSERT INTO row_set_cleaned VALUES (-1);
        """

    /// The session and the recent keywords of this file, for a device without a file of its own.
    private static let device = """
        CREATE TABLE session (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            device BLOB CHECK (length(device) = 16),
            user BLOB CHECK (length(user) = 16),
            expires_at REAL CHECK (expires_at IS NULL OR user IS NOT NULL)
        ) STRICT;
        INSERT INTO session (key) VALUES (1);
        CREATE TABLE recent_keyword (
            position INTEGER PRIMARY KEY CHECK (position BETWEEN 0 AND 14),
            text TEXT NOT NULL CHECK (length(text) >= 1)
        ) STRICT;
        """

    /// The parts of trips that another store has, and this one does not know, and the times of its last answers. A row of
    /// `image` that is named in `unseen_image` has no file. The image of `unseen_timeline` represents the trip, as the
    /// other store says.
    private static let cache = """
        CREATE TABLE unseen_timeline (
            trip INTEGER PRIMARY KEY REFERENCES trip (key) ON DELETE CASCADE,
            thumbnail BLOB CHECK (length(thumbnail) = 16)
        ) STRICT;
        CREATE INDEX unseen_timeline_thumbnail ON unseen_timeline (thumbnail) WHERE thumbnail IS NOT NULL;
        CREATE TABLE unseen_image (
            id BLOB PRIMARY KEY REFERENCES image (id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE last_answer (
            question TEXT PRIMARY KEY,
            answered_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX last_answer_time ON last_answer (answered_at);
        """

    /// The people who can sign in to a server that uses this file, and their devices. `used_refresh` has the refresh tokens
    /// that were exchanged, until they expire. All tokens are digests.
    private static let accounts = """
        CREATE TABLE account (
            app_user INTEGER PRIMARY KEY REFERENCES app_user (key) ON DELETE CASCADE,
            password TEXT NOT NULL CHECK (length(password) BETWEEN 1 AND 255)
        ) STRICT;
        CREATE TABLE device (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            account INTEGER NOT NULL REFERENCES account (app_user) ON DELETE CASCADE,
            access BLOB NOT NULL UNIQUE CHECK (length(access) = 32),
            access_expires_at REAL NOT NULL,
            refresh BLOB NOT NULL UNIQUE CHECK (length(refresh) = 32),
            refresh_expires_at REAL NOT NULL
        ) STRICT;
        CREATE INDEX device_account ON device (account);
        CREATE INDEX device_expiry ON device (refresh_expires_at);
        CREATE TABLE used_refresh (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            device INTEGER NOT NULL REFERENCES device (key) ON DELETE CASCADE,
            expires_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX used_refresh_device ON used_refresh (device);
        CREATE INDEX used_refresh_expiry ON used_refresh (expires_at);
        """

    /// The IDs of removed trips and of their authors, who alone may use them again.
    private static let removedTrips = """
        CREATE TABLE removed_trip (
            id BLOB PRIMARY KEY CHECK (length(id) = 16),
            author BLOB NOT NULL CHECK (length(author) = 16)
        ) STRICT, WITHOUT ROWID;
        """

    /// Which reports count (`ReportStanding`), and what the owner decides: trips that are hidden, and accounts that are
    /// blocked. `report_count` is the number of reports that count, and `StoredReport.weightOfHiding` more for a hidden trip.
    /// Earlier accounts and reports have no times.
    private static let countingReports = """
        ALTER TABLE account ADD COLUMN since REAL;
        ALTER TABLE account ADD COLUMN blocked_at REAL;
        ALTER TABLE reported ADD COLUMN reported_at REAL;
        ALTER TABLE reported ADD COLUMN counts INTEGER NOT NULL DEFAULT 1 CHECK (counts IN (0, 1));
        DROP INDEX reported_user;
        CREATE INDEX reported_user_time ON reported (app_user, reported_at);
        CREATE TABLE hidden_trip (
            trip INTEGER PRIMARY KEY REFERENCES trip (key) ON DELETE CASCADE
        ) STRICT;
        DROP TRIGGER report_is_not_moved;
        CREATE TRIGGER report_is_not_moved BEFORE UPDATE OF trip, app_user ON reported BEGIN
            SELECT RAISE(ABORT, 'reports are added and removed');
        END;
        DROP TRIGGER report_is_counted;
        CREATE TRIGGER report_is_counted AFTER INSERT ON reported WHEN new.counts BEGIN
            UPDATE trip SET report_count = report_count + 1 WHERE key = new.trip;
        END;
        DROP TRIGGER report_is_uncounted;
        CREATE TRIGGER report_is_uncounted AFTER DELETE ON reported WHEN old.counts BEGIN
            UPDATE trip SET report_count = report_count - 1 WHERE key = old.trip;
        END;
        CREATE TRIGGER report_is_recounted AFTER UPDATE OF counts ON reported WHEN new.counts <> old.counts BEGIN
            UPDATE trip SET report_count = report_count + new.counts - old.counts WHERE key = new.trip;
        END;
        CREATE TRIGGER trip_is_hidden AFTER INSERT ON hidden_trip BEGIN
            UPDATE trip SET report_count = report_count + 1000000000 WHERE key = new.trip;
        END;
        CREATE TRIGGER trip_is_shown AFTER DELETE ON hidden_trip BEGIN
            UPDATE trip SET report_count = report_count - 1000000000 WHERE key = old.trip;
        END;
        """

    /// Two people cannot get nicknames that look alike, which `nickname_skeleton` finds; those who had them before keep them.
    private static let skeletons = """
        ALTER TABLE app_user ADD COLUMN nickname_skeleton TEXT NOT NULL DEFAULT '';
        CREATE INDEX app_user_skeleton ON app_user (nickname_skeleton);
        """

    /// The digests of unused invitations to create an account.
    private static let invitations = """
        CREATE TABLE invitation (
            digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
            made_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Who may see a trip, as ``Audience`` writes it. A server, with accounts, has shown everyone the trips that were there
    /// before, and so has the one whose answers a cache has; on a device that no server knows, its user alone saw their own.
    private static let audiences = """
        ALTER TABLE trip ADD COLUMN audience TEXT NOT NULL DEFAULT 'everyone' CHECK (
            audience IN ('me', 'everyone') OR (audience GLOB 'link:*' AND length(audience) = 27));
        UPDATE trip SET audience = 'me'
        WHERE author IN (SELECT app_user.key FROM app_user JOIN session ON app_user.id IN (session.user, session.device))
            AND NOT EXISTS (SELECT 1 FROM account) AND NOT EXISTS (SELECT 1 FROM last_answer);
        """

    /// Entries of a trip that have the same day and time stand in the order of their positions, from 0. Those from before stay
    /// in the order of their IDs. The table is made anew, so that a timeline is read in the order of its primary key.
    private static let positions = """
        DROP TRIGGER trip_keeps_its_entries;
        CREATE TABLE positioned_entry (
            trip INTEGER NOT NULL REFERENCES trip (key) ON DELETE CASCADE,
            day INTEGER NOT NULL CHECK (day >= 1),
            time INTEGER NOT NULL CHECK (time BETWEEN 0 AND 1439),
            position INTEGER NOT NULL CHECK (position >= 0),
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            title TEXT NOT NULL CHECK (length(title) >= 1),
            text TEXT NOT NULL CHECK (length(text) >= 1),
            place_name TEXT CHECK (length(place_name) >= 1),
            place_address TEXT,
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            image BLOB,
            PRIMARY KEY (trip, day, time, position),
            FOREIGN KEY (trip, image) REFERENCES image (trip, id),
            CHECK ((place_name IS NULL) = (place_address IS NULL)),
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK (latitude IS NULL OR place_name IS NOT NULL)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO positioned_entry
        SELECT trip, day, time, row_number() OVER (PARTITION BY trip, day, time ORDER BY id) - 1, id, title, text,
            place_name, place_address, latitude, longitude, image
        FROM entry ORDER BY trip, day, time, id;
        DROP TABLE entry;
        ALTER TABLE positioned_entry RENAME TO entry;
        CREATE INDEX entry_image ON entry (trip, day, time, position, image) WHERE image IS NOT NULL;
        \(entriesAreOnDays)
        """

    /// The pictures of entries, in the order of the timeline. `position_kind` tells who sees the coordinates
    /// (`PicturePosition`): 0 the author, 1 everyone; 2 without coordinates, which another store withholds.
    private static let pictures = """
        CREATE TABLE picture (
            trip INTEGER NOT NULL,
            day INTEGER NOT NULL,
            time INTEGER NOT NULL,
            entry_position INTEGER NOT NULL,
            position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 29),
            image BLOB NOT NULL,
            text TEXT CHECK (length(text) >= 1),
            taken_on INTEGER,
            taken_at INTEGER CHECK (taken_at BETWEEN 0 AND 1439),
            utc_offset INTEGER CHECK (utc_offset BETWEEN -840 AND 840),
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            position_kind INTEGER CHECK (position_kind BETWEEN 0 AND 2),
            PRIMARY KEY (trip, day, time, entry_position, position),
            FOREIGN KEY (trip, day, time, entry_position) REFERENCES entry (trip, day, time, position) ON DELETE CASCADE,
            FOREIGN KEY (trip, image) REFERENCES image (trip, id),
            CHECK ((taken_on IS NULL) = (taken_at IS NULL)),
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK ((latitude IS NULL) = (ifnull(position_kind, 2) = 2))
        ) STRICT, WITHOUT ROWID;
        INSERT INTO picture (trip, day, time, entry_position, position, image)
        SELECT trip, day, time, position, 0, image FROM entry WHERE image IS NOT NULL;
        """

    /// The pictures of an entry in its row (``PictureList``), whose first image is that of the column `image`.
    private static let pictureLists = """
        ALTER TABLE entry ADD COLUMN pictures BLOB CHECK (pictures IS NULL OR substr(pictures, 1, 16) IS image);
        """

    /// Writes the lists of pictures from the rows of `picture`, a bounded number of trips at a time. A value that breaks a rule
    /// is found when it is read.
    private static func addPictureLists(_ db: Connection) throws {
        typealias Entry = (trip: Int64, day: Int64, time: Int64, position: Int64)
        var last: Int64 = -1
        while true {
            let trips = try db.fetchAll(
                Int64.self, "SELECT DISTINCT trip FROM picture WHERE trip > \(last) ORDER BY trip LIMIT 500")
            guard let end = trips.last else { return }
            let rows: SQL = """
                SELECT trip, day, time, entry_position, image, text, taken_on, taken_at, utc_offset, latitude, longitude,
                    position_kind
                FROM picture WHERE trip > \(last) AND trip <= \(end)
                ORDER BY trip, day, time, entry_position, position
                """
            var lists: [(entry: Entry, items: [PictureList.Item])] = []
            try db.forEach(rows) { row in
                try row.read { columns in
                    let entry: Entry = (
                        try columns.next(), try columns.next(), try columns.next(), try columns.next()
                    )
                    var item = PictureList.Item(image: try columns.next(), text: try columns.next())
                    let (day, minutes): (Int?, Int?) = (try columns.next(), try columns.next())
                    if let day, let minutes { item.taken = (day, minutes) }
                    item.utcOffset = try columns.next()
                    let (latitude, longitude): (Double?, Double?) = (try columns.next(), try columns.next())
                    if let latitude, let longitude { item.coordinate = (latitude, longitude) }
                    item.positionKind = try columns.next()
                    if lists.last.map({ $0.entry == entry }) != true { lists.append((entry, [])) }
                    lists[lists.count - 1].items.append(item)
                }
            }
            let update: SQL = """
                UPDATE entry SET pictures = ? WHERE (trip, day, time, position) = (?, ?, ?, ?)
                """
            try db.execute(update, forEach: lists) { list, values in
                let entry = list.entry
                try values.bind(PictureList.bytes(of: list.items))
                try values.bind(entry.trip, entry.day, entry.time, entry.position)
            }
            last = end
        }
    }

    /// The standard words for what a cache has not fetched.
    private static let unfetchedRows = """
        ALTER TABLE unseen_user RENAME TO unfetched_user;
        ALTER TABLE unseen_image RENAME TO unfetched_image;
        ALTER TABLE unseen_timeline RENAME TO unfetched_timeline;
        DROP INDEX unseen_timeline_thumbnail;
        CREATE INDEX unfetched_timeline_thumbnail ON unfetched_timeline (thumbnail) WHERE thumbnail IS NOT NULL;
        """

    /// What searches compare of entries (``EntryRecord/selectTexts(of:)``). A migration that makes the table of entries anew
    /// makes this index anew.
    private static let entryTexts = """
        CREATE INDEX entry_texts ON entry (trip, day, time, position, id, title, place_name);
        """

    /// Adds the trips of the file to the sets of their entries (``TripSets``), a bounded number at a time.
    private static func addSetsOfEntries(_ db: Connection) throws {
        var last: Int64 = -1
        while true {
            let keys = try db.fetchAll(
                Int64.self, "SELECT DISTINCT trip FROM entry WHERE trip > \(last) ORDER BY trip LIMIT 4000")
            guard let end = keys.last else { return }
            try RowSets.apply(
                keys.map { key in
                    let texts = try db.fetchAll(EntryRecord.selectTexts(of: key)) { row in
                        try row.read { [try $0.next(), try $0.next()] as [String?] }
                    }
                    return RowSets.Change(row: key, joins: TripSets.of(entryTexts: texts.joined().compactMap(\.self)))
                }, db)
            last = end
        }
    }

    /// Adds the trips of the file to the sets of their audiences (``TripSets``), a bounded number at a time.
    private static func addSetsOfAudiences(_ db: Connection) throws {
        var last: Int64 = -1
        while true {
            let trips: SQL = "SELECT key, author, audience FROM trip WHERE key > \(last) ORDER BY key LIMIT 16000"
            let changes = try db.fetchAll(trips) { row in
                try row.read { columns in
                    let (key, author): (Int64, Int64) = (try columns.next(), try columns.next())
                    return RowSets.Change(row: key, joins: [TripSets.of(try columns.next(), by: author)])
                }
            }
            guard let end = changes.last?.row else { return }
            try RowSets.apply(changes, db)
            last = end
        }
    }

    /// An entry lies on a day of its trip. Of the first migration, and of each that makes the table of entries anew.
    private static let entriesAreOnDays = """
        CREATE TRIGGER trip_keeps_its_entries BEFORE UPDATE OF first_day, last_day ON trip
        WHEN EXISTS (SELECT 1 FROM entry WHERE trip = new.key AND day > new.last_day - new.first_day + 1) BEGIN
            SELECT RAISE(ABORT, 'an entry is on a day that would go');
        END;
        CREATE TRIGGER entry_is_within_trip BEFORE INSERT ON entry
        WHEN new.day > (SELECT last_day - first_day + 1 FROM trip WHERE key = new.trip) BEGIN
            SELECT RAISE(ABORT, 'the trip has no such day');
        END;
        CREATE TRIGGER entry_stays_within_trip BEFORE UPDATE OF trip, day ON entry
        WHEN new.day > (SELECT last_day - first_day + 1 FROM trip WHERE key = new.trip) BEGIN
            SELECT RAISE(ABORT, 'the trip has no such day');
        END;
        """

    /// What the columns cannot express: counts of likes and reports, and rules that concern several tables.
    private static let rules = """
        CREATE TRIGGER report_is_not_moved BEFORE UPDATE ON reported BEGIN
            SELECT RAISE(ABORT, 'reports are added and removed');
        END;
        CREATE TRIGGER like_is_not_moved BEFORE UPDATE ON liked BEGIN
            SELECT RAISE(ABORT, 'likes are added and removed');
        END;
        CREATE TRIGGER app_user_nickname_has_key_at_first BEFORE INSERT ON app_user WHEN new.nickname_key = '' BEGIN
            SELECT RAISE(ABORT, 'a nickname has a visible character');
        END;
        CREATE TRIGGER app_user_nickname_has_key BEFORE UPDATE OF nickname, nickname_key ON app_user
        WHEN new.nickname_key = '' BEGIN
            SELECT RAISE(ABORT, 'a nickname has a visible character');
        END;
        CREATE TRIGGER trip_keeps_time_of_recording BEFORE UPDATE OF created_at ON trip
        WHEN new.created_at IS NOT old.created_at AND EXISTS (SELECT 1 FROM liked WHERE trip = new.key) BEGIN
            SELECT RAISE(ABORT, 'the likes of a trip have its time of recording');
        END;
        CREATE TRIGGER like_is_counted AFTER INSERT ON liked BEGIN
            UPDATE trip SET like_count = like_count + 1 WHERE key = new.trip;
        END;
        CREATE TRIGGER like_is_uncounted AFTER DELETE ON liked BEGIN
            UPDATE trip SET like_count = like_count - 1 WHERE key = old.trip;
        END;
        CREATE TRIGGER report_is_counted AFTER INSERT ON reported BEGIN
            UPDATE trip SET report_count = report_count + 1 WHERE key = new.trip;
        END;
        CREATE TRIGGER report_is_uncounted AFTER DELETE ON reported BEGIN
            UPDATE trip SET report_count = report_count - 1 WHERE key = old.trip;
        END;
        CREATE TRIGGER like_has_time_of_trip BEFORE INSERT ON liked
        WHEN new.created_at <> (SELECT trip.created_at FROM trip WHERE key = new.trip) BEGIN
            SELECT RAISE(ABORT, 'a like has the time of recording of its trip');
        END;
        CREATE TRIGGER report_is_not_by_author BEFORE INSERT ON reported
        WHEN new.app_user = (SELECT author FROM trip WHERE key = new.trip) BEGIN
            SELECT RAISE(ABORT, 'authors cannot report their own trips');
        END;
        \(entriesAreOnDays)
        """
}

extension Connection {
    /// A kind of schema object that belongs to a table and can be dropped temporarily.
    enum Attachment: String {
        case trigger, index
    }

    /// Drops these triggers or indexes, calls `body`, and creates them again. If it throws, the enclosing transaction
    /// must be rolled back.
    ///
    /// - Parameter restoring: Called with the 1-based number of each object before it is created again.
    func without(
        _ kind: Attachment, _ names: [String], restoring: (Int) -> Void = { _ in }, _ body: () throws -> Void
    ) throws {
        let definitions = try fetchAll(
            String.self, "SELECT sql FROM sqlite_schema WHERE type = \(kind.rawValue) AND name IN \(names)")
        for name in names { try execute("DROP \(raw: kind.rawValue) \(identifier: name)") }
        try body()
        for (number, definition) in zip(1..., definitions) {
            restoring(number)
            try executeScript(definition)
        }
    }
}
