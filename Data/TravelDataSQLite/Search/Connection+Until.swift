internal import SQLiteStore

extension Connection {
    /// Calls `body` with each row of the result, in order, until it sets its second argument.
    func forEach(_ sql: SQL, _ body: (borrowing Row, _ stop: inout Bool) throws -> Void) throws {
        struct Stop: Error {}
        do {
            try forEach(sql) { row in
                var stop = false
                try body(row, &stop)
                if stop { throw Stop() }
            }
        } catch is Stop {}
    }
}
