import TravelDomain

/// What the indexes know of a title: its characters, and its pairs of neighbouring characters.
///
/// A title can contain a keyword only if it has all of the keyword's characters and pairs; whether it does contain
/// it is then for `Keyword.matches(_:)` to say. Pairs find a Korean word of two syllables, which an index of
/// trigrams cannot.
///
/// Both forms are stored in the file: a change of this type takes a migration.
struct TitleGrams {
    /// Every character and pair, once each.
    let tokens: Set<String>
    /// One of 64 bits for each of them.
    let bits: Int64

    /// What is known of `title`.
    init(of title: Title) {
        let keys = Keyword.folded(title.text).map(CharacterKey.scalar(of:))
        tokens = Set(keys.map(Self.token) + Self.pairs(of: keys))
        bits = Self.bits(of: keys)
    }

    /// What a title must have to contain `keyword`. The characters of its pairs go without saying.
    init(in keyword: Keyword) {
        let keys = keyword.folded.map(CharacterKey.scalar(of:))
        tokens = Set(keys.count == 1 ? keys.map(Self.token) : Self.pairs(of: keys))
        bits = Self.bits(of: keys)
    }

    /// The tokens as the full-text table is told them.
    var text: String { tokens.joined(separator: " ") }

    /// The full-text query for titles that have all tokens.
    var match: String { tokens.map { "\"\($0)\"" }.joined(separator: " ") }

    private static func pairs(of keys: [Unicode.Scalar]) -> [String] {
        zip(keys, keys.dropFirst()).map { token($0) + token($1) }
    }

    private static func bits(of keys: [Unicode.Scalar]) -> Int64 {
        let pairs = zip(keys, keys.dropFirst()).map { UInt64($0.value) << 32 | UInt64($1.value) }
        return (keys.map { UInt64($0.value) } + pairs).reduce(0) { $0 | 1 << Int64(bit(of: $1)) }
    }

    /// A number from 0 to 63 that follows from `gram`, all about equally often (Fibonacci hashing).
    private static func bit(of gram: UInt64) -> UInt64 {
        ((gram ^ gram >> 29) &* 0x9E37_79B9_7F4A_7C15) >> 58
    }

    /// The scalar as text, ASCII moved to the private use area: the tokenizer keeps together what is not ASCII.
    private static func token(_ scalar: Unicode.Scalar) -> String {
        guard scalar.isASCII, let moved = Unicode.Scalar(0xE000 + scalar.value) else { return String(scalar) }
        return String(moved)
    }
}
