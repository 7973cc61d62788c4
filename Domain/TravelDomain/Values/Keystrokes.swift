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
        if let letters = letters[character] { text += letters } else { text.append(character) }
    }

    /// The number of a syllable of modern Hangul, in the order of Unicode; `nil` for other characters. A syllable may
    /// be composed, decomposed, or partly decomposed (The Unicode Standard, section 3.12).
    private static func number(of character: Character) -> Int? {
        var scalars = character.unicodeScalars.makeIterator()
        var next = scalars.next()
        var number: Int
        switch next {
        case ("\u{AC00}"..."\u{D7A3}")?: number = offset(of: next, from: "\u{AC00}")
        case ("\u{1100}"..."\u{1112}")?:
            number = offset(of: next, from: "\u{1100}") * 588
            next = scalars.next()
            guard case ("\u{1161}"..."\u{1175}")? = next else { return nil }
            number += offset(of: next, from: "\u{1161}") * 28
        default: return nil
        }
        next = scalars.next()
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
    private static let letters: [Character: String] = Dictionary(
        uniqueKeysWithValues: [
            ("ㄳ", "ㄱㅅ"), ("ㄵ", "ㄴㅈ"), ("ㄶ", "ㄴㅎ"), ("ㄺ", "ㄹㄱ"), ("ㄻ", "ㄹㅁ"), ("ㄼ", "ㄹㅂ"), ("ㄽ", "ㄹㅅ"),
            ("ㄾ", "ㄹㅌ"), ("ㄿ", "ㄹㅍ"), ("ㅀ", "ㄹㅎ"), ("ㅄ", "ㅂㅅ"), ("ㅘ", "ㅗㅏ"), ("ㅙ", "ㅗㅐ"), ("ㅚ", "ㅗㅣ"),
            ("ㅝ", "ㅜㅓ"), ("ㅞ", "ㅜㅔ"), ("ㅟ", "ㅜㅣ"), ("ㅢ", "ㅡㅣ"),
        ]
            + zip((0x1100 as UInt32)..., initials).compactMap { value, letter in
                Unicode.Scalar(value).map { (Character($0), letter) }
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
    /// therefore stays while the person types the syllables of a word.
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
    /// they are complete (``Keyword/matches(_:)``).
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
