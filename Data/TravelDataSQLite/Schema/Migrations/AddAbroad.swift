internal import SQLiteStore

/// Allows the region 17, abroad, whose bit in `traits` is 51.
enum AddAbroad {
    static func run(_ db: Connection) throws {
        // Whatever mentions the table must not be there when the new one is renamed.
        let triggers = try db.fetchAll(
            String.self,
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND sql GLOB '*[^a-z_]travel[^a-z_]*' ORDER BY rowid"
        )
        let indexes = try db.fetchAll(
            String.self,
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'travel' AND sql IS NOT NULL ORDER BY rowid"
        )
        try db.without(.trigger, triggers) {
            try db.without(.index, indexes) { try db.executeScript(script) }
        }
    }

    /// Keys must never be used again: the new table continues the sequence of the old one.
    private static let script = """
        CREATE TABLE travel_of_world (
            key INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
            author INTEGER NOT NULL REFERENCES person (key) ON DELETE CASCADE,
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
        INSERT INTO travel_of_world SELECT
            key, id, author, created_at, title, title_key, region, first_day, last_day, themes, companions, headcount,
            budget, transportation, like_count, report_count, traits, version, updated_at
        FROM travel;
        DELETE FROM sqlite_sequence WHERE name = 'travel_of_world';
        INSERT INTO sqlite_sequence (name, seq) SELECT 'travel_of_world', seq FROM sqlite_sequence WHERE name = 'travel';
        DROP TABLE travel;
        ALTER TABLE travel_of_world RENAME TO travel;
        """
}
