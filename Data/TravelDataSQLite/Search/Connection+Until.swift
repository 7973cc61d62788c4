internal import SQLiteStore

extension Connection {
    /// Calls `body` with the rows of the result, in order, until it sets its second argument.
    func forEach(_ sql: SQL, _ body: (borrowing Row, _ isEnough: inout Bool) throws -> Void) throws {
        struct Enough: Error {}
        do {
            try forEach(sql) { row in
                var isEnough = false
                try body(row, &isEnough)
                if isEnough { throw Enough() }
            }
        } catch is Enough {}
    }
}
