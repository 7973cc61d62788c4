import Testing
import TravelDomain

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
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isControl = scalar.properties.generalCategory == .control || ["\u{2028}", "\u{2029}"].contains(scalar)
            // Skips scalars that are far from any control character, which would take long.
            guard isControl || value < 0x3100 else { continue }
            let expected = isControl ? Violation(.title, .controlCharacter) : nil
            #expect(violation { () throws(TravelError) in _ = try Title("a\(scalar)b") } == expected)
        }
    }

    @Test(
        "a character is a grapheme cluster, regardless of its encoding",
        arguments: [
            "👨‍👩‍👧‍👦", "👩🏽‍❤️‍💋‍👨🏿", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "🇰🇷", "1\u{FE0F}\u{20E3}", "🏝️", "한",
            "\u{1112}\u{1161}\u{11AB}", "e\u{301}", "a\u{323}\u{308}\u{301}\u{302}", "नि", "か\u{3099}",
        ])
    func characters(character: String) throws {
        let (fits, tooLong) = (String(repeating: character, count: 60), String(repeating: character, count: 61))
        #expect(try Title(fits).text.unicodeScalars.elementsEqual(fits.unicodeScalars))
        #expect(
            violation { () throws(TravelError) in _ = try Title(tooLong) } == Violation(.title, .tooLong(maximum: 60)))
        let text = String(repeating: character, count: 5_000)
        #expect(try EntryText(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(
            violation { () throws(TravelError) in _ = try EntryText(text + character) }
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
