import Testing

@testable import TravelTerminal

@Suite("Terminal columns")
struct DisplayWidthTests {
    @Test(
        "a Korean syllable and an emoji take two columns in every encoding",
        arguments: [
            ("", 0), ("abc", 3), ("바다", 4), ("바다 a", 6), ("e\u{301}", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("🌊", 2),
            ("☀️", 2), ("🇰🇷", 2), ("👨‍👩‍👧", 2),
        ])
    func widths(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    @Test("padding counts columns, and keeps wider text unchanged")
    func padding() {
        #expect("바다".padded(toWidth: 6) == "바다  ")
        #expect("바다".padded(toWidth: 3) == "바다")
    }

    @Test("terminal text contains no control characters")
    func controlCharactersAreRemoved() {
        #expect("a\u{1B}[31mb\u{7}".terminalSafe == "a[31mb")
    }
}
