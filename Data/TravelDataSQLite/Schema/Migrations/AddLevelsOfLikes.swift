/// Enlarges the bitmaps to the size of a page, stores the blocks of a bitmap consecutively, and adds a level of likes
/// for each travel; `ReplaceBitmapsWithRowSets` removes all of these. Among travels with equal likes, the newest now
/// come first.
///
/// At the time, the next transaction that added or changed a travel mapped the existing travels again.
enum AddLevelsOfLikes {
    static let script = """
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
}
