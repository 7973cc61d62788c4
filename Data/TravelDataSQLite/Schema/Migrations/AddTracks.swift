/// Adds the ways of recorded tracks (`TrackGeometry.bytes`), apart from the travels, whose rows are read for lists.
enum AddTracks {
    static let script = """
        CREATE TABLE track (
            travel INTEGER PRIMARY KEY REFERENCES travel (key) ON DELETE CASCADE,
            way BLOB NOT NULL CHECK (length(way) >= 6)
        ) STRICT;
        """
}
