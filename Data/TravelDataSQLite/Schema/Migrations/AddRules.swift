/// Enforces rules of the domain that concern several rows or the characters of a text; `nickname_key` has one
/// scalar per character. SQLite cannot count characters, so that the maximum lengths of titles and texts are not
/// enforced.
enum AddRules {
    static let script = """
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
}
