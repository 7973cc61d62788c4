/// Adds the keywords that were searched for on this device.
enum AddRecentKeywords {
    static let script = """
        CREATE TABLE recent_keyword (
            position INTEGER PRIMARY KEY CHECK (position BETWEEN 0 AND 14),
            text TEXT NOT NULL CHECK (length(text) >= 1)
        ) STRICT;
        """
}
