import TravelDomain

/// A title, a keyword, and whether the title contains it.
struct KeywordCase: Sendable {
    let promise: String
    let title: String
    let keyword: String
    let isMatch: Bool

    /// Whether the title does not contain the keyword, but is suggested while it is being typed.
    var isUnfinished: Bool {
        guard !isMatch, let keyword = Keyword(keyword), let title = try? Title(title) else { return false }
        return keyword.opens(title)
    }

    /// A title of the maximum length.
    private static let longTitle = String(repeating: "가나다라마바사 ", count: 7) + "마지막말"

    /// Each list is typed by itself: one expression of all takes the compiler ten seconds.
    static let all = [places, signs, wildcards, foldings, compositions, emoji].flatMap(\.self)

    private static let places: [KeywordCase] = [
        found("at the end", "부산 밤바다", "바다"), found("at the beginning", "부산 밤바다", "부산"),
        found("in the middle of a word", "부산 밤바다여행", "밤바"), found("as the whole title", "부산", "부산"),
        found("of one syllable at the beginning", "부산", "부"), found("of one syllable at the end", "부산", "산"),
        found("across a space", "부산 여행", "산 여"), found("of three syllables", "속초 겨울바다", "울바다"),
        found("of 14 characters", "가나다라마바사아자차카타파하", "가나다라마바사아자차카타파하"),
        found("of 60 characters", longTitle, longTitle), found("at the end of 60 characters", longTitle, "마지막말"),
        missing("of 61 characters", longTitle, longTitle + "끝"),
        found("with surrounding white space", "부산 바다", "  바다 "), found("of digits", "2024 여름", "02"),
        missing("longer than the title", "부산", "부산 " + "여행"),
        missing("whose parts are separate in the title", "부여 산행", "부산"),
        missing("with its syllables in another order", "부산", "산부"),
        missing("repeated more often than in the title", "바바", "바바바"),
        missing("whose syllable is only a part of another", "각산", "가"),
        missing("of a lone letter of a syllable", "부산", "ㅂ"), found("with one space for two", "a  b", "a b"),
        found("without a space of the title", "부산 밤바다", "부산밤바다"),
        found("with a space within a word", "밤바다", "밤 바다"),
        found("with other white space", "부산\u{3000}밤바다", "산\u{A0}밤"),
        found("in a title with an invisible character", "부\u{200B}산", "부산"),
        found("with an invisible joiner", "부산", "부\u{200D}산"), found("with a soft hyphen", "seoul", "seo\u{AD}ul"),
    ]

    private static let signs: [KeywordCase] = [
        "%", "_", "*", "?", "'", "\"", "\\", "[", "]", "(", ")", "-", ":", "^", "+", "&", ";", "#", "/", "`", "{", "~",
    ].flatMap { sign in
        [
            found("\(sign), which matches itself,", "별 \(sign) 바다", sign),
            missing("\(sign), which matches nothing else,", "별 바다", sign),
        ]
    }

    private static let wildcards: [KeywordCase] = [
        found("with % inside", "100% 완주", "0% 완"), missing("with % inside, as a wildcard", "10 완주", "1%주"),
        found("with _ inside", "a_b", "a_b"), missing("with _ inside, as a wildcard", "axb", "a_b"),
        missing("with * at the end, as a prefix", "바다여행", "바다*"), found("with ' inside", "it's a trip", "t's"),
        missing("with ' that would end a text", "부산", "' OR '1'='1"), found("with a doubled quote", "a''b", "''"),
        missing("with OR between two words", "부산", "부산 OR 여행"), missing("with NOT before a word", "부산", "NOT 여행"),
        missing("of two words in another order", "바다 부산", "부산 바다"),
    ]

    private static let foldings: [KeywordCase] = [
        found("in another case", "Summer in Jeju", "SUMMER IN j"), found("in mixed case", "sEoUl", "SeOuL"),
        found("in another case of Cyrillic", "МОСКВА", "москва"),
        found("in another case of Greek", "αθήνα", "ΑΘΉΝΑ"),
        found("in another case of an accented letter", "École", "ÉCOLE"),
        missing("without an accent of the title", "École", "ecole"),
        missing("with an additional accent", "Ecole", "école"), found("with ss for ß", "Straße", "STRASSE"),
        found("with ß for ss", "STRASSE", "straße"),
        found("with the capital ẞ for ß", "Straße", "STRAẞE"), found("with i for İ", "İstanbul", "istanbul"),
        found("with İ for i", "istanbul", "İSTAN"), found("with σ for a final ς", "ΣΕΟΥΛΣ", "σεουλς"),
        found("after İ", "İstanbul", "STANBUL"), found("of full-width letters in another case", "ＪＥＪＵ", "ｊｅｊｕ"),
        found("in half-width letters", "ＪＥＪＵ", "jeju"), found("in full-width letters", "Jeju", "ｊｅｊｕ"),
        found("in half-width kana", "ハロー", "ﾊﾛｰ"), found("in half-width kana with a mark", "バス", "ﾊﾞｽ"),
        found("with a digit for a circled one", "①코스", "1코스"), found("with km for the unit ㎞", "7㎞ 산책", "7km"),
        found("of the unit ㎡ in letters", "m2 여행", "㎡"),
        found("with letters for the company sign ㈜", "㈜바다", "(주)바"),
        found("with three characters for ½", "½ 코스", "1/2코"),
        found("with letters for a Roman numeral", "코스 Ⅳ", "iv"),
        found("with dots for an ellipsis", "그리고… 바다", "고..."), found("of styled letters", "jeju", "𝓙𝓮𝓳𝓾"),
        found("with fi for the ligature ﬁ", "ﬁn", "fin"),
        found("with k for the Kelvin sign", "\u{212A}orea", "korea"),
        found("with the letter å for the Ångström sign", "\u{212B}land", "å"),
        found("with ω for the ohm sign", "\u{2126} trip", "ω"),
    ]

    private static let compositions: [KeywordCase] = [
        found("composed, in a decomposed title", decomposedBusan + " 바다", "부산"),
        found("decomposed, in a composed title", "부산 바다", decomposedBusan),
        found("decomposed, in a decomposed title", decomposedBusan, decomposedBusan),
        found("half decomposed, in a composed title", "부산", "부\u{1109}\u{1161}\u{11AB}"),
        found("of a final consonant apart from its syllable", "부산", "부사\u{11AB}"),
        missing("of a decomposed syllable without its final consonant", "부산", "\u{1109}\u{1161}"),
        missing("of a first consonant of a decomposed syllable", decomposedBusan, "\u{1107}"),
        found("with a composed accent, in a decomposed title", "cafe\u{301} trip", "fé"),
        found("with a decomposed accent, in a composed title", "café trip", "fe\u{301}"),
        missing("without a decomposed accent of the title", "cafe\u{301}", "cafe"),
        found("with accents in another order", "a\u{323}\u{308} b", "a\u{308}\u{323}"),
        found("with a voiced kana decomposed", "がんばる", "か\u{3099}"),
        missing("with a kana without its voicing mark", "か\u{3099}んばる", "か"),
        found("of a compatibility ideograph", "\u{8C48}国", "\u{F900}"), found("of ideographs", "京都 여행", "都 여"),
        found("for a compatibility ideograph", "\u{F900}国", "\u{8C48}国"),
        found("with ; for its Greek twin", "a\u{37E}b", ";"),
        found("in another case of a decomposed accent", "E\u{301}cole", "éc"),
    ]

    private static let emoji: [KeywordCase] = [
        found("of an emoji", "제주 🏝️ 여행", "🏝️"), found("of two emoji", "🌊🏝️", "🌊🏝️"),
        found("of an emoji and a syllable", "🌊바다", "🌊바"), missing("of another emoji", "🌊", "🌋"),
        missing("of one person of a family emoji", "👨‍👩‍👧 여행", "👩"), found("of a family emoji", "우리 👨‍👩‍👧 여행", "👨‍👩‍👧"),
        missing("of an emoji without its skin tone", "👍🏽", "👍"), found("of a flag", "🇰🇷🇯🇵", "🇯🇵"),
        found("of an emoji without its variation selector", "제주 ❤️", "❤"),
        missing("of one part of a joined flag", "🏳️‍🌈", "🌈"),
        missing("of a flag made of two others", "🇰🇷🇺🇸", "🇷🇺"),
    ]

    private static let decomposedBusan = "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}"

    private static func found(_ promise: String, _ title: String, _ keyword: String) -> KeywordCase {
        KeywordCase(promise: promise, title: title, keyword: keyword, isMatch: true)
    }

    private static func missing(_ promise: String, _ title: String, _ keyword: String) -> KeywordCase {
        KeywordCase(promise: promise, title: title, keyword: keyword, isMatch: false)
    }
}

/// A text that a person has typed so far, a title, and whether the text suggests the title without being a part of it.
struct TypingCase: Sendable {
    let text: String
    let title: String
    let isSuggestion: Bool
    let reason: String

    static let all: [TypingCase] = [
        suggests("부ㅅ", "부산 밤바다", "when the last syllable has only its first consonant"),
        suggests("부사", "부산 밤바다", "when the last syllable lacks its final consonant"),
        suggests("붓", "부산 밤바다", "when the first consonant of the next syllable is at the end of this one"),
        suggests("ㅂ", "부산 밤바다", "when only one consonant has been typed"),
        suggests("닭", "달걀 시장", "when the next syllable takes one of two final consonants"),
        suggests("달", "닭갈비", "when a second final consonant is missing"),
        suggests("고", "과천 산책", "when a vowel is half typed"),
        suggests("밤ㅂ", "부산 밤바다", "when the unfinished text begins another word"),
        suggests("부산ㅂ", "부산 밤바다", "when the next word is being typed without a space"),
        suggests("부산 바", "부산 밤바다", "when the next word is being typed after a space"),
        suggests("세ㅈ", "2박3일 (세종)", "when the word follows a sign"),
        suggests("바ㄷ", "🌊바다", "when the word follows an emoji"),
        suggests("부사", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}", "which is decomposed"),
        suggests("\u{1107}\u{116E}\u{1109}\u{1161}", "부산", "when the text is decomposed"),
        suggests("부ﾵ", "부산", "when the consonant is a half-width one"),
        suggests("ㅂㅅ", "부산 밤바다", "by the initials of its first word"),
        suggests("ㅂㅂㄷ", "부산 밤바다", "by the initials of another word"),
        suggests("ㅂㅅㅂㅂㄷ", "부산 밤바다", "by the initials of all words"),
        suggests("ㅂㅅ ㅂ", "부산 밤바다", "by initials with a space"),
        suggests("ㄳ", "감성 여행", "by two initials that a keyboard has combined"),
        suggests("ㅎㄱtr", "한강 Trip", "by initials and Latin letters"),
        suggests("ㅂㅅ2", "부산 2박3일", "by initials and a digit"),
        suggests("ㅃㄹ", "빨리 가자", "by a doubled initial"),
        doesNotSuggest("ㅅㅂ", "부산 밤바다", "whose initials these are only within a word"),
        doesNotSuggest("ㅂㅅㅅ", "부산 밤바다", "whose initials differ from the third one on"),
        doesNotSuggest("ㅂㄹ", "빨리 가자", "whose first consonant is doubled"),
        doesNotSuggest("부신", "부산 밤바다", "whose vowel is another one"),
        doesNotSuggest("부산바가", "부산 밤바다", "whose syllable cannot end like this"),
        doesNotSuggest("갛", "가을 바다", "whose next syllable begins with another consonant"),
        doesNotSuggest("사ㄴ", "부산 밤바다", "of which the text opens only a part of a word"),
        doesNotSuggest("ㅏ", "바다", "whose syllables begin with a consonant"),
    ]

    /// A text on the way to a random word of `title`, or some of its initials.
    static func unfinished(_ title: Title, _ random: inout some RandomNumberGenerator) -> String {
        let words = title.text.split(separator: " ")
        let characters = words.dropFirst(Int.random(in: 0..<words.count, using: &random)).joined()
        let first = characters.prefix(Int.random(in: 1...3, using: &random))
        guard let last = first.last else { return "" }
        switch Int.random(in: 0...2, using: &random) {
        case 0: return first.dropLast() + String(last.withoutFinalConsonant)
        case 1: return first.dropLast() + String(last.firstConsonant)
        default: return String(first.map(\.firstConsonant))
        }
    }

    private static func suggests(_ text: String, _ title: String, _ reason: String) -> TypingCase {
        TypingCase(text: text, title: title, isSuggestion: true, reason: reason)
    }

    private static func doesNotSuggest(_ text: String, _ title: String, _ reason: String) -> TypingCase {
        TypingCase(text: text, title: title, isSuggestion: false, reason: reason)
    }
}

extension Character {
    /// The number of a composed syllable of Hangul.
    private var syllable: UInt32? {
        guard let scalar = unicodeScalars.first, ("\u{AC00}"..."\u{D7A3}").contains(scalar) else { return nil }
        return scalar.value - 0xAC00
    }

    fileprivate var withoutFinalConsonant: Character {
        syllable.flatMap { Unicode.Scalar($0 / 28 * 28 + 0xAC00) }.map { Character($0) } ?? self
    }

    fileprivate var firstConsonant: Character {
        syllable.map { Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")[Int($0 / 588)] } ?? self
    }
}

extension TravelRepositoryContract {
    static let keywords: [ContractCheck<any TravelRepository>] =
        KeywordCase.all.map { keyword in
            check("keyword", "a keyword \(keyword.promise) is \(keyword.isMatch ? "found" : "not found")") { travels in
                try await travels.add(
                    TravelBuilder(seed: 1).with { $0.title = keyword.title },
                    TravelBuilder(seed: 2).with { $0.title = "다른 곳" })
                let criteria = TravelCriteria(keyword: Keyword(keyword.keyword))
                try expect(
                    try await travels.seeds(criteria, among: [1, 2]), equals: keyword.isMatch ? [1] : [],
                    "the trips found by '\(keyword.keyword)', where trip 1 has the title '\(keyword.title)'")
            }
        } + [
            check("keyword", "a trip must match both a keyword and a filter") { travels in
                try await travels.add(
                    TravelBuilder(seed: 1).with {
                        $0.title = "밤바다"
                        $0.region = .busan
                    },
                    TravelBuilder(seed: 2).with { $0.title = "밤바다" },
                    TravelBuilder(seed: 3).with { $0.region = .busan })
                let criteria = TravelCriteria(keyword: Keyword("바다"), regions: [.busan])
                try expect(try await travels.seeds(criteria, among: [1, 2, 3]), equals: [1], "the trips found")
            },
            check("keyword", "the text of a timeline does not match") { travels in
                let entry = try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: 9), title: Title("바다"), text: EntryText("바다"))
                try await travels.add(TravelBuilder(seed: 1).with { $0.timeline = [entry] })
                let found = try await travels.ids(TravelCriteria(keyword: Keyword("바다")))
                try expect(found, equals: [], "the trips found")
            },
        ]
        + TravelSort.allCases.map { sort in
            check("keyword", "a keyword finds all of many, sorted by \(sort)") { travels in
                try await travels.add(
                    (1...300).map { seed in
                        try TravelBuilder(seed: seed).with { $0.title = seed % 3 == 0 ? "밤바다 \(seed)" : "산 \(seed)" }
                            .build()
                    })
                let criteria = TravelCriteria(keyword: Keyword("바다"), sort: sort)
                try expect(
                    try await travels.seeds(criteria, among: 1...300),
                    equals: Array(stride(from: 3, through: 300, by: 3)),
                    "the trips found")
            }
        }
}
