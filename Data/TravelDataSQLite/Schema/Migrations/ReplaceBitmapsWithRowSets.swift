internal import SQLiteStore
import TravelDomain

/// Replaces bitmaps, levels of likes and grams with sets of rows (``RowSets``), and stores the title of a travel in its
/// row, with a key for searches by its beginning (``TravelRecord/titleKey(of:)``).
enum ReplaceBitmapsWithRowSets {
    static func run(_ db: Connection) throws {
        // Their tables mention `travel`, which must not be missing when a table is renamed.
        let triggers = [
            "like_is_counted", "like_is_uncounted", "like_has_time_of_travel", "report_is_counted",
            "report_is_uncounted", "report_is_not_by_author", "entry_is_within_travel", "entry_stays_within_travel",
        ]
        try db.executeScript(tables)
        try db.without(.trigger, triggers) {
            try copyTravels(db)
            try db.executeScript(rest)
        }
    }

    /// Copies the travels with their titles, and fills the sets, a block of rows at a time.
    private static func copyTravels(_ db: Connection) throws {
        let last = try db.fetchOne(Int64.self, "SELECT ifnull(max(key), -1) FROM travel") ?? -1
        for first in stride(from: 0, through: last, by: RowBlock.size) {
            let keys = first...first + Int64(RowBlock.size) - 1
            let titles = try db.fetchAll(
                """
                SELECT travel.key, traits, text FROM travel JOIN title ON title.key = title
                WHERE travel.key BETWEEN \(keys.lowerBound) AND \(keys.upperBound) ORDER BY travel.key
                """
            ) { row in (key: try row[0] as Int64, traits: try row[1] as Int64, title: try row[2] as String) }
            try db.execute(
                """
                INSERT INTO travel_with_title SELECT key, id, author, created_at, ?, ?, region, first_day, last_day, themes,
                    companions, headcount, budget, transportation, like_count, report_count, traits, version, updated_at
                FROM travel WHERE key = ?
                """, forEach: titles
            ) { row, values in
                try values.bind(row.title)
                try values.bind(TravelRecord.titleKey(of: row.title))
                try values.bind(row.key)
            }
            try RowSets.apply(
                titles.compactMap { row in
                    // A title that breaks a rule is reported when it is read.
                    (try? Title(row.title)).map { title in
                        RowSets.Change(row: row.key, joins: TravelSets.of(traits: row.traits, title: title))
                    }
                }, db)
        }
    }

    private static let tables = """
        CREATE TABLE row_set (
            key INTEGER PRIMARY KEY,
            rows BLOB NOT NULL CHECK (length(rows) BETWEEN 2 AND 4000)
        ) STRICT;
        CREATE TABLE row_set_cleaned (
            key INTEGER NOT NULL
        ) STRICT;
        INSERT INTO row_set_cleaned VALUES (-1);
        CREATE TABLE travel_with_title (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            author INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
            created_at REAL NOT NULL,
            title TEXT NOT NULL CHECK (length(title) >= 1),
            title_key TEXT NOT NULL CHECK (length(title_key) >= 1),
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
            version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
            updated_at REAL
        ) STRICT;
        """

    private static let rest = """
        DROP TABLE travel;
        DROP TABLE title_gram;
        DROP TABLE title;
        DROP TABLE travel_bitmap;
        DROP TABLE travel_block;
        DROP TABLE travel_level;
        DROP TABLE travel_unmapped;
        DROP TABLE travel_reliked;
        ALTER TABLE travel_with_title RENAME TO travel;
        CREATE INDEX travel_newest ON travel (created_at, id);
        CREATE INDEX travel_most_liked ON travel (like_count, created_at, id);
        CREATE INDEX travel_author_newest ON travel (author, created_at, id);
        CREATE INDEX travel_author_most_liked ON travel (author, like_count, created_at, id);
        CREATE INDEX travel_title ON travel (title_key, title);
        CREATE TRIGGER travel_keeps_its_entries BEFORE UPDATE OF first_day, last_day ON travel
        WHEN EXISTS (SELECT 1 FROM entry WHERE travel = new.key AND day > new.last_day - new.first_day + 1) BEGIN
            SELECT RAISE(ABORT, 'an entry is on a day that would go');
        END;
        CREATE TRIGGER travel_keeps_time_of_recording BEFORE UPDATE OF created_at ON travel
        WHEN new.created_at IS NOT old.created_at AND EXISTS (SELECT 1 FROM liked WHERE travel = new.key) BEGIN
            SELECT RAISE(ABORT, 'the likes of a travel have its time of recording');
        END;
        """
}
