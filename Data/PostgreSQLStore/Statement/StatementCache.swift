#if PostgreSQL
    /// The cache of the statements of one connection, by text. When it is full, it evicts the less recently used half.
    final class StatementCache {
        private var statements: [String: Statement] = [:]
        private var clock: UInt64 = 0
        private let capacity: Int

        init(capacity: Int) {
            self.capacity = max(capacity, 1)
        }

        /// Returns the cached statement.
        func statement(for text: String) -> Statement? {
            guard let statement = statements[text] else { return nil }
            clock &+= 1
            statement.lastUse = clock
            return statement
        }

        /// Adds a statement, and returns the evicted ones: half of them at once, so that the cost of finding the oldest
        /// is amortised.
        func insert(_ statement: Statement) -> [Statement] {
            clock &+= 1
            statement.lastUse = clock
            statements[statement.sql] = statement
            guard statements.count > capacity else { return [] }
            let uses = statements.values.map(\.lastUse).sorted()
            let limit = uses[uses.count / 2]
            let evicted = statements.values.filter { $0.lastUse < limit }
            for statement in evicted { statements[statement.sql] = nil }
            return evicted
        }

        func removeAll() {
            statements = [:]
        }
    }
#endif
