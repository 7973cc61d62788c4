/// JSON arrays of SQL values, for `json_each`.
enum JSONArray {
    /// Returns the text of the array, or nil if SQLite would not read a value back as equal: a blob, an infinite
    /// number, or a text with a NUL, which would truncate it.
    static func text(of values: [SQLValue]) -> String? {
        var text = "["
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            switch value {
            case .null: text += "null"
            case .integer(let integer): text += String(integer)
            case .real(let real):
                guard real.isFinite else { return nil }
                text += String(real)
            case .text(let string):
                guard !string.utf8.contains(0) else { return nil }
                append(string, to: &text)
            case .blob: return nil
            }
        }
        return text + "]"
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
