import TravelDomain

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
