/// Accepts every nickname of the domain. The earlier rule counted the characters of its folded form, which differ in
/// number from those of the nickname when they consist of several scalars that are joined invisibly.
enum AcceptAnyNickname {
    static let script = """
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
}
