/// The forms in which texts are compared, so that texts that look the same to a person are equal.
enum TextFolding {
    /// Folds `text` for searches: without white space and invisible characters, in ordinary characters, and without
    /// letter case.
    ///
    /// Letter case follows the full case folding of Unicode, in which `STRASSE` equals `straße`; the dot of `İ` does
    /// not count. Accents count, and so do the parts of an emoji.
    static func searchable(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        var joiner: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            // A joiner counts only between two emoji, which it makes one.
            if scalar == "\u{200D}" {
                joiner = scalar
                continue
            }
            let isTag = "\u{E0020}" <= scalar && scalar <= "\u{E007F}" && last?.properties.isEmoji == true
            guard isTag || !isInvisible(scalar) else { continue }
            if let joiner, scalar.properties.isEmoji, last?.isPartOfEmoji == true { folded.append(joiner) }
            joiner = nil
            if !isTag { last = scalar }
            append(scalar, to: &folded)
        }
        return String(folded)
    }

    /// Whether `text` folded for searches contains `keyword`, which is folded, if both consist of ASCII and composed syllables
    /// of Hangul, as most do; otherwise `nil`.
    ///
    /// Each of these scalars is a character of its own, and canonically equivalent only to itself: their bytes are compared,
    /// without an allocation.
    static func plain(_ text: String, contains keyword: String) -> Bool? {
        var (text, keyword) = (text, keyword)
        return keyword.withUTF8 { keyword in
            text.withUTF8 { text in
                guard let first = keyword.first, isPlain(keyword) else { return nil }
                return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { folded in
                    var count = 0
                    var index = 0
                    while index < text.count {
                        let byte = text[index]
                        if byte < 0x80 {
                            index += 1
                            if byte == 0x20 || 0x09 <= byte && byte <= 0x0D { continue }
                            folded[count] = lowercase(byte)
                            count += 1
                        } else {
                            guard isSyllable(text, at: index) else { return nil }
                            for offset in 0..<3 { folded[count + offset] = text[index + offset] }
                            (count, index) = (count + 3, index + 3)
                        }
                    }
                    guard count >= keyword.count else { return false }
                    // Since no scalar begins within another, no match of bytes does.
                    for start in 0...count - keyword.count where folded[start] == first {
                        var length = 1
                        while length < keyword.count, folded[start + length] == keyword[length] { length += 1 }
                        if length == keyword.count { return true }
                    }
                    return false
                }
            }
        }
    }

    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < text.count {
            if text[index] < 0x80 {
                index += 1
            } else {
                guard isSyllable(text, at: index) else { return false }
                index += 3
            }
        }
        return true
    }

    /// Whether the scalar at a place in valid UTF-8 is a syllable: from `EA B0 80` to `ED 9E A3`.
    private static func isSyllable(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        let first = text[index]
        guard 0xEA <= first, first <= 0xED else { return false }
        let rest = UInt16(text[index + 1]) << 8 | UInt16(text[index + 2])
        return (first > 0xEA || rest >= 0xB080) && (first < 0xED || rest <= 0x9EA3)
    }

    /// Folds a name, so that two names that look alike are equal: as in searches, and besides without any joiner, and
    /// with the Latin letter for a Cyrillic or Greek one whose capital or small form has the same shape.
    static func lookalike(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isInvisible(scalar) { append(scalar, to: &folded) }
        return String(String.UnicodeScalarView(folded.map { latin[$0] ?? $0 }))
    }

    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isWhitespace }
        if isSyllable(scalar) { return false }
        return scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }

    // Comparisons: a range is generic, and ten times slower in a debug build.

    private static func isSyllable(_ scalar: Unicode.Scalar) -> Bool { "\u{AC00}" <= scalar && scalar <= "\u{D7A3}" }

    private static func lowercase(_ ascii: UInt8) -> UInt8 {
        UInt8(ascii: "A") <= ascii && ascii <= UInt8(ascii: "Z") ? ascii + 0x20 : ascii
    }

    private static func append(_ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView) {
        if scalar.isASCII { return folded.append(Unicode.Scalar(lowercase(UInt8(scalar.value)))) }
        // Syllables have neither case nor width.
        if isSyllable(scalar) { return folded.append(scalar) }
        let plain = CompatibilityForms.ordinary(scalar) ?? String(scalar)
        for upper in plain.unicodeScalars.flatMap(\.properties.uppercaseMapping.unicodeScalars) {
            for lower in upper.properties.lowercaseMapping.unicodeScalars {
                // The dot of a capital İ, in lower case a mark of its own.
                if lower == "\u{307}", base(of: folded) == "i" { continue }
                // The capital ẞ has no other capital form.
                if lower == "ß" { folded.append(contentsOf: "ss".unicodeScalars) } else { folded.append(lower) }
            }
        }
    }

    /// The last scalar that is not a combining mark, of those that may form a character.
    private static func base(of text: String.UnicodeScalarView) -> Unicode.Scalar? {
        text.suffix(TextLimits.scalarsPerCharacter).last { $0.properties.canonicalCombiningClass == .notReordered }
    }

    /// Letters whose capital or small form looks like that of a Latin letter.
    private static let latin: [Unicode.Scalar: Unicode.Scalar] = [
        // Cyrillic
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "н": "h", "һ": "h", "і": "i", "ј": "j", "к": "k", "м": "m",
        "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "ԝ": "w", "х": "x", "у": "y",
        // Greek
        "α": "a", "β": "b", "ε": "e", "η": "h", "ι": "i", "κ": "k", "μ": "m", "ν": "n", "ο": "o", "ρ": "p", "τ": "t",
        "υ": "y", "χ": "x", "ζ": "z",
    ]
}

extension Unicode.Scalar {
    /// Whether the scalar can end a part of an emoji that a joiner connects.
    fileprivate var isPartOfEmoji: Bool {
        properties.isEmoji || properties.isEmojiModifier
    }
}

/// The ordinary texts for compatibility characters: `km` for `㎞`, `(주)` for `㈜`, `1/2` for `½`.
///
/// The table contains the characters of Korean and Latin keyboards and of their symbol lists: full-width and half-width
/// letters, digits, signs, kana and jamo; numbers, letters and syllables in circles and parentheses; raised and lowered
/// digits; fractions; Roman numerals; units; styled Latin letters and digits; and signs of several letters, such as
/// `℃`, `№` and `…`. It omits characters that titles rarely contain: squared words of katakana, CJK months and hours,
/// radicals, Arabic presentation forms, and variants of Greek letters.
///
/// The texts are those of Normalization Form KC (Unicode Standard Annex 15), which the standard library does not offer,
/// except that a fraction has the slash of a keyboard, and that a lone letter of Hangul is the one that a keyboard
/// types.
enum CompatibilityForms {
    /// The ordinary text for `scalar`, if it is a compatibility character.
    static func ordinary(_ scalar: Unicode.Scalar) -> String? {
        scalar.value < firstValue ? nil : texts[scalar.value]
    }

    private static let firstValue: UInt32 = 0xAA

    private static let texts = Dictionary(
        runs.flatMap { first, texts in zip(first..., texts).map { ($0, $1) } } + signs.map { ($0.value, $1) },
        uniquingKeysWith: { first, _ in first })

    /// Runs of adjacent characters: the first, and the texts for it and those that follow.
    private static let runs: [(UInt32, [String])] = [
        (0xFF01, scalars(0x21...0x7E)), (0xFFA1, scalars(0x3131...0x314E)), (0xFFC2, scalars(0x314F...0x3154)),
        (0xFFCA, scalars(0x3155...0x315A)), (0xFFD2, scalars(0x315B...0x3160)), (0xFFDA, scalars(0x3161...0x3163)),
        (
            0xFF66,
            "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
                .unicodeScalars.map { String($0) } + ["\u{3099}", "\u{309A}"]
        ),
        (0x2074, numbers(4...9)), (0x2080, numbers(0...9)),
        (0x2460, numbers(1...20)), (0x3251, numbers(21...35)), (0x32B1, numbers(36...50)),
        (0x2474, numbers(1...20).map { "(\($0))" }), (0x2488, numbers(1...20).map { "\($0)." }),
        (0x249C, letters.map { "(\($0))" }), (0x24B6, letters + letters), (0x1F130, letters),
        (0x1D400, (1...26).flatMap { _ in letters }), (0x1D7CE, (1...5).flatMap { _ in numbers(0...9) }),
        (0x2160, roman), (0x2170, roman),
        (0x2150, words("1/7 1/9 1/10 1/3 2/3 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8")),
        (0xBC, words("1/4 1/2 3/4")),
        (0x3200, (consonants + syllables + words("주 오전 오후")).map { "(\($0))" }),
        (0x3260, consonants + syllables + words("참고 주의 우")),
        (0x3371, words("hPa da AU bar oV pc dm dm2 dm3 IU")),
        (
            0x3380,
            words(
                """
                pA nA μA mA kA KB MB GB cal kcal pF nF μF μg mg kg Hz kHz MHz GHz THz μl ml dl kl fm nm μm mm cm km \
                mm2 cm2 m2 km2 mm3 cm3 m3 km3 m/s m/s2 Pa kPa MPa GPa rad rad/s rad/s2 ps ns μs ms pV nV μV mV kV MV \
                pW nW μW mW kW MW kΩ MΩ a.m. Bq cc cd C/kg Co. dB Gy ha HP in KK KM kt lm ln log lx mb mil mol PH \
                p.m. PPM PR sr Sv Wb V/m A/m
                """)
        ),
    ]

    private static let signs: [(Unicode.Scalar, String)] = [
        ("ª", "a"), ("º", "o"), ("ⁱ", "i"), ("ⁿ", "n"), ("²", "2"), ("³", "3"), ("¹", "1"), ("⁰", "0"), ("⓪", "0"),
        ("｡", "。"),
        ("｢", "「"), ("｣", "」"), ("､", "、"), ("･", "・"), ("￠", "¢"), ("￡", "£"), ("￢", "¬"), ("￤", "¦"),
        ("￥", "¥"), ("￦", "₩"), ("℃", "°C"), ("℉", "°F"), ("ℓ", "l"), ("№", "No"), ("℠", "SM"), ("℡", "TEL"),
        ("™", "TM"), ("℻", "FAX"), ("‥", ".."), ("…", "..."), ("‼", "!!"), ("⁇", "??"), ("⁈", "?!"), ("⁉", "!?"),
        // The styled letters that are not among the others.
        ("ℂ", "C"), ("ℊ", "g"), ("ℋ", "H"), ("ℌ", "H"), ("ℍ", "H"), ("ℎ", "h"), ("ℐ", "I"), ("ℑ", "I"), ("ℒ", "L"),
        ("ℕ", "N"), ("ℙ", "P"), ("ℚ", "Q"), ("ℛ", "R"), ("ℜ", "R"), ("ℝ", "R"), ("ℤ", "Z"), ("ℨ", "Z"), ("ℬ", "B"),
        ("ℭ", "C"), ("ℯ", "e"), ("ℰ", "E"), ("ℱ", "F"), ("ℳ", "M"), ("ℴ", "o"),
    ]

    private static let letters = scalars(0x61...0x7A)
    private static let roman = words("i ii iii iv v vi vii viii ix x xi xii l c d m")
    private static let consonants = words("ㄱ ㄴ ㄷ ㄹ ㅁ ㅂ ㅅ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ")
    private static let syllables = words("가 나 다 라 마 바 사 아 자 차 카 타 파 하")

    private static func words(_ list: String) -> [String] { list.split(separator: " ").map { String($0) } }

    private static func numbers(_ range: ClosedRange<Int>) -> [String] { range.map { String($0) } }

    private static func scalars(_ values: ClosedRange<UInt32>) -> [String] {
        values.map { Unicode.Scalar($0).map { String($0) } ?? "" }
    }
}

/// The letters that a person types on a Korean keyboard to write a text.
///
/// A syllable appears in steps: `부산` shows `ㅂ`, `부`, `붓`, `부사` and `부산`. As letters each step is a beginning of the
/// next one: `ㅂ`, `ㅂㅜ`, `ㅂㅜㅅ`, `ㅂㅜㅅㅏ`, `ㅂㅜㅅㅏㄴ`. The letters are those of the two-set layout (KS X 5002), in which
/// `ㅘ` is typed as `ㅗㅏ`, and `ㄳ` as `ㄱㅅ`.
enum Keystrokes {
    /// The letters of `text`; characters other than Hangul stay unchanged.
    static func of(_ text: String) -> String {
        var keystrokes = ""
        for character in text {
            if let syllable = number(of: character) {
                keystrokes += initials[syllable / 588]
                keystrokes += vowels[syllable % 588 / 28]
                keystrokes += finals[syllable % 28]
            } else {
                append(character, to: &keystrokes)
            }
        }
        return keystrokes
    }

    /// The first letter of each syllable of `text`; other characters as in ``of(_:)``.
    static func initials(of text: String) -> String {
        var letters = ""
        for character in text {
            if let syllable = number(of: character) {
                letters += initials[syllable / 588]
            } else {
                append(character, to: &letters)
            }
        }
        return letters
    }

    private static func append(_ character: Character, to text: inout String) {
        var scalars = character.unicodeScalars.makeIterator()
        if let letter = scalars.next(), scalars.next() == nil, let letters = letters[letter] {
            text += letters
        } else {
            text.append(character)
        }
    }

    /// The number of a syllable of modern Hangul, in the order of Unicode; `nil` for other characters. A syllable may
    /// be composed, decomposed, or partly decomposed (The Unicode Standard, section 3.12).
    private static func number(of character: Character) -> Int? {
        var scalars = character.unicodeScalars.makeIterator()
        // Most of other scripts are below.
        guard let first = scalars.next(), "\u{1100}" <= first, first <= "\u{D7A3}" else { return nil }
        var number: Int
        if "\u{AC00}" <= first {
            number = offset(of: first, from: "\u{AC00}")
        } else {
            let second = scalars.next()
            guard first <= "\u{1112}", case ("\u{1161}"..."\u{1175}")? = second else { return nil }
            number = offset(of: first, from: "\u{1100}") * 588 + offset(of: second, from: "\u{1161}") * 28
        }
        var next = scalars.next()
        if case ("\u{11A8}"..."\u{11C2}")? = next, number % 28 == 0 {
            number += offset(of: next, from: "\u{11A7}")
            next = scalars.next()
        }
        return next == nil ? number : nil
    }

    private static func offset(of scalar: Unicode.Scalar?, from first: Unicode.Scalar) -> Int {
        Int(scalar?.value ?? first.value) - Int(first.value)
    }

    // In the order of the syllables in Unicode.
    private static let initials = "ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ㅁ ㅂ ㅃ ㅅ ㅆ ㅇ ㅈ ㅉ ㅊ ㅋ ㅌ ㅍ ㅎ".split(separator: " ").map { String($0) }
    private static let vowels = "ㅏ ㅐ ㅑ ㅒ ㅓ ㅔ ㅕ ㅖ ㅗ ㅗㅏ ㅗㅐ ㅗㅣ ㅛ ㅜ ㅜㅓ ㅜㅔ ㅜㅣ ㅠ ㅡ ㅡㅣ ㅣ".split(separator: " ")
        .map { String($0) }
    private static let finals =
        [""]
        + "ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ".split(separator: " ")
        .map { String($0) }

    /// Letters that stand alone: those of two keystrokes, and first consonants as parts of a decomposed text.
    private static let letters: [Unicode.Scalar: String] = Dictionary(
        uniqueKeysWithValues: [
            ("ㄳ", "ㄱㅅ"), ("ㄵ", "ㄴㅈ"), ("ㄶ", "ㄴㅎ"), ("ㄺ", "ㄹㄱ"), ("ㄻ", "ㄹㅁ"), ("ㄼ", "ㄹㅂ"), ("ㄽ", "ㄹㅅ"),
            ("ㄾ", "ㄹㅌ"), ("ㄿ", "ㄹㅍ"), ("ㅀ", "ㄹㅎ"), ("ㅄ", "ㅂㅅ"), ("ㅘ", "ㅗㅏ"), ("ㅙ", "ㅗㅐ"), ("ㅚ", "ㅗㅣ"),
            ("ㅝ", "ㅜㅓ"), ("ㅞ", "ㅜㅔ"), ("ㅟ", "ㅜㅣ"), ("ㅢ", "ㅡㅣ"),
        ]
            + zip((0x1100 as UInt32)..., initials).compactMap { value, letter in
                Unicode.Scalar(value).map { ($0, letter) }
            })
}

extension Keyword {
    /// The letters that a person types to write the keyword, in its folded form; each step of writing a keyword is a
    /// beginning of the next.
    ///
    /// ```swift
    /// Keyword("부산")?.keystrokes    // "ㅂㅜㅅㅏㄴ"
    /// Keyword("붓")?.keystrokes      // "ㅂㅜㅅ": what a keyboard shows on the way to 부산
    /// ```
    public var keystrokes: String { Keystrokes.of(folded) }

    /// Whether the keyword may become a part of `title` when more is typed, or abbreviates one by its initials.
    ///
    /// That is the case when one of the title's ``Title/openings`` begins with the ``keystrokes``. A suggestion
    /// therefore stays while the user types the syllables of a word.
    ///
    /// ```swift
    /// Keyword("밤ㅂ")?.opens(try Title("부산 밤바다"))    // true
    /// Keyword("ㅂㅅ")?.opens(try Title("부산 밤바다"))    // true
    /// Keyword("산밤")?.opens(try Title("부산 밤바다"))    // false, although the title contains it
    /// ```
    public func opens(_ title: Title) -> Bool {
        let keystrokes = keystrokes
        return title.openings.contains { $0.starts(with: keystrokes) }
    }
}

extension Title {
    /// The keystrokes that write the rest of the title from its beginning or from any of its words on: all letters,
    /// as ``Keyword/keystrokes``, or the initials of its syllables alone.
    ///
    /// A word begins with a letter or digit after any other character. Only the first four words open, so that a store,
    /// which looks keywords up among the openings of its titles, has at most 8 of a title; later words are found when
    /// they are complete (``Keyword/matches(_:)-(Title)``).
    ///
    /// ```swift
    /// try Title("부산 바다").openings    // ["ㅂㅜㅅㅏㄴㅂㅏㄷㅏ", "ㅂㅏㄷㅏ", "ㅂㅅㅂㄷ", "ㅂㄷ"]
    /// ```
    public var openings: Set<String> {
        var openings: Set<String> = []
        var isWithinWord = false
        var words = 0
        for index in text.indices where words < 4 {
            let isOfWord = text[index].isLetter || text[index].isNumber
            if index == text.startIndex || isOfWord && !isWithinWord {
                words += 1
                let rest = Keyword.folded(String(text[index...]))
                openings.formUnion([Keystrokes.of(rest), Keystrokes.initials(of: rest)])
            }
            isWithinWord = isOfWord
        }
        return openings
    }
}
