public import DatabaseAccess

extension SQLJSON: SQLBindable where Value: Encodable {
    /// A `TEXT` with sorted keys, so that equal values have equal texts; throws `EncodingError`, and the errors of the
    /// value's `encode(to:)`.
    public var sqlValue: SQLValue {
        get throws { .text(try JSONText.text(of: value)) }
    }
}

extension SQLJSON: SQLDecodable where Value: Decodable {
    /// Decodes a `TEXT`; throws ``SQLiteError`` with the code ``SQLiteError/Code/mismatch`` for anything else, and for
    /// JSON that does not decode: the error names the position in the JSON, but not its content.
    public init(column: borrowing Column) throws {
        guard column.kind == .text else { throw column.mismatch(Self.self) }
        let value: Value = try column.withTextBytes { bytes in
            try JSONText.value(in: UnsafeRawBufferPointer(bytes)) { detail in column.mismatch(Self.self, detail) }
        }
        self.init(value)
    }
}

/// JSON arrays of SQL values, for `json_each`.
enum JSONArray {
    /// Returns the text of the array, or nil if SQLite would not read a value back as equal: a blob, an infinite
    /// number, or a text with a NUL, which would truncate it.
    static func text(of values: [SQLValue]) -> String? {
        // Bytes, since appending each number to a string takes several times as long.
        var text: [UInt8] = [UInt8(ascii: "[")]
        text.reserveCapacity(values.count * 8)
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            switch value {
            case .null: text += "null".utf8
            case .integer(let integer): text += String(integer).utf8
            case .real(let real):
                guard real.isFinite else { return nil }
                text += String(real).utf8
            case .text(let string):
                guard !string.utf8.contains(0) else { return nil }
                append(string, to: &text)
            case .blob: return nil
            }
        }
        text.append(UInt8(ascii: "]"))
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                text += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }
}
