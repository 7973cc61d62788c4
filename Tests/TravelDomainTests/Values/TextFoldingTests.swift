import Foundation
import Testing
import TravelDomain
import TravelDomainTesting

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
        var samples = TravelGenerator(seed: seed)
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
