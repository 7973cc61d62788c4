#if PostgreSQL
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The values of one run in the form of the protocol, reused for each run on a connection.
///
/// Exclusivity is not checked at run time: no method calls code of the user.
@usableFromInline
final class ParameterBuffer {
    /// The bytes of all values, one after the other.
    @exclusivity(unchecked)
    private(set) var bytes: [UInt8] = []
    @exclusivity(unchecked)
    private var ranges: [Range<Int>?] = []
    @exclusivity(unchecked)
    private var formats: [Int32] = []
    @exclusivity(unchecked)
    private var lengths: [Int32] = []
    @exclusivity(unchecked)
    private var addresses: [UnsafePointer<CChar>?] = []

    private enum Format {
        static let text: Int32 = 0
        static let binary: Int32 = 1
    }

    var count: Int { ranges.count }

    /// Removes the values. Keeps the memory for the next run, unless it is large.
    func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= 65_536)
        ranges.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
    }

    /// Appends the next value for a parameter of this type.
    ///
    /// - Throws: ``PostgreSQLError`` with `.mismatch` if the type does not hold the value.
    func append(_ value: SQLValue, as type: TypeID) throws {
        let start = bytes.count
        var format = Format.binary
        if type.isOwn {
            format = Format.text
            try appendText(of: value, as: type)
        } else {
            try appendBinary(value, as: type)
        }
        try checkSize(since: start)
        ranges.append(value == .null ? nil : start..<bytes.count)
        formats.append(format)
        // libpq ends a text at the first NUL.
        if format == Format.text { bytes.append(0) }
    }

    /// Appends the bytes of a value with their length, as in an array or in `COPY`; a length of -1 is `NULL`.
    func appendField(_ value: SQLValue, as type: TypeID) throws {
        guard value != .null else { return appendInteger(Int32(-1)) }
        let start = bytes.count
        appendInteger(Int32(0))
        if type.isOwn {
            // The server reads it as the binary form, which it is for an enumeration.
            guard case .text(let text) = value else { throw Self.mismatch(value, type) }
            try append(text)
        } else {
            try appendBinary(value, as: type)
        }
        try checkSize(since: start)
        let length = Int32(truncatingIfNeeded: bytes.count - start - 4).bigEndian
        withUnsafeBytes(of: length) { field in
            for (offset, byte) in field.enumerated() { bytes[start + offset] = byte }
        }
    }

    /// Throws for a value of more than a gigabyte, which the server cannot store.
    private func checkSize(since start: Int) throws {
        guard bytes.count - start < 1 << 30 else {
            throw PostgreSQLError(.mismatch, "a value of more than a gigabyte cannot be stored")
        }
    }

    /// Calls `body` with the addresses, lengths and formats of the values.
    func withParameters<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            addresses.removeAll(keepingCapacity: true)
            lengths.removeAll(keepingCapacity: true)
            for range in ranges {
                // An empty value needs an address, because a missing one is NULL.
                addresses.append(range.map { (base ?? Self.empty) + $0.lowerBound })
                lengths.append(Int32(truncatingIfNeeded: range?.count ?? 0))
            }
            return body(addresses, lengths, formats)
        }
    }

    /// Never written.
    nonisolated(unsafe) private static let empty: UnsafePointer<CChar> = {
        let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        byte.pointee = 0
        return UnsafePointer(byte)
    }()

    // MARK: Values

    func appendInteger(_ integer: some FixedWidthInteger) {
        withUnsafeBytes(of: integer.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private func appendBinary(_ value: SQLValue, as type: TypeID) throws {
        switch (value, type) {
        case (.null, _): break
        case (.boolean(let boolean), .boolean): bytes.append(boolean ? 1 : 0)
        case (.integer(let integer), _): try append(integer, as: type)
        case (.real(let real), .double): appendInteger(real.bitPattern)
        case (.real(let real), .real):
            let nearest = Float(real)
            guard nearest.isFinite || !real.isFinite else {
                throw PostgreSQLError(.mismatch, "a number is out of the range of real")
            }
            appendInteger(nearest.bitPattern)
        case (.decimal(let decimal), .numeric): try appendNumeric(decimal)
        case (.text(let text), .jsonb):
            bytes.append(1)
            try append(text)
        // No character is a zero.
        case (.text(""), .character): bytes.append(0)
        case (.text(let text), _) where type.isText: try append(text)
        case (.bytes(let blob), .bytea): bytes.append(contentsOf: blob)
        case (.uuid(let uuid), .uuid): withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
        case (.date(let date), .timestamptz), (.date(let date), .timestamp):
            guard let time = Timestamp.microseconds(of: date) else { throw Self.outOfRange }
            appendInteger(time)
        case (.array(let values), _):
            guard let element = type.element else { throw Self.mismatch(value, type) }
            try append(values, of: element)
        default: throw Self.mismatch(value, type)
        }
    }

    private func append(_ integer: Int64, as type: TypeID) throws {
        func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
            guard let exact = Integer(exactly: integer) else {
                throw PostgreSQLError(.mismatch, "an integer is out of the range of its parameter")
            }
            return exact
        }
        switch type {
        case .bigint: appendInteger(integer)
        case .integer: appendInteger(try exactly(Int32.self))
        case .smallint: appendInteger(try exactly(Int16.self))
        case .oid: appendInteger(try exactly(UInt32.self))
        case .numeric: try appendNumeric(Decimal(integer))
        case .double:
            guard let real = Double(exactly: integer) else {
                throw PostgreSQLError(
                    .mismatch, "an integer has no exact value in double precision: cast the parameter")
            }
            appendInteger(real.bitPattern)
        case .real:
            guard let real = Float(exactly: integer) else {
                throw PostgreSQLError(.mismatch, "an integer has no exact value as real: cast the parameter")
            }
            appendInteger(real.bitPattern)
        default: throw Self.mismatch(.integer(integer), type)
        }
    }

    private func append(_ text: String) throws {
        var text = text
        try text.withUTF8 { utf8 in
            guard !utf8.contains(0) else {
                throw PostgreSQLError(.mismatch, "a text with a NUL cannot be stored: PostgreSQL has no such texts")
            }
            bytes.append(contentsOf: utf8)
        }
    }

    private func append(_ values: [SQLValue], of element: TypeID) throws {
        appendInteger(Int32(values.isEmpty ? 0 : 1))
        appendInteger(Int32(values.contains(.null) ? 1 : 0))
        appendInteger(element.rawValue)
        guard !values.isEmpty else { return }
        appendInteger(Int32(truncatingIfNeeded: values.count))
        appendInteger(Int32(1))
        for value in values {
            if case .array = value {
                throw PostgreSQLError(.mismatch, "an array of arrays cannot be stored: bind it as JSON")
            }
            try appendField(value, as: element)
        }
    }

    private func appendNumeric(_ decimal: Decimal) throws {
        guard let numeric = Numeric(decimal) else {
            throw PostgreSQLError(.mismatch, "a Decimal that is NaN cannot be stored")
        }
        appendInteger(Int16(numeric.digits.count))
        appendInteger(numeric.weight)
        appendInteger(numeric.isNegative ? Numeric.negative : Numeric.positive)
        appendInteger(numeric.scale)
        for digit in numeric.digits { appendInteger(digit) }
    }

    /// Appends the text form, which the server parses, for a type whose binary form is unknown: an enumeration, or a
    /// domain, whose base type the server does not tell.
    private func appendText(of value: SQLValue, as type: TypeID) throws {
        guard case .array(let values) = value else { return try append(Self.literal(of: value, as: type) ?? "") }
        var literal = "{"
        for (index, value) in values.enumerated() {
            if index > 0 { literal += "," }
            guard let text = try Self.literal(of: value, as: type) else {
                literal += "NULL"
                continue
            }
            literal += "\""
            for character in text.unicodeScalars {
                if character == "\"" || character == "\\" { literal.unicodeScalars.append("\\") }
                literal.unicodeScalars.append(character)
            }
            literal += "\""
        }
        try append(literal + "}")
    }

    /// The text form of a value that is no array; nil for `NULL`.
    private static func literal(of value: SQLValue, as type: TypeID) throws -> String? {
        switch value {
        case .null: return nil
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .integer(let integer): return "\(integer)"
        case .real(let real): return real.isInfinite ? (real < 0 ? "-Infinity" : "Infinity") : "\(real)"
        case .decimal(let decimal): return "\(decimal)"
        case .text(let text): return text
        case .bytes(let blob):
            return blob.reduce(into: "\\x") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
        case .uuid(let uuid): return uuid.uuidString
        case .date(let date):
            guard let text = Timestamp.text(of: date) else { throw outOfRange }
            return text
        case .array: throw mismatch(value, type)
        }
    }

    private static var outOfRange: PostgreSQLError {
        PostgreSQLError(.mismatch, "a Date outside the years 4714 BC to 294276 cannot be stored")
    }

    private static func mismatch(_ value: SQLValue, _ type: TypeID) -> PostgreSQLError {
        PostgreSQLError(
            .mismatch,
            "\(value.kind.name) was bound to a parameter that the server inferred as \(type.description): cast the "
                + "parameter, as in $1::\(value.kind.type), or bind a value of that type")
    }
}
#endif
