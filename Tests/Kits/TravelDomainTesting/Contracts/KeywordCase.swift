import ContractTesting
import TravelDomain

/// A title, a keyword, and whether the title contains it.
struct KeywordCase: Sendable, CustomStringConvertible {
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

    /// All cases but those of ``typing``, by what their keywords consist of. Each list is typed by itself: one
    /// expression of all takes the compiler ten seconds.
    static let lists = [
        ("of parts of titles", parts), ("of signs", signs), ("with wildcards and SQL", wildcards),
        ("in other letters", foldings), ("of composed and decomposed characters", compositions), ("of emoji", emoji),
    ]

    var description: String { "'\(keyword)' \(isMatch ? "finds" : "does not find") '\(title)', \(promise)" }

    func parsed() throws -> Keyword {
        guard let keyword = Keyword(keyword) else { throw UnmetExpectation("'\(keyword)' is not a keyword") }
        return keyword
    }

    private static let parts: [KeywordCase] = [
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
        found("of two lines", "부산 밤바다", "부산\r\n밤바다"), found("with a NUL", "부산 밤바다", "부산\u{0}밤"),
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

    /// Texts that a user has typed so far, and titles that they suggest without being a part of them.
    static let typing: [KeywordCase] = [
        found("when the last syllable has only its first consonant", "부산 밤바다", "부ㅅ"),
        found("when the last syllable lacks its final consonant", "부산 밤바다", "부사"),
        found("when the first consonant of the next syllable is at the end of this one", "부산 밤바다", "붓"),
        found("when only one consonant has been typed", "부산 밤바다", "ㅂ"),
        found("when the next syllable takes one of two final consonants", "달걀 시장", "닭"),
        found("when a second final consonant is missing", "닭갈비", "달"),
        found("when a vowel is half typed", "과천 산책", "고"),
        found("when the unfinished text begins another word", "부산 밤바다", "밤ㅂ"),
        found("when the next word is being typed without a space", "부산 밤바다", "부산ㅂ"),
        found("when the next word is being typed after a space", "부산 밤바다", "부산 바"),
        found("when the word follows a sign", "2박3일 (세종)", "세ㅈ"),
        found("when the word follows an emoji", "🌊바다", "바ㄷ"),
        found("which is decomposed", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}", "부사"),
        found("when the text is decomposed", "부산", "\u{1107}\u{116E}\u{1109}\u{1161}"),
        found("when the consonant is a half-width one", "부산", "부ﾵ"),
        found("by the initials of its first word", "부산 밤바다", "ㅂㅅ"),
        found("by the initials of another word", "부산 밤바다", "ㅂㅂㄷ"),
        found("by the initials of all words", "부산 밤바다", "ㅂㅅㅂㅂㄷ"),
        found("by initials with a space", "부산 밤바다", "ㅂㅅ ㅂ"),
        found("by two initials that a keyboard has combined", "감성 여행", "ㄳ"),
        found("by initials and Latin letters", "한강 Trip", "ㅎㄱtr"),
        found("by initials and a digit", "부산 2박3일", "ㅂㅅ2"),
        found("by a doubled initial", "빨리 가자", "ㅃㄹ"),
        missing("whose initials these are only within a word", "부산 밤바다", "ㅅㅂ"),
        missing("whose initials differ from the third one on", "부산 밤바다", "ㅂㅅㅅ"),
        missing("whose first consonant is doubled", "빨리 가자", "ㅂㄹ"),
        missing("whose vowel is another one", "부산 밤바다", "부신"),
        missing("whose syllable cannot end like this", "부산 밤바다", "부산바가"),
        missing("whose next syllable begins with another consonant", "가을 바다", "갛"),
        missing("of which the text opens only a part of a word", "부산 밤바다", "사ㄴ"),
        missing("whose syllables begin with a consonant", "바다", "ㅏ"),
    ]

    private static let decomposedBusan = "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}"

    private static func found(_ promise: String, _ title: String, _ keyword: String) -> KeywordCase {
        KeywordCase(promise: promise, title: title, keyword: keyword, isMatch: true)
    }

    private static func missing(_ promise: String, _ title: String, _ keyword: String) -> KeywordCase {
        KeywordCase(promise: promise, title: title, keyword: keyword, isMatch: false)
    }

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

extension TripRepositoryContract {
    static let keywords: [ContractCheck<any TripRepository>] =
        KeywordCase.lists.map { name, cases in
            check("keyword", "keywords \(name) find the titles that contain them, and no others") { trips in
                try await trips.add(titles: cases.map(\.title))
                let folded = cases.map { Keyword.folded($0.title) }
                try await expectEach(of: zip(UInt64(0)..., cases), named: \.1.description) { seed, each in
                    let keyword = try each.parsed()
                    let expected = (0..<UInt64(cases.count)).filter { other in
                        other == seed ? each.isMatch : keyword.matches(folded: folded[Int(other)])
                    }
                    try expect(
                        try await trips.seeds(TripCriteria(keyword: keyword), among: 0..<UInt64(cases.count)),
                        equals: expected, "the trips found, where \(seed) is that one")
                }
            }
        } + [
            check("keyword", "a trip must match both a keyword and a filter") { trips in
                try await trips.add(
                    TripBuilder(seed: 1).with {
                        $0.title = "밤바다"
                        $0.region = .busan
                    },
                    TripBuilder(seed: 2).with { $0.title = "밤바다" },
                    TripBuilder(seed: 3).with { $0.region = .busan })
                let criteria = TripCriteria(keyword: Keyword("바다"), regions: [.busan])
                try expect(try await trips.seeds(criteria, among: [1, 2, 3]), equals: [1], "the trips found")
            },
            check("keyword", "the texts and the addresses of a timeline do not match") { trips in
                let entry = try TimelineEntry(
                    day: 1, time: TimeOfDay(hour: 9), title: Title("산"), text: EntryText("바다"),
                    place: Place(name: "강", address: "바다로 1"))
                try await trips.add(TripBuilder(seed: 1).with { $0.timeline = [entry] })
                let found = try await trips.ids(TripCriteria(keyword: Keyword("바다")))
                try expect(found, equals: [], "the trips found")
            },
        ]
        + TripSort.allCases.map { sort in
            check("keyword", "a keyword finds all of many, sorted by \(sort)") { trips in
                try await trips.add(
                    (1...300).map { seed in
                        try TripBuilder(seed: seed).with { $0.title = seed % 3 == 0 ? "밤바다 \(seed)" : "산 \(seed)" }
                            .build()
                    })
                let criteria = TripCriteria(keyword: Keyword("바다"), sort: sort)
                try expect(
                    try await trips.seeds(criteria, among: 1...300),
                    equals: Array(stride(from: 3, through: 300, by: 3)),
                    "the trips found")
            }
        }
}
