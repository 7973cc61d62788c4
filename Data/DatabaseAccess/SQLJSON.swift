#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A `Codable` value that is stored as JSON text.
///
/// ```swift
/// try db.execute("UPDATE trips SET themes = \(SQLJSON(themes)) WHERE id = \(id)")
/// let themes = try db.fetchOne(SQLJSON<[Theme]>.self, "SELECT themes FROM trips WHERE id = \(id)")?.value
/// ```
public struct SQLJSON<Value> {
    public var value: Value

    public init(_ value: Value) {
        self.value = value
    }
}

extension SQLJSON: Sendable where Value: Sendable {}
extension SQLJSON: Equatable where Value: Equatable {}
extension SQLJSON: Hashable where Value: Hashable {}

package enum JSONText {
    /// Returns the value as JSON with sorted keys, so that equal values have equal texts.
    package static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Decodes a value from JSON in UTF-8. On failure throws the error that `mismatch` returns for a detail, which
    /// names the position but not the content.
    package static func value<Value: Decodable>(
        in bytes: UnsafeRawBufferPointer, mismatch: (_ detail: String) -> any Error
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw mismatch("is not valid JSON for it, at \(error.path)")
        }
    }
}

extension DecodingError {
    /// The coding path of the error, such as `days.0.title`. Keys of dictionaries are data and are replaced by `*`.
    package var path: String {
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

extension String {
    /// The name of a table, column or other object as SQL has it in double quotes.
    package var quotedIdentifier: String { quoted("\"") }

    /// The text as a literal of SQL.
    package var quotedLiteral: String { quoted("'") }

    /// Not by characters: a mark is a part of one together with the accents behind it.
    private func quoted(_ mark: Unicode.Scalar) -> String {
        let scalars = unicodeScalars.flatMap { $0 == mark ? [mark, mark] : [$0] }
        return String(String.UnicodeScalarView([mark] + scalars + [mark]))
    }
}
