import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Keystrokes of Korean texts", .timeLimit(.minutes(1)))
struct KeystrokesTests {
    @Test("a keyboard that is typed the keystrokes of a text shows the text", arguments: 1...10)
    func roundTrip(seed: UInt64) throws {
        var random = TravelGenerator(seed: seed).random
        for _ in 0..<50 {
            let text = Self.syllables(Int.random(in: 1...5, using: &random), &random)
            let keyword = try #require(Keyword(text))
            #expect(Keyboard.text(of: keyword.keystrokes) == text)
        }
    }

    @Test("whatever a keyboard shows on the way to a word of a title suggests the title", arguments: 1...10)
    func steps(seed: UInt64) throws {
        var random = TravelGenerator(seed: seed).random
        for _ in 0..<20 {
            let (first, second) = (Self.syllables(3, &random), Self.syllables(4, &random))
            let title = try Title("\(first) \(second)")
            for word in [first, second, first + second] {
                let keystrokes = try #require(Keyword(word)).keystrokes
                for count in 1...keystrokes.count {
                    let shown = Keyboard.text(of: String(keystrokes.prefix(count)))
                    #expect(Keyword(shown)?.opens(title) == true, "\(shown), on the way to \(word)")
                }
            }
        }
    }

    @Test("every syllable has the keystrokes of a two-set keyboard")
    func syllables() throws {
        for (text, keystrokes) in [
            ("가", "ㄱㅏ"), ("힣", "ㅎㅣㅎ"), ("값", "ㄱㅏㅂㅅ"), ("쐈", "ㅆㅗㅏㅆ"), ("의", "ㅇㅡㅣ"), ("뷁", "ㅂㅜㅔㄹㄱ"), ("ㄳ", "ㄱㅅ"),
            ("ㅢ", "ㅡㅣ"),
            ("A1!", "a1!"), ("부\u{1109}\u{1161}\u{11AB}", "ㅂㅜㅅㅏㄴ"), ("\u{1107}", "ㅂ"),
            ("\u{1112}\u{1175}\u{11C2}", "ㅎㅣㅎ"),
            ("\u{AC00}\u{11A8}", "ㄱㅏㄱ"),
        ] {
            #expect(try #require(Keyword(text)).keystrokes == keystrokes)
        }
        let all = try (0xAC00...0xD7A3).map { try #require(Unicode.Scalar($0)) }
        #expect(Set(all.compactMap { Keyword(String($0))?.keystrokes }).count == all.count)
    }

    @Test("a title opens at each of its words, with all letters and with initials")
    func openings() throws {
        for (title, openings) in [
            ("부산 바다", ["ㅂㅜㅅㅏㄴㅂㅏㄷㅏ", "ㅂㅏㄷㅏ", "ㅂㅅㅂㄷ", "ㅂㄷ"]), ("Jeju trip", ["jejutrip", "trip"]),
            ("(주) 7㎞", ["(ㅈㅜ)7km", "ㅈㅜ)7km", "7km", "(ㅈ)7km", "ㅈ)7km"]), ("!!", ["!!"]),
            ("3박4일", ["3ㅂㅏㄱ4ㅇㅣㄹ", "3ㅂ4ㅇ"]),
        ] as [(String, Set<String>)] {
            #expect(try Title(title).openings == openings)
        }
        // Only the first four words open, and the sign before them.
        #expect(
            try Title("~a~b~c~d~e~f~g").openings == ["~a~b~c~d~e~f~g", "a~b~c~d~e~f~g", "b~c~d~e~f~g", "c~d~e~f~g"])
    }

    private static func syllables(_ count: Int, _ random: inout SeededGenerator) -> String {
        String(
            String.UnicodeScalarView(
                (0..<count).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0xAC00...0xD7A3, using: &random)) }))
    }
}

/// A two-set keyboard: composes syllables letter by letter, as input methods do.
private enum Keyboard {
    private static let initials = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")
    private static let vowels = [
        "ㅏ", "ㅐ", "ㅑ", "ㅒ", "ㅓ", "ㅔ", "ㅕ", "ㅖ", "ㅗ", "ㅗㅏ", "ㅗㅐ", "ㅗㅣ", "ㅛ", "ㅜ", "ㅜㅓ", "ㅜㅔ", "ㅜㅣ", "ㅠ", "ㅡ", "ㅡㅣ", "ㅣ",
    ]
    private static let finals = [
        "", "ㄱ", "ㄲ", "ㄱㅅ", "ㄴ", "ㄴㅈ", "ㄴㅎ", "ㄷ", "ㄹ", "ㄹㄱ", "ㄹㅁ", "ㄹㅂ", "ㄹㅅ", "ㄹㅌ", "ㄹㅍ", "ㄹㅎ", "ㅁ", "ㅂ", "ㅂㅅ", "ㅅ",
        "ㅆ",
        "ㅇ", "ㅈ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ",
    ]

    /// What the keyboard shows after these keystrokes, which end within a syllable at most.
    static func text(of keystrokes: String) -> String {
        var text = ""
        var rest = Array(keystrokes)[...]
        while let first = rest.popFirst() {
            guard let initial = initials.firstIndex(of: first), let vowel = longest(vowels, at: rest) else {
                text.append(first)
                continue
            }
            rest = rest.dropFirst(vowels[vowel].count)
            var final = longest(finals, at: rest) ?? 0
            // A consonant before a vowel begins the next syllable.
            let next = rest.dropFirst(finals[final].count).first
            if final > 0, let next, vowels.contains(String(next)) {
                final = finals.firstIndex(of: String(finals[final].dropLast())) ?? 0
            }
            rest = rest.dropFirst(finals[final].count)
            text.unicodeScalars.append(Unicode.Scalar(UInt32(0xAC00 + initial * 588 + vowel * 28 + final))!)
        }
        return text
    }

    private static func longest(_ list: [String], at letters: ArraySlice<Character>) -> Int? {
        list.indices.filter { letters.starts(with: list[$0]) }.max { list[$0].count < list[$1].count }
    }
}
