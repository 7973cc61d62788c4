/// Adds the ID of this device, and the signed-in person.
enum AddSession {
    static let script = """
        CREATE TABLE session (
            key INTEGER PRIMARY KEY CHECK (key = 1),
            device BLOB CHECK (length(device) = 16),
            user BLOB CHECK (length(user) = 16)
        ) STRICT;
        INSERT INTO session (key) VALUES (1);
        """
}
