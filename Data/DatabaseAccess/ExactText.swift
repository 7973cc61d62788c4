#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A text that equals only a text of the same Unicode scalars, as in SQL. A `String` also equals its canonical equivalents:
/// `"\u{E9}" == "e\u{301}"`.
package struct ExactText: Hashable, Sendable {
    package let string: String

    package init(_ string: String) {
        self.string = string
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        var (left, right) = (left.string, right.string)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                // Within the calls the buffers are valid; an empty one may have no address.
                guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count == right.count
                }
                return memcmp(first, second, left.count) == 0
            }
        }
    }

    package func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Creates the text of a name in a schema, as SQLite compares names: it ignores the case of ASCII letters, and of no
    /// others. `ÄRZTE` and `ärzte` are two names.
    package init(name: String) {
        string = name.lowercasingASCII()
    }

    package func hasPrefix(_ prefix: ExactText) -> Bool {
        string.utf8.starts(with: prefix.string.utf8)
    }

    /// Whether the text contains `part`; with `asWord`, not within a longer word of letters, digits, `_` and `$`.
    package func contains(_ part: ExactText, asWord: Bool = false) -> Bool {
        var (text, part) = (string, part.string)
        return text.withUTF8 { text in
            part.withUTF8 { part in
                guard let first = part.first, let last = part.last else { return true }
                var rest = text[...]
                while let start = rest.firstIndex(of: first), rest.endIndex - start >= part.count {
                    let end = start + part.count
                    let isWithin =
                        asWord
                        && (start > 0 && Self.isLetter(first) && Self.isLetter(text[start - 1])
                            || end < text.count && Self.isLetter(last) && Self.isLetter(text[end]))
                    if !isWithin, rest[start...].starts(with: part) { return true }
                    rest = rest[(start + 1)...]
                }
                return false
            }
        }
    }

    /// Whether SQL counts the byte as a part of a word.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xFF, UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: false
        }
    }
}

extension String {
    /// The text with the letters A to Z in lowercase, as by `lower` in SQL.
    package func lowercasingASCII() -> String {
        guard utf8.contains(where: { 0x41...0x5A ~= $0 }) else { return self }
        return String(decoding: utf8.lazy.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
