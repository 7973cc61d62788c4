#if PostgreSQL
internal import PostgreSQLStore
internal import TravelDataShared
import TravelDomain

enum TravelSchema {
    /// All migrations, from an empty schema to the current one. A released migration never changes; add a new one.
    static let migrations = [
        first,
        Migration("accounts", script: accounts),
        Migration("removed trips", script: removedTrips),
        Migration("reports that count", script: countingReports),
        Migration("nickname skeletons", revision: skeletons) { db in
            try db.executeScript(skeletons)
            let people = try db.fetchAll("SELECT id, nickname FROM app_user") { row in
                (id: try row[0] as User.ID, nickname: try row[1] as String)
            }
            // A damaged nickname is found when it is read.
            let known = people.compactMap { id, text in (try? Nickname(stored: text)).map { (id: id, nickname: $0) } }
            try db.execute(
                """
                UPDATE app_user SET nickname_skeleton = known.skeleton
                FROM unnest(\(known.map(\.id))::uuid[], \(known.map { CharacterKey.skeleton($0.nickname) })::text[])
                    AS known (id, skeleton)
                WHERE app_user.id = known.id
                """)
        },
        Migration("invitations", script: invitations),
        Migration("positions of entries", script: positions),
        Migration("pictures of entries", script: pictures),
        Migration("entries in searches", revision: entryTerms) { db in
            try db.executeScript(entryTerms)
            try addTermsOfEntries(db)
            try db.executeScript("CREATE INDEX entry_terms ON entry USING gin (terms) WITH (fastupdate = off)")
        },
        Migration("audiences", script: audiences),
        Migration("sizes of images", script: sizes),
        Migration("pictures in rows of entries", revision: pictureLists) { db in
            try db.executeScript(pictureLists)
            try addPictureLists(db)
            try db.executeScript("DROP TABLE picture")
        },
    ]

    private static var first: Migration {
        let script = [users, trips, ranks, opinions, timelines].joined(separator: "\n")
        return Migration("0.1", revision: script) { db in
            try checkEncoding(db)
            try db.executeScript(script)
        }
    }

    /// Throws if the database cannot store every character. `SQL_ASCII` stores the bytes of any text.
    private static func checkEncoding(_ db: Connection) throws {
        let encoding = try db.fetchOne(String.self, "SELECT current_setting('server_encoding')") ?? ""
        guard encoding == "UTF8" || encoding == "SQL_ASCII" else { throw TravelError.unavailable(.otherEncoding) }
    }

    private static let users = """
        CREATE TABLE app_user (
            id uuid PRIMARY KEY,
            nickname text NOT NULL CHECK (length(nickname) >= 2),
            nickname_key text NOT NULL CHECK (nickname_key <> '')
        );
        CREATE INDEX app_user_nickname ON app_user (nickname_key);

        CREATE TABLE avatar (
            id uuid PRIMARY KEY,
            app_user uuid NOT NULL UNIQUE REFERENCES app_user (id),
            bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 10485760)
        );
        ALTER TABLE avatar ALTER bytes SET STORAGE EXTERNAL;
        """

    /// The content of a trip, which changes rarely and has large rows and a large index, is stored apart from what
    /// orders and filters trips, which changes with each like (`trip_rank`). `cover` is the first image. The index of
    /// terms (``TripTerms``) has no list of pending changes, which each search would have to read. Everything that
    /// belongs to a trip refers to it by `trip`, by which it could be distributed over several servers.
    private static let trips = """
        CREATE TABLE trip (
            id uuid PRIMARY KEY,
            author uuid NOT NULL REFERENCES app_user (id),
            created_at double precision NOT NULL,
            updated_at double precision,
            version bigint NOT NULL CHECK (version >= 1),
            title text NOT NULL CHECK (title <> ''),
            region smallint NOT NULL CHECK (region BETWEEN 0 AND 17),
            first_day integer NOT NULL CHECK (first_day BETWEEN -719162 AND 2932896),
            last_day integer NOT NULL CHECK (last_day BETWEEN first_day AND 2932896),
            themes integer NOT NULL CHECK (themes BETWEEN 0 AND 511),
            companions integer NOT NULL CHECK (companions BETWEEN 0 AND 15),
            headcount smallint CHECK (headcount BETWEEN 0 AND 4),
            budget smallint CHECK (budget BETWEEN 0 AND 3),
            transportation smallint CHECK (transportation BETWEEN 0 AND 1),
            thumbnail uuid,
            cover uuid,
            title_key text COLLATE "C" NOT NULL,
            terms integer[] NOT NULL
        );
        CREATE INDEX trip_author ON trip (author);
        CREATE INDEX trip_title ON trip (title_key, title COLLATE "C");
        CREATE INDEX trip_terms ON trip USING gin (terms) WITH (fastupdate = off);
        """

    /// What a search reads of a trip. Each index includes the columns that a search filters by, so that a page is
    /// answered from one index. `cell` is the number of all filtered values together (``TraitCell``).
    private static let ranks = """
        CREATE TABLE trip_rank (
            trip uuid NOT NULL REFERENCES trip (id) ON DELETE CASCADE,
            author uuid NOT NULL,
            created_at double precision NOT NULL,
            like_count integer NOT NULL DEFAULT 0 CHECK (like_count >= 0),
            report_count integer NOT NULL DEFAULT 0 CHECK (report_count >= 0),
            traits bigint NOT NULL,
            cell integer NOT NULL,
            signature bigint NOT NULL,
            first_day integer NOT NULL,
            PRIMARY KEY (trip)
                INCLUDE (created_at, like_count, first_day, traits, signature, author, report_count)
        );
        CREATE INDEX rank_newest
            ON trip_rank (created_at, trip) INCLUDE (traits, signature, author, report_count);
        CREATE INDEX rank_most_liked
            ON trip_rank (like_count, created_at, trip) INCLUDE (traits, signature, author, report_count);
        CREATE INDEX rank_by_date
            ON trip_rank (first_day, created_at, trip) INCLUDE (traits, signature, author, report_count);
        CREATE INDEX rank_author ON trip_rank (author, created_at, trip)
            INCLUDE (like_count, first_day, traits, signature, report_count);
        CREATE INDEX rank_cell ON trip_rank (cell)
            INCLUDE (created_at, trip, like_count, first_day, traits, signature, author, report_count);
        """

    /// `liked` has the time at which its trip was recorded, so that the likes of a user are read in that order.
    private static let opinions = """
        CREATE TABLE liked (
            trip uuid NOT NULL REFERENCES trip (id) ON DELETE CASCADE,
            app_user uuid NOT NULL REFERENCES app_user (id),
            created_at double precision NOT NULL,
            PRIMARY KEY (trip, app_user)
        );
        CREATE INDEX liked_user ON liked (app_user, created_at, trip);

        CREATE TABLE reported (
            trip uuid NOT NULL REFERENCES trip (id) ON DELETE CASCADE,
            app_user uuid NOT NULL REFERENCES app_user (id),
            PRIMARY KEY (trip, app_user)
        );
        CREATE INDEX reported_user ON reported (app_user, trip);

        CREATE TABLE blocked (
            app_user uuid NOT NULL REFERENCES app_user (id),
            author uuid NOT NULL REFERENCES app_user (id) CHECK (author <> app_user),
            PRIMARY KEY (app_user, author)
        );
        CREATE INDEX blocked_author ON blocked (author);
        """

    /// A place may have no coordinates. The paths of recorded tracks (`TrackGeometry.bytes`) are apart from the trips,
    /// whose rows are read for lists.
    private static let timelines = """
        CREATE TABLE image (
            id uuid PRIMARY KEY,
            trip uuid NOT NULL REFERENCES trip (id) ON DELETE CASCADE,
            bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 10485760)
        );
        ALTER TABLE image ALTER bytes SET STORAGE EXTERNAL;
        CREATE INDEX image_trip ON image (trip);

        CREATE TABLE entry (
            id uuid PRIMARY KEY,
            trip uuid NOT NULL REFERENCES trip (id) ON DELETE CASCADE,
            day integer NOT NULL CHECK (day >= 1),
            minutes smallint NOT NULL CHECK (minutes BETWEEN 0 AND 1439),
            title text NOT NULL CHECK (title <> ''),
            text text NOT NULL CHECK (text <> ''),
            place_name text CHECK (place_name <> ''),
            place_address text,
            latitude double precision CHECK (latitude BETWEEN -90 AND 90),
            longitude double precision CHECK (longitude BETWEEN -180 AND 180),
            image uuid,
            CHECK (num_nulls(place_name, place_address) IN (0, 2)),
            CHECK (num_nulls(latitude, longitude) IN (0, 2)),
            CHECK (latitude IS NULL OR place_name IS NOT NULL)
        );
        CREATE INDEX entry_trip ON entry (trip, day, minutes, id);

        CREATE TABLE track (
            trip uuid PRIMARY KEY REFERENCES trip (id) ON DELETE CASCADE,
            way bytea NOT NULL CHECK (length(way) >= 6)
        );
        """

    /// The people who can sign in, and their devices. `used_refresh` has the refresh tokens that were exchanged, until
    /// they expire. All tokens are digests.
    private static let accounts = """
        CREATE TABLE account (
            app_user uuid PRIMARY KEY REFERENCES app_user (id) ON DELETE CASCADE,
            password text NOT NULL CHECK (length(password) BETWEEN 1 AND 255)
        );

        CREATE TABLE device (
            id uuid PRIMARY KEY,
            account uuid NOT NULL REFERENCES account (app_user) ON DELETE CASCADE,
            access bytea NOT NULL UNIQUE CHECK (length(access) = 32),
            access_expires_at double precision NOT NULL,
            refresh bytea NOT NULL UNIQUE CHECK (length(refresh) = 32),
            refresh_expires_at double precision NOT NULL
        );
        CREATE INDEX device_account ON device (account);
        CREATE INDEX device_expiry ON device (refresh_expires_at);

        CREATE TABLE used_refresh (
            digest bytea PRIMARY KEY CHECK (length(digest) = 32),
            device uuid NOT NULL REFERENCES device (id) ON DELETE CASCADE,
            expires_at double precision NOT NULL
        );
        CREATE INDEX used_refresh_device ON used_refresh (device);
        CREATE INDEX used_refresh_expiry ON used_refresh (expires_at);
        """

    /// Which reports count (`ReportStanding`), and what the owner decides: trips that are hidden, and accounts that are
    /// blocked. `report_count` is the number of reports that count, and `StoredReport.weightOfHiding` more for a hidden trip.
    /// Earlier accounts and reports have no times.
    private static let countingReports = """
        ALTER TABLE account ADD COLUMN since double precision, ADD COLUMN blocked_at double precision;
        ALTER TABLE reported ADD COLUMN reported_at double precision, ADD COLUMN counts boolean NOT NULL DEFAULT true;
        CREATE INDEX reported_user_time ON reported (app_user, reported_at);
        CREATE TABLE hidden_trip (
            trip uuid PRIMARY KEY REFERENCES trip (id) ON DELETE CASCADE
        );
        """

    /// Two people cannot get nicknames that look alike, which `nickname_skeleton` finds; those who had them before keep them.
    private static let skeletons = """
        ALTER TABLE app_user ADD COLUMN nickname_skeleton text COLLATE "C" NOT NULL DEFAULT '';
        CREATE INDEX app_user_skeleton ON app_user (nickname_skeleton);
        """

    /// The digests of unused invitations to create an account.
    private static let invitations = """
        CREATE TABLE invitation (
            digest bytea PRIMARY KEY CHECK (length(digest) = 32),
            made_at double precision NOT NULL
        );
        """

    /// Entries of a trip that have the same day and time stand in the order of their positions, from 0. Those from before stay
    /// in the order of their IDs.
    private static let positions = """
        ALTER TABLE entry ADD COLUMN position smallint NOT NULL DEFAULT 0 CHECK (position >= 0);
        UPDATE entry SET position = ranked.position
        FROM (
            SELECT id, row_number() OVER (PARTITION BY trip, day, minutes ORDER BY id) - 1 AS position FROM entry
        ) AS ranked
        WHERE entry.id = ranked.id AND ranked.position > 0;
        DROP INDEX entry_trip;
        CREATE INDEX entry_trip ON entry (trip, day, minutes, position);
        """

    /// The pictures of entries, each with the trip of its entry. `position_kind` tells who sees the coordinates
    /// (`PicturePosition`): 0 the author, 1 everyone; 2 without coordinates, which another store withholds.
    private static let pictures = """
        CREATE TABLE picture (
            entry uuid NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
            position smallint NOT NULL CHECK (position BETWEEN 0 AND 29),
            trip uuid NOT NULL,
            image uuid NOT NULL,
            text text CHECK (text <> ''),
            taken_on integer,
            taken_at smallint CHECK (taken_at BETWEEN 0 AND 1439),
            utc_offset smallint CHECK (utc_offset BETWEEN -840 AND 840),
            latitude double precision CHECK (latitude BETWEEN -90 AND 90),
            longitude double precision CHECK (longitude BETWEEN -180 AND 180),
            position_kind smallint CHECK (position_kind BETWEEN 0 AND 2),
            PRIMARY KEY (entry, position),
            CHECK (num_nulls(taken_on, taken_at) IN (0, 2)),
            CHECK (num_nulls(latitude, longitude) IN (0, 2)),
            CHECK ((latitude IS NULL) = (coalesce(position_kind, 2) = 2))
        );
        CREATE INDEX picture_trip ON picture (trip);
        INSERT INTO picture (entry, position, trip, image) SELECT id, 0, trip, image FROM entry WHERE image IS NOT NULL;
        """

    /// The terms (``TripTerms``) of the title and the place of each entry, whose index is made when all have them.
    private static let entryTerms = "ALTER TABLE entry ADD COLUMN terms integer[] NOT NULL DEFAULT '{}'"

    private static func addTermsOfEntries(_ db: Connection) throws {
        var last: TimelineEntry.ID?
        while true {
            let isNext: SQL = last.map { "id > \($0)" } ?? "true"
            let entries = try db.fetchAll(
                "SELECT id, title, place_name FROM entry WHERE \(isNext) ORDER BY id LIMIT 1000"
            ) { row in
                try row.read { columns in
                    let id: TimelineEntry.ID = try columns.next()
                    return (id: id, terms: TripTerms.of(entryTitle: try columns.next(), placeName: try columns.next()))
                }
            }
            guard let end = entries.last?.id else { return }
            try db.execute("UPDATE entry SET terms = $2 WHERE id = $1", forEach: entries) { entry, values in
                try values.bind(entry.id, entry.terms)
            }
            last = end
        }
    }

    /// The pictures of an entry in its row (``PictureList``), whose first image is that of the column `image`.
    private static let pictureLists = """
        ALTER TABLE entry ADD COLUMN pictures bytea CHECK (
            pictures IS NULL OR substring(pictures FROM 1 FOR 16) IS NOT DISTINCT FROM uuid_send(image))
        """

    /// Writes the lists of pictures from the rows of `picture`, a bounded number of entries at a time. A value that breaks a
    /// rule is found when it is read.
    private static func addPictureLists(_ db: Connection) throws {
        var last: TimelineEntry.ID?
        while true {
            let isNext: SQL = last.map { "entry > \($0)" } ?? "true"
            let rows: SQL = """
                SELECT entry, image, text, taken_on, taken_at, utc_offset, latitude, longitude, position_kind FROM picture
                WHERE entry IN (SELECT DISTINCT entry FROM picture WHERE \(isNext) ORDER BY entry LIMIT 500)
                ORDER BY entry, position
                """
            var lists: [(entry: TimelineEntry.ID, items: [PictureList.Item])] = []
            try db.forEach(rows) { row in
                try row.read { columns in
                    let entry: TimelineEntry.ID = try columns.next()
                    var item = PictureList.Item(image: try columns.next(), text: try columns.next())
                    let (day, minutes): (Int?, Int?) = (try columns.next(), try columns.next())
                    if let day, let minutes { item.taken = (day, minutes) }
                    item.utcOffset = try columns.next()
                    let (latitude, longitude): (Double?, Double?) = (try columns.next(), try columns.next())
                    if let latitude, let longitude { item.coordinate = (latitude, longitude) }
                    item.positionKind = try columns.next()
                    if lists.last?.entry != entry { lists.append((entry, [])) }
                    lists[lists.count - 1].items.append(item)
                }
            }
            guard let end = lists.last?.entry else { return }
            try db.execute("UPDATE entry SET pictures = $2 WHERE id = $1", forEach: lists) { list, values in
                try values.bind(list.entry, PictureList.bytes(of: list.items))
            }
            last = end
        }
    }

    /// Who may see a trip, as ``Audience`` writes it. Everyone sees the trips that were there before. Of others, `report_count`
    /// of `trip_rank` has `StoredReport.weightOfAudience` more, so that searches leave them out.
    private static let audiences = """
        ALTER TABLE trip ADD COLUMN audience text COLLATE "C" NOT NULL DEFAULT 'everyone' CHECK (
            audience IN ('me', 'everyone') OR (audience LIKE 'link:%' AND length(audience) = 27));
        """

    /// Smaller pictures of images (`PictureSize`), which can be made again.
    private static let sizes = """
        ALTER TABLE image ADD COLUMN small bytea, ADD COLUMN middle bytea;
        ALTER TABLE image ALTER small SET STORAGE EXTERNAL, ALTER middle SET STORAGE EXTERNAL;
        ALTER TABLE avatar ADD COLUMN small bytea, ADD COLUMN middle bytea;
        ALTER TABLE avatar ALTER small SET STORAGE EXTERNAL, ALTER middle SET STORAGE EXTERNAL;
        """

    /// The IDs of removed trips and of their authors, who alone may use them again.
    private static let removedTrips = """
        CREATE TABLE removed_trip (
            id uuid PRIMARY KEY,
            author uuid NOT NULL
        );
        """
}
#endif
