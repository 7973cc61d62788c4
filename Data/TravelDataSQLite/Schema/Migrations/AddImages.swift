/// Adds images. An image is a file beside the database (`ImageFolder`), identified by its row, and belongs to one
/// travel: an entry can show only images of its own travel, and at most one image of a travel is chosen as its
/// thumbnail.
enum AddImages {
    static let script = """
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
