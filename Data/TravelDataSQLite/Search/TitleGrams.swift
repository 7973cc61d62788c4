import TravelDomain

/// What the indexes know of a title: its characters, its runs of two and of three, and how it begins.
///
/// A title can contain a keyword only if it has all of the keyword's grams; whether it does contain it is then for
/// `Keyword.matches(_:)` to say. Runs of two find a Korean word of two syllables, which an index of trigrams cannot.
///
/// All of it is stored in the file: a change of this type takes a migration.
struct TitleGrams {
    /// The grams as words of the full-text table.
    let tokens: [String]
    /// One of 64 bits for each character and run of two.
    let bits: Int64
    /// Some of its signature, enough to be rare.
    let signature: ArraySlice<Int>

    /// What a title must have to contain `keyword`: of the tokens only the longest, which are the rarest.
    init(in keyword: Keyword) {
        let keys = keyword.folded.map(CharacterKey.scalar(of:))
        tokens = Runs(of: keys).ofLength(min(keys.count, 3)).map { String(decoding: $0, as: UTF8.self) }
        bits = Self.bits(of: keys)
        // Runs of two are rarer than characters, and six bits as good as all.
        signature = Signature(of: keys).bits.suffix(6)
    }

    /// What a title that begins with `keyword` has, and hardly any other.
    static func beginning(of keyword: Keyword) -> String {
        let keys = [start] + keyword.folded.prefix(3).map(CharacterKey.scalar(of:))
        return Runs(of: keys).ofLength(keys.count).map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    /// What the indexes know of a title.
    struct Record {
        /// One of 64 bits for each character and run of two.
        let bits: Int64
        /// Two of 256 bits for each.
        let signature: Signature
        /// All tokens, as the full-text table is told them.
        let text: String
    }

    /// What the indexes know of `title`.
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

    /// What stands before the first character: a scalar of the private use area, which nobody types.
    private static let start: Unicode.Scalar = "\u{E0FF}"

    /// Neighbouring keys in UTF-8, ASCII moved to the private use area: the tokenizer keeps together what is not ASCII.
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

    /// Two of 256 bits for each character and run of two, other ones than the 64: what there is a bitmap of for each.
    struct Signature {
        static let bitCount = 256
        /// Those that are set; those of the characters first.
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

    /// A number for each character, then one for each run of two.
    private static func grams(of keys: [Unicode.Scalar]) -> [UInt64] {
        keys.map { UInt64($0.value) } + zip(keys, keys.dropFirst()).map { UInt64($0.value) << 32 | UInt64($1.value) }
    }

    /// Of its bits, the upper ones are about as often set as not (Fibonacci hashing).
    private static func hash(of gram: UInt64) -> UInt64 {
        (gram ^ gram >> 29) &* 0x9E37_79B9_7F4A_7C15
    }
}
