/// Adds the parts of travels that another store has, and this one does not know, and the times of its last answers.
///
/// A row of `image` that is named in `unseen_image` has no file. The image of `unseen_timeline` represents the travel,
/// as the other store says.
enum AddCacheOfAnotherStore {
    static let script = """
        CREATE TABLE unseen_timeline (
            travel INTEGER PRIMARY KEY REFERENCES travel (key) ON DELETE CASCADE,
            thumbnail BLOB CHECK (length(thumbnail) = 16)
        ) STRICT;
        CREATE INDEX unseen_timeline_thumbnail ON unseen_timeline (thumbnail) WHERE thumbnail IS NOT NULL;

        CREATE TABLE unseen_image (
            id BLOB PRIMARY KEY REFERENCES image (id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE last_answer (
            question TEXT PRIMARY KEY,
            answered_at REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX last_answer_time ON last_answer (answered_at);
        """
}
