/// Replaces the column `kind`, which grouped similar travels, with bitmaps of the travels that have
/// each value; `ReplaceBitmapsWithRowSets` removes them.
///
/// The sort indexes are now ascending, although searches read them in descending order: new rows are appended at the
/// end, which is fastest in SQLite. At the time, the next transaction that added or changed a travel mapped the
/// existing travels.
enum AddBitmaps {
    static let script = """
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
}
