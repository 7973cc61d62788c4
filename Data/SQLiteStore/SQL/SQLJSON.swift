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
    /// The value.
    public var value: Value

    /// The value, to be stored as JSON.
    public init(_ value: Value) {
        self.value = value
    }
}

extension SQLJSON: Sendable where Value: Sendable {}
extension SQLJSON: Equatable where Value: Equatable {}
extension SQLJSON: Hashable where Value: Hashable {}

extension SQLJSON: SQLBindable where Value: Encodable {
    /// `TEXT`, with keys in order so that equal values are equal text.
    public var sqlValue: SQLValue {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
        }
    }
}

extension SQLJSON: SQLDecodable where Value: Decodable {
    /// A `TEXT` of JSON; anything else is an error that says where in the JSON it lies, not what is there.
    public init(column: borrowing Column) throws {
        value = try Self.value(in: column, expected: Self.self)
    }

    /// The value in the column's JSON; a mismatch says that `expected` was.
    static func value(in column: borrowing Column, expected: any Any.Type = Value.self) throws -> Value {
        guard column.kind == .text else { throw column.mismatch(expected) }
        let data = try column.withTextBytes { Data($0) }
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch let error as DecodingError {
            throw column.mismatch(expected, "is not JSON of one, at \(error.path)")
        }
    }
}

extension DecodingError {
    /// The coding path of the failure, such as `days.0.title`. The keys of dictionaries are data, and appear as `*`.
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
            // A key that stands in the source code is a case of an enumeration, without anything attached to it.
            let mirror = Mirror(reflecting: key)
            return mirror.displayStyle == .enum && mirror.children.isEmpty ? key.stringValue : "*"
        }
        return keys.isEmpty ? "its root" : keys.joined(separator: ".")
    }
}
