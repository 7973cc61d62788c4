/// The tables of travels, timelines, likes, reports and blocks.
///
/// Travels and people have a small integer `key` in addition to their `id`, which keeps references small. Titles
/// are stored once each, with the number of travels that have them.
///
/// Two columns serve searches only: `traits` has one bit for each value of each filter (`TraitLayout`), and
/// `title_bits`, like the full-text table `title_gram`, represents the characters of the title and their neighbours;
/// later migrations replace both. Both sort indexes cover these columns, so that a search skips travels that do not
/// match without reading their rows.
enum AddTravels {
    static let script = """
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
}
