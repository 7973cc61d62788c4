internal import SQLiteStore
internal import TravelDataSQL

extension TraitLayout {
    /// The value at `position`.
    ///
    /// - Throws: `SQLiteError` when this version has no value at that position.
    static func value<Value>(_ position: Int, in list: [Value]) throws -> Value {
        if let value = value(at: position, in: list) { return value }
        throw SQLiteError(.mismatch, "unknown \(Value.self) number \(position)")
    }
}
