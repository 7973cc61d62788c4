import TravelDomain

/// What the indexes know of a title: its characters, and its runs of two and of three.
///
/// A title can contain a keyword only if it has all of the keyword's grams; whether it does contain it is then for
/// `Keyword.matches(_:)` to say. Runs of two find a Korean word of two syllables, which an index of trigrams cannot.
///
/// All of it is stored in the file: a change of this type takes a migration.
struct TitleGrams {
    /// The grams as words of the full-text table, once each.
    let tokens: Set<String>
    /// One of 64 bits for each character and run of two.
    let bits: Int64

    /// What is known of `title`.
    init(of title: Title) {
        let keys = Keyword.folded(title.text).map(CharacterKey.scalar(of:))
        tokens = Set((1...3).flatMap { Self.tokens(of: keys, length: $0) })
        bits = Self.bits(of: keys)
    }

    /// What a title must have to contain `keyword`: of the tokens only the longest, which are the rarest.
    init(in keyword: Keyword) {
        let keys = keyword.folded.map(CharacterKey.scalar(of:))
        tokens = Set(Self.tokens(of: keys, length: min(keys.count, 3)))
        bits = Self.bits(of: keys)
    }

    /// The tokens as the full-text table is told them.
    var text: String { tokens.joined(separator: " ") }

    /// The full-text query for titles that have `token`.
    static func match(_ token: String) -> String { "\"\(token)\"" }

    private static func tokens(of keys: [Unicode.Scalar], length: Int) -> [String] {
        guard keys.count >= length else { return [] }
        return (0...keys.count - length).map { start in
            var token = String.UnicodeScalarView()
            for key in keys[start..<start + length] { token.append(outsideASCII(key)) }
            return String(token)
        }
    }

    private static func bits(of keys: [Unicode.Scalar]) -> Int64 {
        var bits: Int64 = 0
        var last: UInt64 = 0
        for (index, key) in keys.enumerated() {
            let key = UInt64(key.value)
            bits |= 1 << Int64(bit(of: key))
            if index > 0 { bits |= 1 << Int64(bit(of: last << 32 | key)) }
            last = key
        }
        return bits
    }

    /// A number from 0 to 63 that follows from `gram`, all about equally often (Fibonacci hashing).
    private static func bit(of gram: UInt64) -> UInt64 {
        ((gram ^ gram >> 29) &* 0x9E37_79B9_7F4A_7C15) >> 58
    }

    /// The scalar, ASCII moved to the private use area: the tokenizer keeps together what is not ASCII.
    private static func outsideASCII(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.isASCII ? Unicode.Scalar(0xE000 + scalar.value) ?? scalar : scalar
    }
}
