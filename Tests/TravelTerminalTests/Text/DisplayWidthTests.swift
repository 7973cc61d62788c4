import Testing
import TestReporting
import TestConcurrency
@testable import TravelTerminal

@Suite("Terminal columns")
struct DisplayWidthTests {
    @Test(
        "a Korean syllable and an emoji take two columns in every encoding",
        arguments: [
            ("", 0), ("abc", 3), ("바다", 4), ("바다 a", 6), ("e\u{301}", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("🌊", 2),
            ("☀️", 2), ("🇰🇷", 2), ("👨‍👩‍👧", 2),
            ("1️⃣", 2), ("☀", 1), ("🏳️‍🌈", 2), ("👍🏽", 2), ("🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2), ("\u{301}", 0), ("\u{200B}", 0), ("ﾊ", 1), ("Ａ", 2),
            ("…·♥", 3),
            ("क्ष", 2), ("\u{1F1F0}", 1), ("é", 1), ("漢字", 4), ("ㅂㅅ", 4), ("\u{1FAE9}", 2), ("\u{7}", 1),
        ])
    func widths(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    @Test("padding counts columns, and keeps wider text unchanged")
    func padding() {
        #expect("바다".padded(toWidth: 6) == "바다  ")
        #expect("바다".padded(toWidth: 3) == "바다")
    }

    @Test("control characters become visible, and marks without a width are removed")
    func controlCharactersAreVisible() {
        #expect("a\u{1B}[31mb\u{7}".terminalSafe == "a␛[31mb␇")
        #expect("a\tb\u{7F}\u{9B}".terminalSafe == "a b␡�")
        #expect("a\u{202E}b\u{200B}\u{FEFF}c\u{AD}".terminalSafe == "abc")
        #expect("👨‍👩‍👧🏴󠁧󠁢󠁳󠁣󠁴󠁿 부산".terminalSafe == "👨‍👩‍👧🏴󠁧󠁢󠁳󠁣󠁴󠁿 부산")
    }

    @Test("the table of wide characters is in order, and has every emoji and Korean syllable")
    func table() {
        let bounds = WideRanges.bounds
        #expect(bounds.count.isMultiple(of: 2))
        for index in bounds.indices.dropFirst() {
            #expect(
                index.isMultiple(of: 2) ? bounds[index] > bounds[index - 1] + 1 : bounds[index] >= bounds[index - 1])
        }
        let narrow = (UInt32(0x80)...0x1FFFF).compactMap(Unicode.Scalar.init).filter {
            // A regional indicator is one half of a flag.
            $0.properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains($0.value)
                && !WideRanges.contains($0.value)
        }
        #expect(narrow == [])
        #expect(WideRanges.contains(0xAC00) && WideRanges.contains(0xD7A3) && !WideRanges.contains(0xD7A4))
        #expect(WideRanges.contains(0x1100) && !WideRanges.contains(0x1160) && WideRanges.contains(0x3131))
        #expect(!WideRanges.contains(0x303F) && WideRanges.contains(0x3FFFD) && !WideRanges.contains(0x10FFFF))
    }
}

@Suite("Lines", .limitedConcurrency)
struct LineBreakerTests {
    @Test(
        "lines end at spaces, or between wide clusters, and not before punctuation",
        arguments: [
            ("", 5, [""]), ("one two three", 7, ["one two", "three"]), ("a\n\nb", 9, ["a", "", "b"]),
            ("부산 밤바다를 걷다.", 10, ["부산 밤바", "다를 걷다."]), ("걷다.", 4, ["걷", "다."]), ("가(나", 4, ["가", "(나"]),
            ("abcdefgh", 3, ["abc", "def", "gh"]), ("well-known", 6, ["well-", "known"]), ("a  b", 1, ["a", "b"]),
            ("한", 1, ["한"]), ("a\r\nb\r\n", 3, ["a", "b", ""]), ("  in", 9, ["  in"]), ("👨‍👩‍👧👨‍👩‍👧", 3, ["👨‍👩‍👧", "👨‍👩‍👧"]),
        ])
    func wrapping(text: String, width: Int, lines: [String]) {
        #expect(text.wrapped(toWidth: width) == lines)
    }

    @Test("no line is wider than asked for, and no cluster is lost", arguments: 0..<UInt64(20))
    func random(seed: UInt64) {
        let pieces = ["가", "나다", "a", "bcd", " ", "  ", ".", "(", ")", "-", "\n", "🇰🇷", "👩🏽‍🚀", "e\u{301}", "，"]
        for round in 0..<UInt64(10 * SeededGenerator.factor) {
            var random = SeededGenerator(seed: seed << 32 | round)
            let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            let width = Int.random(in: 2...12, using: &random)
            let lines = text.wrapped(toWidth: width)
            #expect(lines.allSatisfy { $0.displayWidth <= width }, "seed \(seed), round \(round)")
            #expect(lines.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
        }
    }

    @Test(
        "a text that is too wide ends in an ellipsis",
        arguments: [
            ("제주 올레길", 6, "제주 …"), ("제주 올레길", 7, "제주 …"), ("제주 올레길", 11, "제주 올레길"), ("abc", 2, "a…"),
            ("abc", 1, "…"), ("abc", 0, ""), ("", 0, ""), ("👨‍👩‍👧a", 2, "…"), ("👨‍👩‍👧a", 3, "👨‍👩‍👧a"),
            ("abc", -1, ""), ("", -1, ""),
        ])
    func truncation(text: String, width: Int, result: String) {
        #expect(text.truncated(toWidth: width) == result)
        #expect(result.displayWidth <= max(0, width))
    }
}
