#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A `Codable` value that is stored as JSON text.
///
/// ```swift
/// try db.execute("UPDATE travels SET themes = \(SQLJSON(themes)) WHERE id = \(id)")
/// let themes = try db.fetchOne(SQLJSON<[Theme]>.self, "SELECT themes FROM travels WHERE id = \(id)")?.value
/// ```
public struct SQLJSON<Value> {
    /// The wrapped value.
    public var value: Value

    /// Wraps a value, to store it as JSON.
    public init(_ value: Value) {
        self.value = value
    }
}

extension SQLJSON: Sendable where Value: Sendable {}
extension SQLJSON: Equatable where Value: Equatable {}
extension SQLJSON: Hashable where Value: Hashable {}

extension SQLJSON: SQLBindable where Value: Encodable {
    /// A `TEXT` with sorted keys, so that equal values have equal texts.
    public var sqlValue: SQLValue {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
        }
    }
}

extension SQLJSON: SQLDecodable where Value: Decodable {
    /// Decodes a `TEXT`; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything else, and for
    /// JSON that does not decode: the error names the position in the JSON, but not its content.
    public init(column: borrowing Column) throws {
        value = try Self.value(in: column, expected: Self.self)
    }

    /// Decodes the JSON in the column; a mismatch names the type `expected`.
    static func value(in column: borrowing Column, expected: any Any.Type = Value.self) throws -> Value {
        guard column.kind == .text else { throw column.mismatch(expected) }
        let data = try column.withTextBytes { Data($0) }
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch let error as DecodingError {
            throw column.mismatch(expected, "is not valid JSON for it, at \(error.path)")
        }
    }
}

extension DecodingError {
    /// The coding path of the error, such as `days.0.title`. Keys of dictionaries are data and are replaced by `*`.
    var path: String {
        let context: Context? =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        let keys = (context?.codingPath ?? []).map { key -> String in
            if let index = key.intValue, key.stringValue == "Index \(index)" { return String(index) }
            // A key from the source code is an enumeration case without associated values.
            let mirror = Mirror(reflecting: key)
            return mirror.displayStyle == .enum && mirror.children.isEmpty ? key.stringValue : "*"
        }
        return keys.isEmpty ? "the root" : keys.joined(separator: ".")
    }
}
