import Testing

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
