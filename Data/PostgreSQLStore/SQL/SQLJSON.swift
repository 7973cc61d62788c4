#if PostgreSQL
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
        /// A text for `json`, `jsonb` or `text`, with sorted keys, so that equal values have equal texts.
        ///
        /// - Throws: `EncodingError`, and the errors of the value's `encode(to:)`.
        public var sqlValue: SQLValue {
            get throws {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                return .text(String(decoding: try encoder.encode(value), as: UTF8.self))
            }
        }
    }

    extension SQLJSON: SQLDecodable where Value: Decodable {
        /// Decodes a `json`, `jsonb` or text.
        ///
        /// - Throws: ``PostgreSQLError`` with `.mismatch` for anything else, and for JSON that does not decode: the error
        ///   names the position in the JSON, but not its content. The errors of the value's `init(from:)`.
        public init(column: borrowing Column) throws {
            guard let data = column.withText({ Data($0) }) else { throw column.mismatch(Self.self) }
            do {
                value = try JSONDecoder().decode(Value.self, from: data)
            } catch let error as DecodingError {
                throw column.mismatch(Self.self, "is not valid JSON for it, at \(error.path)")
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
#endif
