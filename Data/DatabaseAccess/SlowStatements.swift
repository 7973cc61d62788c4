/// A statement that took longer than the threshold.
public struct SlowStatement: Hashable, Sendable {
    /// Its text, without values.
    public let sql: String
    /// The time from its beginning to the last of its rows, including the time between rows and the network.
    public let duration: Duration
}

/// The threshold and the callback for slow statements.
public struct SlowStatements: Sendable {
    private let threshold: Duration
    private let report: @Sendable (SlowStatement) -> Void

    /// Reports statements that take longer than `threshold`, which SQLite measures in milliseconds. `report` is called on
    /// the thread of the access, after the statement and before the end of the access; it must not access the database.
    public init(longerThan threshold: Duration, _ report: @escaping @Sendable (SlowStatement) -> Void) {
        (self.threshold, self.report) = (threshold, report)
    }

    /// Reports a statement that took `duration`, unless it was short.
    package func statementEnded(_ sql: @autoclosure () -> String, after duration: Duration) {
        if duration > threshold { report(SlowStatement(sql: sql(), duration: duration)) }
    }
}
