import TravelDomain

/// The grams of a title that the indexes store: its characters, bigrams, trigrams, and prefixes.
///
/// A title can contain a keyword only if it has all grams of the keyword; `Keyword.matches(_:)` then decides. Bigrams
/// find Korean words of two syllables, which a trigram index cannot.
///
/// Grams are part of the file format; changing them requires a migration.
struct TitleGrams {
    /// The grams as tokens of the full-text table.
    let tokens: [String]
    /// One of 64 bits for each character and bigram.
    let bits: Int64
    /// A part of the signature that is selective enough.
    let signature: ArraySlice<Int>

    /// The grams that a title must have to contain `keyword`; of the tokens only the longest, which are the most
    /// selective.
    init(in keyword: Keyword) {
        let keys = keyword.folded.map(CharacterKey.scalar(of:))
        tokens = Runs(of: keys).ofLength(min(keys.count, 3)).map { String(decoding: $0, as: UTF8.self) }
        bits = Self.bits(of: keys)
        // Bigrams are more selective than characters, and six bits are as selective as all.
        signature = Signature(of: keys).bits.suffix(6)
    }

    /// The token of titles that begin with `keyword`; few other titles have it.
    static func beginning(of keyword: Keyword) -> String {
        let keys = [start] + keyword.folded.prefix(3).map(CharacterKey.scalar(of:))
        return Runs(of: keys).ofLength(keys.count).map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    /// The data that the indexes store for a title.
    struct Record {
        /// One of 64 bits for each character and bigram.
        let bits: Int64
        /// Two of 256 bits for each character and bigram.
        let signature: Signature
        /// All tokens, as text for the full-text table.
        let text: String
    }

    /// The index data of `title`.
    static func of(_ title: Title) -> Record {
        let keys = Keyword.folded(title.text).map(CharacterKey.scalar(of:))
        let runs = Runs(of: keys)
        let beginnings = Runs(of: [start] + keys.prefix(3))
        var text: [UInt8] = []
        for length in 1...3 {
            for run in runs.ofLength(length) {
                text += run
                text.append(UInt8(ascii: " "))
            }
            if let beginning = beginnings.ofLength(length + 1).first(where: { _ in true }) {
                text += beginning
                text.append(UInt8(ascii: " "))
            }
        }
        return Record(
            bits: bits(of: keys), signature: Signature(of: keys), text: String(decoding: text, as: UTF8.self))
    }

    /// The full-text query for titles that have all of `tokens`.
    static func match(_ tokens: [String]) -> String {
        tokens.map { "\"\($0)\"" }.joined(separator: " ")
    }

    /// The marker before the first character: a private-use scalar, which does not occur in text.
    private static let start: Unicode.Scalar = "\u{E0FF}"

    /// Adjacent keys in UTF-8. ASCII is mapped to the private use area, because the tokenizer splits text at ASCII
    /// punctuation.
    private struct Runs {
        private var utf8: [UInt8] = []
        private var starts = [0]

        init(of keys: [Unicode.Scalar]) {
            for key in keys {
                let scalar = key.isASCII ? Unicode.Scalar(0xE000 + key.value) ?? key : key
                utf8 += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
                starts.append(utf8.count)
            }
        }

        func ofLength(_ length: Int) -> some Sequence<ArraySlice<UInt8>> {
            zip(starts, starts.dropFirst(length)).lazy.map { utf8[$0..<$1] }
        }
    }

    private static func bits(of keys: [Unicode.Scalar]) -> Int64 {
        grams(of: keys).reduce(0) { $0 | 1 << Int64(hash(of: $1) >> 58) }
    }

    /// Two of 256 bits for each character and bigram, independent of the 64 bits; each has a bitmap.
    struct Signature {
        static let bitCount = 256
        /// The bits that are set; those of the characters come first.
        let bits: [Int]

        init(of title: Title) { self.init(of: Keyword.folded(title.text).map(CharacterKey.scalar(of:))) }

        fileprivate init(of keys: [Unicode.Scalar]) {
            var isSet = [Bool](repeating: false, count: Self.bitCount)
            bits = grams(of: keys).flatMap { gram in
                let hash = hash(of: gram)
                return [Int(hash >> 24 & 255), Int(hash >> 40 & 255)]
            }.filter { bit in
                defer { isSet[bit] = true }
                return !isSet[bit]
            }
        }
    }

    /// A number for each character, then one for each bigram.
    private static func grams(of keys: [Unicode.Scalar]) -> [UInt64] {
        keys.map { UInt64($0.value) } + zip(keys, keys.dropFirst()).map { UInt64($0.value) << 32 | UInt64($1.value) }
    }

    /// A Fibonacci hash; its upper bits are evenly distributed.
    private static func hash(of gram: UInt64) -> UInt64 {
        (gram ^ gram >> 29) &* 0x9E37_79B9_7F4A_7C15
    }
}
