#if PostgreSQL
    internal import PostgreSQLStore
    internal import TravelDataSQL

    extension TraitLayout {
        /// The value at `position`.
        ///
        /// - Throws: `PostgreSQLError` when this version has no value at that position.
        static func value<Value>(_ position: Int, in list: [Value]) throws -> Value {
            if let value = value(at: position, in: list) { return value }
            throw PostgreSQLError(.mismatch, "unknown \(Value.self) number \(position)")
        }
    }
#endif
