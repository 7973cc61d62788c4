/// Adds the version of a travel, and the time of its last change: `NULL` if there was none.
enum AddVersions {
    static let script = """
        ALTER TABLE travel ADD COLUMN version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1);
        ALTER TABLE travel ADD COLUMN updated_at REAL;
        """
}
