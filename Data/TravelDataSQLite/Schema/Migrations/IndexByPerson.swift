/// Indexes the travels of an author in both orders, and the travels that a person likes by time of recording. These
/// searches need no other column of `travel` than the indexes contain, as in the indexes of all travels.
enum IndexByPerson {
    static let script = """
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
}
