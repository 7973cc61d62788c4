import Foundation
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Rules for texts")
struct TextRulesTests {
    /// The violation of a text, or `nil`.
    private func violation(_ body: () throws(TravelError) -> Void) -> Violation? {
        do {
            try body()
        } catch .invalid(let violation) {
            return violation
        } catch {
            Issue.record("threw \(error)")
        }
        return nil
    }

    @Test(
        "a title has 1 to 60 grapheme clusters on one line",
        arguments: [
            ("a", nil), ("가나다라마바사아자차카타파하", nil), ("  가나다라마바사아자차카타파하  ", nil), ("👨‍👩‍👧🇰🇷e\u{301}하하하하하하하하하하하", nil),
            ("\u{1112}\u{1161}", nil), ("100%", nil),
            ("", .tooShort(minimum: 1)), (" \n\t", .tooShort(minimum: 1)),
            (String(repeating: "가", count: 61), .tooLong(maximum: 60)),
            ("a\nb", .controlCharacter), ("a\tb", .controlCharacter), ("a\u{0}b", .controlCharacter),
            ("a\u{2028}b", .controlCharacter), ("a\u{7F}b", .controlCharacter), ("a\r\nb", .controlCharacter),
        ] as [(String, Violation.Rule?)])
    func titles(text: String, rule: Violation.Rule?) {
        #expect(violation { () throws(TravelError) in _ = try Title(text) } == rule.map { Violation(.title, $0) })
    }

    @Test(
        "the text of an entry has 1 to 5,000 characters, line breaks included",
        arguments: [
            ("a", nil), (String(repeating: "가", count: 5_000), nil), ("a\nb\tc\r\nd\u{2028}e", nil),
            ("", .tooShort(minimum: 1)), ("\n", .tooShort(minimum: 1)),
            (String(repeating: "가", count: 5_001), .tooLong(maximum: 5_000)), ("a\u{7}b", .controlCharacter),
        ] as [(String, Violation.Rule?)])
    func entryTexts(text: String, rule: Violation.Rule?) {
        #expect(violation { () throws(TravelError) in _ = try EntryText(text) } == rule.map { Violation(.text, $0) })
    }

    @Test(
        "a nickname has 2 to 10 characters on one line",
        arguments: [
            ("민지", nil), ("abcdefghij", nil), ("👨‍👩‍👧🇰🇷", nil), (" ab ", nil),
            ("", .tooShort(minimum: 2)), ("a", .tooShort(minimum: 2)), (" a ", .tooShort(minimum: 2)),
            ("👨‍👩‍👧", .tooShort(minimum: 2)), ("abcdefghijk", .tooLong(maximum: 10)), ("a\nb", .controlCharacter),
        ] as [(String, Violation.Rule?)])
    func nicknames(text: String, rule: Violation.Rule?) {
        #expect(violation { () throws(TravelError) in _ = try Nickname(text) } == rule.map { Violation(.nickname, $0) })
    }

    @Test(
        "a place has a name of 1 to 100 characters, and an address of at most 200",
        arguments: [
            ("a", "", nil), (String(repeating: "a", count: 100), String(repeating: "b", count: 200), nil),
            (" ", "", Violation(.placeName, .tooShort(minimum: 1))),
            (String(repeating: "a", count: 101), "", Violation(.placeName, .tooLong(maximum: 100))),
            ("a\nb", "", Violation(.placeName, .controlCharacter)),
            ("a", String(repeating: "b", count: 201), Violation(.placeAddress, .tooLong(maximum: 200))),
            ("a", "b\nc", Violation(.placeAddress, .controlCharacter)),
        ] as [(String, String, Violation?)])
    func places(name: String, address: String, expected: Violation?) throws {
        let seoul = try Coordinate(latitude: 37.5, longitude: 127)
        let found = violation { () throws(TravelError) in
            _ = try Place(name: name, address: address, coordinate: seoul)
        }
        #expect(found == expected)
    }

    @Test("control characters (general category Cc) and line separators are rejected, and no others")
    func controlCharacters() {
        var differing: [Unicode.Scalar] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isSeparator = scalar == "\u{2028}" || scalar == "\u{2029}"
            let isControl = isSeparator || scalar.properties.generalCategory == .control
            // Skips scalars that are far from any control character, which would take long.
            guard isControl || value < 0x3100 else { continue }
            let expected = isControl ? Violation(.title, .controlCharacter) : nil
            let found = violation { () throws(TravelError) in _ = try Title("a\(scalar)b") }
            if found != expected { differing.append(scalar) }
        }
        #expect(differing == [])
    }

    @Test("a control character is found wherever it is in a text, and no other character is taken for one")
    func placesOfControlCharacters() throws {
        let controls: [Unicode.Scalar] = ["\0", "\n", "\u{1F}", "\u{7F}", "\u{80}", "\u{9F}", "\u{2028}", "\u{2029}"]
        let others: [Unicode.Scalar] = [" ", "!", "~", "\u{A1}", "â", "ß", "\u{2027}", "\u{202F}", "등", "\u{1F30A}"]
        for filling in ["a", "é", "섬"] {
            for (before, after) in (0..<20).flatMap({ before in (0..<10).map { (before, $0) } }) {
                func title(_ scalar: Unicode.Scalar) -> String {
                    "|" + String(repeating: filling, count: before) + "\(scalar)"
                        + String(repeating: filling, count: after) + "|"
                }
                for control in controls {
                    let found = violation { () throws(TravelError) in _ = try Title(title(control)) }
                    #expect(found == Violation(.title, .controlCharacter), "\(title(control).debugDescription)")
                }
                for other in others { #expect(try Title(title(other)).text == title(other)) }
            }
        }
    }

    @Test(
        "a character is a grapheme cluster, regardless of its encoding",
        arguments: [
            "👨‍👩‍👧‍👦", "👩🏽‍❤️‍💋‍👨🏿", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "🇰🇷", "1\u{FE0F}\u{20E3}", "🏝️", "한",
            "\u{1112}\u{1161}\u{11AB}", "e\u{301}", "a\u{323}\u{308}\u{301}\u{302}", "नि", "か\u{3099}",
        ])
    func characters(character: String) throws {
        // The rest is ASCII: a text of emoji alone reaches the limit in bytes first.
        let title = String(repeating: character, count: 55) + "titre"
        #expect(try Title(title).text.unicodeScalars.elementsEqual(title.unicodeScalars))
        #expect(
            violation { () throws(TravelError) in _ = try Title(title + "s") }
                == Violation(.title, .tooLong(maximum: 60)))
        let text = String(repeating: character, count: 1_500) + String(repeating: "a", count: 3_500)
        #expect(try EntryText(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(
            violation { () throws(TravelError) in _ = try EntryText(text + "a") }
                == Violation(.text, .tooLong(maximum: 5_000)))
        #expect(
            violation { () throws(TravelError) in _ = try Nickname(character) }
                == Violation(.nickname, .tooShort(minimum: 2)))
        #expect(try Nickname(character + character).text == character + character)
    }

    @Test(
        "text without a visible character is rejected, and invisible characters are trimmed",
        arguments: [
            " ", "\u{A0}", "\u{3000}", "\u{2028}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{2060}", "\u{AD}",
            "\u{FEFF}",
            "\u{FE0F}", "\u{3164}", "\u{115F}", "\u{202E}", "\u{E0020}", " \u{200B}\u{FEFF} ",
        ])
    func blanks(blank: String) throws {
        #expect(
            violation { () throws(TravelError) in _ = try Title(blank) } == Violation(.title, .tooShort(minimum: 1)))
        #expect(
            violation { () throws(TravelError) in _ = try EntryText(blank) } == Violation(.text, .tooShort(minimum: 1)))
        #expect(
            violation { () throws(TravelError) in _ = try Nickname(blank + "|" + blank) }
                == Violation(.nickname, .tooShort(minimum: 2)))
        #expect(Keyword(blank) == nil)
        var cuts = 0
        #expect(Title(shortening: blank, cuts: &cuts) == nil)
        #expect(try Title(" \u{200B}부산\u{3164} ").text == "부산")
    }

    @Test("a text is trimmed as far as its first and its last character with a visible scalar, whatever they are")
    func visibleEnds() {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
        }
        var differing: [Unicode.Scalar] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .control else { continue }
            // The others are far from any blank, and would take long.
            guard isBlank(scalar) || value < 0x3200 || (0x9FF0..<0x1_0010).contains(value) else { continue }
            let text = "\(scalar)섬\(scalar)"
            func isVisible(_ character: Character) -> Bool { !character.unicodeScalars.allSatisfy(isBlank) }
            let (first, last) = (text.firstIndex(where: isVisible), text.lastIndex(where: isVisible))
            let trimmed = first.flatMap { first in last.map { String(text[first...$0]) } }
            if (try? Title(text).text) != trimmed { differing.append(scalar) }
        }
        #expect(differing == [])
    }

    @Test(
        "nicknames that differ only in invisible characters are equal",
        arguments: ["\u{200B}", "\u{2060}", "\u{3164}", "\u{FE0F}"])
    func nicknamesThatLookAlike(blank: String) throws {
        #expect(try Nickname("Mi\(blank)na").folded == Nickname("mina").folded)
        #expect(try Nickname("Mi na").folded == Nickname("Mina").folded)
    }

    @Test("surrounding white space is trimmed, and inner white space is kept")
    func whiteSpace() throws {
        #expect(try Title(" 부산  밤 ").text == "부산  밤")
        #expect(try EntryText("\n a\n\nb \n").text == "a\n\nb")
        #expect(try Nickname("\u{3000}Mina ").text == "Mina")
    }

    /// One character with that many marks.
    private static func marked(_ count: Int) -> String { "e" + String(repeating: "\u{301}\u{316}", count: count / 2) }

    @Test("a text has a maximum size in UTF-8 bytes, which is checked before its length")
    func sizes() throws {
        let title = String(repeating: " ", count: 2_047) + "a"
        #expect(try Title(title).text == "a")
        func size(_ maximum: Int) -> Violation.Rule { .tooLarge(maximumBytes: maximum) }
        for text in [title + "b", Self.marked(160_000), String(repeating: "한", count: 100_000)] {
            #expect(violation { () throws(TravelError) in _ = try Title(text) } == Violation(.title, size(2_048)))
            #expect(violation { () throws(TravelError) in _ = try Nickname(text) } == Violation(.nickname, size(2_048)))
            #expect(
                violation { () throws(TravelError) in _ = try Place(name: text) } == Violation(.placeName, size(2_048)))
            #expect(
                violation { () throws(TravelError) in _ = try Place(name: "a", address: text) }
                    == Violation(.placeAddress, size(2_048)))
        }
        let text = String(repeating: "a ", count: 2_500) + String(repeating: " ", count: 60_536)
        #expect(try EntryText(text).text.count == 4_999)
        for text in [text + " ", Self.marked(160_000)] {
            #expect(violation { () throws(TravelError) in _ = try EntryText(text) } == Violation(.text, size(65_536)))
        }
    }

    @Test("a character has at most 32 code points")
    func scalarsOfCharacters() throws {
        let (longest, longer) = (Self.marked(30) + "\u{302}", Self.marked(32))
        #expect(longest.unicodeScalars.count == 32 && longer.unicodeScalars.count == 33)
        #expect(try Title(longest).text == longest)
        let rule = Violation.Rule.tooManyScalars(maximum: 32)
        #expect(violation { () throws(TravelError) in _ = try Title("a" + longer) } == Violation(.title, rule))
        #expect(violation { () throws(TravelError) in _ = try EntryText(longer) } == Violation(.text, rule))
        #expect(violation { () throws(TravelError) in _ = try Nickname(longer + "a") } == Violation(.nickname, rule))
        #expect(violation { () throws(TravelError) in _ = try Place(name: longer) } == Violation(.placeName, rule))
        #expect(
            violation { () throws(TravelError) in _ = try Password("sesame!" + longer + "\u{316}\u{316}") }
                == Violation(.password, rule))
    }

    @Test("a text that a store has is read, whatever its size")
    func storedTexts() throws {
        let large = Self.marked(20_000)
        #expect(try Title(stored: large).text == large)
        #expect(try Nickname(stored: large + "a").text == large + "a")
        #expect(try EntryText(stored: large + large).text == large + large)
        #expect(try Place(storedName: large, address: large, coordinate: nil).address == large)
        #expect(throws: TravelError.self) { try Title(stored: " ") }
    }

    @Test("a keyword keeps the first 2,048 bytes of what a person types")
    func sizeOfKeywords() throws {
        let text = "  sea" + Self.marked(160_000)
        let keyword = try #require(Keyword(text))
        #expect(keyword.text.hasPrefix("sea"))
        #expect(keyword.text.utf8.count <= 2_048)
        #expect(Keyword(String(repeating: "바다", count: 1_000))?.text.count == Keyword.maximumLength)
        // 63 bytes a character, in scalars of two: the last one that fits is whole.
        #expect(Keyword(String(repeating: Self.marked(30) + "\u{302}", count: 100))?.text.utf8.count == 2_047)
    }

    @Test("imported text of any size is shortened to fit")
    func shortenedSizes() throws {
        var cuts = 0
        let title = try #require(Title(shortening: "  sea" + Self.marked(160_000), cuts: &cuts))
        #expect(title.text.hasPrefix("sea") && title.text.hasSuffix("…"))
        #expect(try Title(title.text) == title)
        let text = try #require(EntryText(shortening: String(repeating: "👩🏽‍❤️‍💋‍👨🏿", count: 5_000), cuts: &cuts))
        #expect(try EntryText(text.text) == text)
        #expect(text.text.utf8.count > 65_000)
        let blanks = String(repeating: " ", count: 100_000)
        #expect(Title(shortening: blanks + "sea" + blanks, cuts: &cuts)?.text == "sea")
        #expect(cuts == 2)
        #expect(Title(shortening: "sea" + blanks + "wind", cuts: &cuts)?.text == "sea…")
        #expect(cuts == 3)
    }

    @Test(
        "imported text is shortened to fit, which is counted",
        arguments: [
            ("짧은 제목", "짧은 제목", 0), ("두\n줄", "두 줄", 0), ("  ", nil, 0), ("", nil, 0),
            (String(repeating: "가", count: 60), String(repeating: "가", count: 60), 0),
            (String(repeating: "가", count: 61), String(repeating: "가", count: 59) + "…", 1),
            (String(repeating: "가", count: 58) + " 나다", String(repeating: "가", count: 58) + "…", 1),
        ] as [(String, String?, Int)])
    func shortened(text: String, expected: String?, cuts: Int) {
        var counted = 0
        #expect(Title(shortening: text, cuts: &counted)?.text == expected)
        #expect(counted == cuts)
    }
}

@Suite("Comparison of texts", .timeLimit(.minutes(1)))
struct TextFoldingTests {
    @Test(
        "canonically equivalent texts fold to canonically equivalent texts",
        arguments: [
            ("İx", "I\u{307}x"), ("é", "e\u{301}"), ("Å", "\u{212B}"),
            ("부산", "\u{1107}\u{116E}\u{1109}\u{1161}\u{11AB}"),
            ("i\u{323}\u{307}", "i\u{307}\u{323}"), ("ᾳ", "α\u{345}"), ("バ", "ハ\u{3099}"), ("\u{8C48}", "\u{F900}"),
        ])
    func equivalents(a: String, b: String) {
        #expect(a == b)
        #expect(Keyword.folded(a) == Keyword.folded(b))
    }

    @Test("folding twice is folding once", arguments: 1...20)
    func idempotence(seed: UInt64) throws {
        var samples = TripGenerator(seed: seed)
        for _ in 0..<20 {
            let text = try samples.title().text
            #expect(Keyword.folded(Keyword.folded(text)) == Keyword.folded(text))
        }
        for text in ["İ", "ß", "ﬁ", "Σς", "Ⓐ①²", "ﾊﾞ", "👨‍👩‍👧 👍🏽 ❤️ 🏳️‍🌈", "ǆ ǅ Ǆ", "ŉ", "ᾳ ΐ"] {
            #expect(Keyword.folded(Keyword.folded(text)) == Keyword.folded(text))
        }
    }

    @Test("every scalar that is visible has a visible folded form")
    func visibility() throws {
        let ranges: [ClosedRange<UInt32>] = [
            0x21...0x3FF, 0x1100...0x11FF, 0x2000...0x24FF, 0x3041...0x33FF, 0xFB00...0xFFEF,
        ]
        for value in ranges.joined() {
            guard let scalar = Unicode.Scalar(value), let keyword = Keyword(String(scalar)) else { continue }
            if keyword.folded.isEmpty { Issue.record("\(value) folds to nothing") }
        }
    }

    @Test(
        "a compatibility character of Korean and Latin texts folds as its ordinary characters do",
        arguments: [
            0xBC...0xBE, 0x2070...0x2079, 0x2080...0x2089, 0x2150...0x215E, 0x2160...0x217F, 0x2460...0x24EA,
            0x3200...0x321E, 0x3251...0x327E, 0x32B1...0x32BF, 0x3371...0x337A, 0x3380...0x33DF, 0xFF01...0xFF5E,
            0xFF61...0xFF9F, 0xFFA1...0xFFDC, 0xFFE0...0xFFE2, 0x1D400...0x1D6A3, 0x1D7CE...0x1D7FF, 0x1F130...0x1F149,
        ] as [ClosedRange<UInt32>])
    func compatibility(range: ClosedRange<UInt32>) throws {
        // Fractions have the slash of a keyboard, and lone letters of Hangul are those that a keyboard types.
        var typed: [Character: Character] = ["\u{2044}": "/", "\u{2215}": "/"]
        for (value, letter) in zip(UInt32(0x1100)..., "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ") {
            typed[Character(try #require(Unicode.Scalar(value)))] = letter
        }
        for scalar in range.compactMap({ Unicode.Scalar($0) }) where !scalar.properties.isDefaultIgnorableCodePoint {
            let ordinary = String(scalar).precomposedStringWithCompatibilityMapping.map { typed[$0] ?? $0 }
            // The vowels of half-width Hangul and its compound finals have conjoining forms in Unicode.
            guard !ordinary.contains(where: { $0.unicodeScalars.contains { (0x1100...0x11FF).contains($0.value) } })
            else { continue }
            #expect(Keyword.folded(String(scalar)) == Keyword.folded(String(ordinary)), "U+\(scalar.value)")
        }
    }

    @Test("names that look alike have the same folded form, others do not")
    func lookalikes() throws {
        for (a, b, isSame) in [
            ("Mina", "Ｍina", true), ("Mina", "Мina", true), ("민지", "민 지", true), ("Kim", "Κim", true),
            ("Mina", "Mína", false), ("Мила", "Mila", false), ("Mina", "Nina", false),
        ] {
            #expect(try (Nickname(a).folded == Nickname(b).folded) == isSame, "\(a) and \(b)")
        }
    }
}

@Suite("Keystrokes of Korean texts", .timeLimit(.minutes(1)))
struct KeystrokesTests {
    @Test("a keyboard that is typed the keystrokes of a text shows the text", arguments: 1...10)
    func roundTrip(seed: UInt64) throws {
        var random = TripGenerator(seed: seed).random
        for _ in 0..<50 {
            let text = Self.syllables(Int.random(in: 1...5, using: &random), &random)
            let keyword = try #require(Keyword(text))
            #expect(Keyboard.text(of: keyword.keystrokes) == text)
        }
    }

    @Test("whatever a keyboard shows on the way to a word of a title suggests the title", arguments: 1...10)
    func steps(seed: UInt64) throws {
        var random = TripGenerator(seed: seed).random
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
