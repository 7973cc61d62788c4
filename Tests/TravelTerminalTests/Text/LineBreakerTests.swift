import TestReporting
import TestTurns
import Testing

@testable import TravelTerminal

@Suite("Lines", .takesTurns(within: .seconds(60)))
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
        ])
    func truncation(text: String, width: Int, result: String) {
        #expect(text.truncated(toWidth: width) == result)
        #expect(result.displayWidth <= width)
    }
}
