internal import SQLiteStore

/// Allows a place without coordinates: one of which only the name is known.
enum AllowPlacesByName {
    static func run(_ db: Connection) throws {
        // They mention the table, which must not be missing when the new one is renamed.
        let triggers = ["entry_is_within_travel", "entry_stays_within_travel", "travel_keeps_its_entries"]
        try db.without(.trigger, triggers) {
            try db.without(.index, ["entry_image"]) { try db.executeScript(script) }
        }
    }

    private static let script = """
        CREATE TABLE entry_with_place (
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
            CHECK ((place_name IS NULL) = (place_address IS NULL)),
            CHECK ((latitude IS NULL) = (longitude IS NULL)),
            CHECK (latitude IS NULL OR place_name IS NOT NULL)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO entry_with_place SELECT * FROM entry;
        DROP TABLE entry;
        ALTER TABLE entry_with_place RENAME TO entry;
        """
}
