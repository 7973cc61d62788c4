internal import SQLiteStore

/// The migrations of a travel database.
enum TravelSchema {
    /// The `PRAGMA application_id` that identifies a SQLite file as a travel database: "TRVL" in ASCII.
    static let applicationID: Int32 = 0x5452_564C

    /// All migrations, from an empty file to the current schema.
    static let migrations = [
        Migration("travels, timelines, likes, reports", script: first),
        Migration(
            "recent keywords",
            script: """
                CREATE TABLE recent_keyword (
                    position INTEGER PRIMARY KEY CHECK (position BETWEEN 0 AND 14),
                    text TEXT NOT NULL CHECK (length(text) >= 1)
                ) STRICT;
                """),
        Migration(
            "session",
            script: """
                CREATE TABLE session (
                    key INTEGER PRIMARY KEY CHECK (key = 1),
                    device BLOB CHECK (length(device) = 16),
                    user BLOB CHECK (length(user) = 16)
                ) STRICT;
                INSERT INTO session (key) VALUES (1);
                """),
        Migration("bitmaps", script: bitmaps),
        Migration("images", script: images),
        Migration("levels of likes", script: levels),
        Migration("rules", script: rules),
        Migration(
            "expiry of the session",
            script: "ALTER TABLE session ADD COLUMN expires_at REAL CHECK (expires_at IS NULL OR user IS NOT NULL)"),
        Migration("versions of travels", script: versions),
        Migration("searches by person", script: people),
        Migration("no reports by authors", script: ownReports),
        Migration("nicknames of any characters", script: nicknames),
        Migration("comparison of texts", revision: "1", ComparisonMigration.run),
        Migration("cache of another store", script: cache),
        Migration("sets of rows", revision: "1", RowSetMigration.run),
        Migration("pictures of people", script: avatars),
    ]

    /// Adds the version of a travel, and the time of its last change: `NULL` if there was none.
    private static let versions = """
        ALTER TABLE travel ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1);
        ALTER TABLE travel ADD COLUMN updated_at REAL;
        """

    /// Indexes the travels of an author in both orders, and the travels that a person likes by time of recording. These
    /// searches need no other column of `travel` than the indexes contain, as in the indexes of all travels.
    private static let people = """
        DROP INDEX travel_author;
        CREATE INDEX travel_author_newest
            ON travel (author, created_at, id, traits, title_bits, title, report_count);
        CREATE INDEX travel_author_most_liked
            ON travel (author, like_count, created_at, id, traits, title_bits, title, report_count);

        DROP TRIGGER like_is_not_moved;
        DROP INDEX liked_person;
        ALTER TABLE liked ADD COLUMN created_at REAL NOT NULL DEFAULT 0;
        UPDATE liked SET created_at = (SELECT travel.created_at FROM travel WHERE key = liked.travel);
        CREATE INDEX liked_newest ON liked (person, created_at);
        CREATE TRIGGER like_is_not_moved BEFORE UPDATE ON liked BEGIN
            SELECT RAISE(ABORT, 'likes are added and removed');
        END;
        CREATE TRIGGER like_has_time_of_travel BEFORE INSERT ON liked
        WHEN new.created_at <> (SELECT travel.created_at FROM travel WHERE key = new.travel) BEGIN
            SELECT RAISE(ABORT, 'a like has the time of recording of its travel');
        END;
        CREATE TRIGGER travel_keeps_time_of_recording BEFORE UPDATE OF created_at ON travel
        WHEN new.created_at IS NOT old.created_at AND EXISTS (SELECT 1 FROM liked WHERE travel = new.key) BEGIN
            SELECT RAISE(ABORT, 'the likes of a travel have its time of recording');
        END;
        """

    /// Accepts every nickname of the domain. The earlier rule counted the characters of its folded form, which differ in
    /// number from those of the nickname when they consist of several scalars that are joined invisibly.
    private static let nicknames = """
        DROP TRIGGER person_nickname_has_length_at_first;
        DROP TRIGGER person_nickname_has_length;
        CREATE TRIGGER person_nickname_has_key_at_first BEFORE INSERT ON person WHEN new.nickname_key = '' BEGIN
            SELECT RAISE(ABORT, 'a nickname has a visible character');
        END;
        CREATE TRIGGER person_nickname_has_key BEFORE UPDATE OF nickname, nickname_key ON person
        WHEN new.nickname_key = '' BEGIN
            SELECT RAISE(ABORT, 'a nickname has a visible character');
        END;
        """

    /// Adds the pictures of people. Like the images of travels, they are files (`ImageFolder`); a picture that another
    /// store has, and this one does not know, has no file.
    private static let avatars = """
        CREATE TABLE avatar (
            person INTEGER PRIMARY KEY REFERENCES person (key) ON DELETE CASCADE,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            file BLOB UNIQUE CHECK (length(file) = 16),
            size INTEGER CHECK (size BETWEEN 1 AND 10485760),
            CHECK ((file IS NULL) = (size IS NULL))
        ) STRICT;
        """

    /// Removes reports by authors, and rejects them.
    private static let ownReports = """
        DELETE FROM reported WHERE person = (SELECT author FROM travel WHERE key = reported.travel);
        CREATE TRIGGER report_is_not_by_author BEFORE INSERT ON reported
        WHEN new.person = (SELECT author FROM travel WHERE key = new.travel) BEGIN
            SELECT RAISE(ABORT, 'authors cannot report their own travels');
        END;
        """

    /// The tables of travels, timelines, likes, reports and blocks.
    ///
    /// Travels and people have a small integer `key` in addition to their `id`, which keeps references small. Titles
    /// are stored once each, with the number of travels that have them.
    ///
    /// Two columns serve searches only: `traits` has one bit for each value of each filter (`TraitLayout`), and
    /// `title_bits`, like the full-text table `title_gram`, represents the characters of the title and their
    /// neighbours (`TitleGrams`). Both sort indexes cover these columns, so that a search skips travels that do not
    /// match without reading their rows.
    private static let first = """
        PRAGMA application_id = 0x5452564C;

        CREATE TABLE person (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            nickname TEXT NOT NULL CHECK (length(nickname) >= 2),
            nickname_key TEXT NOT NULL
        ) STRICT;
        CREATE INDEX person_nickname ON person (nickname_key);

        CREATE TABLE title (
            key INTEGER PRIMARY KEY,
            text TEXT NOT NULL UNIQUE CHECK (length(text) >= 1),
            travels INTEGER NOT NULL DEFAULT 0 CHECK (travels >= 0)
        ) STRICT;
        CREATE INDEX title_unused ON title (key) WHERE travels = 0;
        CREATE VIRTUAL TABLE title_gram USING fts5 (
            grams, content = '', columnsize = 0, detail = 'none', tokenize = 'ascii'
        );

        CREATE TABLE travel (
            key INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            author INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
            created_at REAL NOT NULL,
            title INTEGER NOT NULL REFERENCES title (key),
            region INTEGER NOT NULL CHECK (region BETWEEN 0 AND 16),
            first_day INTEGER NOT NULL CHECK (first_day BETWEEN -719162 AND 2932896),
            last_day INTEGER NOT NULL CHECK (last_day BETWEEN first_day AND 2932896),
            themes INTEGER NOT NULL CHECK (themes BETWEEN 0 AND 511),
            companions INTEGER NOT NULL CHECK (companions BETWEEN 0 AND 15),
            headcount INTEGER CHECK (headcount BETWEEN 0 AND 4),
            budget INTEGER CHECK (budget BETWEEN 0 AND 3),
            transportation INTEGER CHECK (transportation BETWEEN 0 AND 1),
            like_count INTEGER NOT NULL DEFAULT 0 CHECK (like_count >= 0),
            report_count INTEGER NOT NULL DEFAULT 0 CHECK (report_count >= 0),
            title_bits INTEGER NOT NULL,
            traits INTEGER NOT NULL CHECK (traits = (
                (1 << region)
                | (1 << (17 + CASE CAST(strftime('%m', first_day * 86400, 'unixepoch') AS INTEGER)
                    WHEN 3 THEN 0 WHEN 4 THEN 0 WHEN 5 THEN 0
                    WHEN 6 THEN 1 WHEN 7 THEN 1 WHEN 8 THEN 1 WHEN 9 THEN 1
                    WHEN 10 THEN 2 WHEN 11 THEN 2 ELSE 3 END))
                | (1 << (21 + CASE WHEN last_day - first_day < 3 THEN last_day - first_day
                    WHEN last_day - first_day < 6 THEN 3 WHEN last_day - first_day < 29 THEN 4 ELSE 5 END))
                | ifnull(1 << (27 + headcount), 0) | ifnull(1 << (32 + budget), 0)
                | ifnull(1 << (36 + transportation), 0) | (themes << 38) | (companions << 47)
            )),
            kind INTEGER NOT NULL CHECK (kind = traits & 274877906943)
        ) STRICT;
        CREATE INDEX travel_newest ON travel (created_at DESC, id DESC, traits, title_bits, title, author, report_count);
        CREATE INDEX travel_most_liked ON travel (like_count DESC, id DESC, traits, title_bits, title, author, report_count);
        CREATE INDEX travel_kind ON travel (kind);
        CREATE INDEX travel_title ON travel (title);
        CREATE INDEX travel_author ON travel (author);

        CREATE TABLE travel_kind_count (
            kind INTEGER PRIMARY KEY,
            travels INTEGER NOT NULL CHECK (travels >= 0)
        ) STRICT;
        CREATE TRIGGER travel_is_counted AFTER INSERT ON travel BEGIN
            UPDATE title SET travels = travels + 1 WHERE key = new.title;
            INSERT INTO travel_kind_count VALUES (new.kind, 1) ON CONFLICT (kind) DO UPDATE SET travels = travels + 1;
        END;
        CREATE TRIGGER travel_is_uncounted AFTER DELETE ON travel BEGIN
            UPDATE title SET travels = travels - 1 WHERE key = old.title;
            UPDATE travel_kind_count SET travels = travels - 1 WHERE kind = old.kind;
        END;
        CREATE TRIGGER travel_is_counted_anew AFTER UPDATE OF title, kind ON travel BEGIN
            UPDATE title SET travels = travels - 1 WHERE key = old.title;
            UPDATE title SET travels = travels + 1 WHERE key = new.title;
            UPDATE travel_kind_count SET travels = travels - 1 WHERE kind = old.kind;
            INSERT INTO travel_kind_count VALUES (new.kind, 1) ON CONFLICT (kind) DO UPDATE SET travels = travels + 1;
        END;

        CREATE TABLE liked (
            travel INTEGER NOT NULL REFERENCES travel (key) ON DELETE CASCADE,
            person INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
            PRIMARY KEY (travel, person)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX liked_person ON liked (person);
        CREATE TRIGGER like_is_counted AFTER INSERT ON liked BEGIN
            UPDATE travel SET like_count = like_count + 1 WHERE key = new.travel;
        END;
        CREATE TRIGGER like_is_uncounted AFTER DELETE ON liked BEGIN
            UPDATE travel SET like_count = like_count - 1 WHERE key = old.travel;
        END;

        CREATE TABLE reported (
            travel INTEGER NOT NULL REFERENCES travel (key) ON DELETE CASCADE,
            person INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
            PRIMARY KEY (travel, person)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX reported_person ON reported (person);
        CREATE TRIGGER report_is_counted AFTER INSERT ON reported BEGIN
            UPDATE travel SET report_count = report_count + 1 WHERE key = new.travel;
        END;
        CREATE TRIGGER report_is_uncounted AFTER DELETE ON reported BEGIN
            UPDATE travel SET report_count = report_count - 1 WHERE key = old.travel;
        END;

        CREATE TABLE blocked (
            person INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
            author INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE CHECK (author <> person),
            PRIMARY KEY (person, author)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX blocked_author ON blocked (author);

        CREATE TABLE entry (
            travel INTEGER NOT NULL REFERENCES travel (key) ON DELETE CASCADE,
            day INTEGER NOT NULL CHECK (day >= 1),
            time INTEGER NOT NULL CHECK (time BETWEEN 0 AND 1439),
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            title TEXT NOT NULL CHECK (length(title) >= 1),
            text TEXT NOT NULL CHECK (length(text) >= 1),
            place_name TEXT CHECK (length(place_name) >= 1),
            place_address TEXT,
            latitude REAL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL CHECK (longitude BETWEEN -180 AND 180),
            PRIMARY KEY (travel, day, time, id),
            CHECK ((place_name IS NULL) + (place_address IS NULL) + (latitude IS NULL) + (longitude IS NULL) IN (0, 4))
        ) STRICT, WITHOUT ROWID;
        """

    /// Replaces the column `kind`, which grouped similar travels, with bitmaps (`TravelBitmaps`).
    ///
    /// The sort indexes are now ascending, although searches read them in descending order: new rows are appended at
    /// the end, which is fastest in SQLite. The next transaction that adds or changes a travel maps the existing
    /// travels.
    private static let bitmaps = """
        DROP TRIGGER travel_is_counted;
        DROP TRIGGER travel_is_uncounted;
        DROP TRIGGER travel_is_counted_anew;
        DROP INDEX travel_newest;
        DROP INDEX travel_most_liked;
        DROP INDEX travel_kind;
        DROP TABLE travel_kind_count;
        ALTER TABLE travel DROP COLUMN kind;
        CREATE INDEX travel_newest ON travel (created_at, id, traits, title_bits, title, author, report_count);
        CREATE INDEX travel_most_liked ON travel (like_count, id, traits, title_bits, title, author, report_count);

        CREATE TABLE travel_bitmap (
            key INTEGER PRIMARY KEY,
            travels BLOB NOT NULL CHECK (length(travels) <= 4096)
        ) STRICT;
        CREATE TABLE travel_block (
            number INTEGER PRIMARY KEY,
            oldest REAL NOT NULL,
            newest REAL NOT NULL
        ) STRICT;
        CREATE TABLE travel_unmapped (
            key INTEGER PRIMARY KEY,
            traits INTEGER NOT NULL,
            title_bits INTEGER NOT NULL
        ) STRICT;
        CREATE TRIGGER travel_is_counted AFTER INSERT ON travel BEGIN
            UPDATE title SET travels = travels + 1 WHERE key = new.title;
            INSERT OR REPLACE INTO travel_unmapped VALUES (new.key, new.traits, new.title_bits);
        END;
        CREATE TRIGGER travel_is_uncounted AFTER DELETE ON travel BEGIN
            UPDATE title SET travels = travels - 1 WHERE key = old.title;
            DELETE FROM travel_unmapped WHERE key = old.key;
        END;
        CREATE TRIGGER travel_is_counted_anew AFTER UPDATE OF title ON travel WHEN old.title <> new.title BEGIN
            UPDATE title SET travels = travels - 1 WHERE key = old.title;
            UPDATE title SET travels = travels + 1 WHERE key = new.title;
        END;
        CREATE TRIGGER travel_is_mapped_anew AFTER UPDATE OF traits, title_bits, like_count ON travel
        WHEN old.traits <> new.traits OR old.title_bits <> new.title_bits
            OR (old.like_count >= 1) + (old.like_count >= 4) + (old.like_count >= 16) + (old.like_count >= 64)
                + (old.like_count >= 256) + (old.like_count >= 1024) + (old.like_count >= 4096)
            <> (new.like_count >= 1) + (new.like_count >= 4) + (new.like_count >= 16) + (new.like_count >= 64)
                + (new.like_count >= 256) + (new.like_count >= 1024) + (new.like_count >= 4096) BEGIN
            INSERT OR REPLACE INTO travel_unmapped VALUES (new.key, new.traits, new.title_bits);
        END;

        INSERT INTO travel_unmapped SELECT key, traits, title_bits FROM travel;
        """

    /// Enlarges the bitmaps to the size of a page, stores the blocks of a bitmap consecutively, and adds the level of
    /// likes of each travel (`LikeLevel`). Among travels with equal likes, the newest now come first.
    ///
    /// The next transaction that adds or changes a travel maps the existing travels again.
    private static let levels = """
        DROP INDEX travel_most_liked;
        CREATE INDEX travel_most_liked
            ON travel (like_count, created_at, id, traits, title_bits, title, author, report_count);

        DELETE FROM travel_bitmap;
        DELETE FROM travel_block;
        CREATE TABLE travel_level (
            key INTEGER PRIMARY KEY,
            levels BLOB NOT NULL CHECK (length(levels) <= 4032)
        ) STRICT;
        DROP TRIGGER travel_is_mapped_anew;
        CREATE TABLE travel_reliked (
            key INTEGER PRIMARY KEY,
            traits INTEGER NOT NULL,
            title_bits INTEGER NOT NULL
        ) STRICT;
        CREATE TRIGGER travel_is_mapped_anew AFTER UPDATE OF traits, title ON travel
        WHEN old.traits <> new.traits OR old.title <> new.title BEGIN
            INSERT OR REPLACE INTO travel_unmapped VALUES (new.key, new.traits, new.title_bits);
        END;
        CREATE TRIGGER travel_is_reliked AFTER UPDATE OF like_count ON travel WHEN old.like_count <> new.like_count BEGIN
            INSERT OR REPLACE INTO travel_reliked VALUES (new.key, new.traits, new.title_bits);
        END;
        DROP TRIGGER travel_is_uncounted;
        CREATE TRIGGER travel_is_uncounted AFTER DELETE ON travel BEGIN
            UPDATE title SET travels = travels - 1 WHERE key = old.title;
            DELETE FROM travel_unmapped WHERE key = old.key;
            DELETE FROM travel_reliked WHERE key = old.key;
        END;
        INSERT OR REPLACE INTO travel_unmapped SELECT key, traits, title_bits FROM travel;
        """

    /// Enforces rules of the domain that concern several rows or the characters of a text; `nickname_key` has one
    /// scalar per character. SQLite cannot count characters, so that the maximum lengths of titles and texts are not
    /// enforced.
    private static let rules = """
        CREATE TRIGGER person_nickname_has_length_at_first BEFORE INSERT ON person
        WHEN length(new.nickname_key) NOT BETWEEN 2 AND 10 BEGIN
            SELECT RAISE(ABORT, 'a nickname has 2 to 10 characters');
        END;
        CREATE TRIGGER person_nickname_has_length BEFORE UPDATE OF nickname, nickname_key ON person
        WHEN length(new.nickname_key) NOT BETWEEN 2 AND 10 BEGIN
            SELECT RAISE(ABORT, 'a nickname has 2 to 10 characters');
        END;
        CREATE TRIGGER entry_is_within_travel BEFORE INSERT ON entry
        WHEN new.day > (SELECT last_day - first_day + 1 FROM travel WHERE key = new.travel) BEGIN
            SELECT RAISE(ABORT, 'the travel has no such day');
        END;
        CREATE TRIGGER entry_stays_within_travel BEFORE UPDATE OF travel, day ON entry
        WHEN new.day > (SELECT last_day - first_day + 1 FROM travel WHERE key = new.travel) BEGIN
            SELECT RAISE(ABORT, 'the travel has no such day');
        END;
        CREATE TRIGGER travel_keeps_its_entries BEFORE UPDATE OF first_day, last_day ON travel
        WHEN EXISTS (SELECT 1 FROM entry WHERE travel = new.key AND day > new.last_day - new.first_day + 1) BEGIN
            SELECT RAISE(ABORT, 'an entry is on a day that would go');
        END;
        CREATE TRIGGER like_is_not_moved BEFORE UPDATE ON liked BEGIN
            SELECT RAISE(ABORT, 'likes are added and removed');
        END;
        CREATE TRIGGER report_is_not_moved BEFORE UPDATE ON reported BEGIN
            SELECT RAISE(ABORT, 'reports are added and removed');
        END;
        """

    /// Adds images. An image is a file beside the database (`ImageFolder`), identified by its row, and belongs to one
    /// travel: an entry can show only images of its own travel, and at most one image of a travel is chosen as its
    /// thumbnail.
    private static let images = """
        CREATE TABLE image (
            travel INTEGER NOT NULL REFERENCES travel (key) ON DELETE CASCADE,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            file BLOB NOT NULL UNIQUE CHECK (length(file) = 16),
            size INTEGER NOT NULL CHECK (size BETWEEN 1 AND 10485760),
            is_thumbnail INTEGER NOT NULL DEFAULT 0 CHECK (is_thumbnail IN (0, 1)),
            PRIMARY KEY (travel, id)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX image_thumbnail ON image (travel) WHERE is_thumbnail;

        CREATE TABLE entry_with_image (
            travel INTEGER NOT NULL REFERENCES travel (key) ON DELETE CASCADE,
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
            PRIMARY KEY (travel, day, time, id),
            FOREIGN KEY (travel, image) REFERENCES image (travel, id),
            CHECK ((place_name IS NULL) + (place_address IS NULL) + (latitude IS NULL) + (longitude IS NULL) IN (0, 4))
        ) STRICT, WITHOUT ROWID;
        INSERT INTO entry_with_image SELECT *, NULL FROM entry;
        DROP TABLE entry;
        ALTER TABLE entry_with_image RENAME TO entry;
        CREATE INDEX entry_image ON entry (travel, day, time, id, image) WHERE image IS NOT NULL;
        """
}
