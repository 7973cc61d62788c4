/// Adds the time at which the session expires; an existing session does not.
enum AddExpiryOfSession {
    static let script = "ALTER TABLE session ADD COLUMN expires_at REAL CHECK (expires_at IS NULL OR user IS NOT NULL)"
}
