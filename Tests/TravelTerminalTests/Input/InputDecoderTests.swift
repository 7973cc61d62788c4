import Foundation
import TestReporting
import TestConcurrency
import Testing

@testable import TravelTerminal

@Suite("Keys from bytes", .limitedConcurrency)
struct InputDecoderTests {
    @Test(
        "a sequence of each kind of terminal is its key",
        arguments: [
            ("a", Key.character("a")), ("A", .character("A")), ("부", .character("부")), ("👨‍👩‍👧", .character("👨‍👩‍👧")),
            ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
            ("\u{3}", .control("c")), ("\u{1A}", .control("z")), ("\u{0}", .control(" ")), ("\u{1C}", .control("\\")),
            ("\u{1B}[A", .up), ("\u{1B}OB", .down), ("\u{1B}[1;5C", Key(.right, .control)),
            ("\u{1B}[D", .left), ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home), ("\u{1B}OF", .end),
            ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete),
            ("\u{1B}[2~", Key(.insert)), ("\u{1B}[3;2~", Key(.delete, .shift)), ("\u{1B}[Z", .backTab),
            ("\u{1B}OP", Key(.function(1))), ("\u{1B}[11~", Key(.function(1))), ("\u{1B}[[A", Key(.function(1))),
            ("\u{1B}[15~", Key(.function(5))), ("\u{1B}[24;5~", Key(.function(12), .control)),
            ("\u{1B}[1;2P", Key(.function(1), .shift)), ("\u{1B}x", Key(.character("x"), .alt)),
            ("\u{1B}\u{7F}", Key(.backspace, .alt)), ("\u{1B}[97;5u", .control("a")), ("\u{1B}[27u", .escape),
            ("\u{1B}[27;5;13~", Key(.enter, .control)), ("\u{1B}O5A", Key(.up, .control)), ("\u{1B}OM", .enter),
        ])
    func keys(text: String, key: Key) {
        var whole = InputDecoder()
        #expect(whole.decode(text.utf8) == [.key(key)])
        #expect(whole.timeout == nil)
        guard text.unicodeScalars.count == 1 || text.utf8.first == 0x1B else { return }
        // The same, a byte at a time.
        var divided = InputDecoder()
        #expect(text.utf8.flatMap { divided.decode([$0]) } == [.key(key)])
    }

    @Test("an escape byte is a key of its own when nothing follows, or another escape")
    func escape() {
        var decoder = InputDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.timeout == .milliseconds(50))
        #expect(decoder.flush() == [.key(.escape)])
        #expect(decoder.timeout == nil)
        #expect(decoder.flush() == [])
        #expect(decoder.decode([0x1B, 0x1B]) == [.key(.escape)])
        #expect(decoder.decode("[A".utf8) == [.key(.up)])
        #expect(decoder.decode("\u{1B}[".utf8) == [])
        #expect(decoder.flush() == [.key(Key(.character("["), .alt))])
        #expect(decoder.decode("\u{1B}[1;\u{1B}[B".utf8) == [.key(.down)])
    }

    @Test("pasted text arrives in one event, control sequences included, however its bytes are divided")
    func paste() {
        let text = "부산\n\u{1B}[A 밤바다\r"
        let bytes = Array("a\u{1B}[200~\(text)\u{1B}[201~b".utf8)
        for cut in 0...bytes.count {
            var decoder = InputDecoder()
            let events = decoder.decode(bytes[..<cut]) + decoder.decode(bytes[cut...])
            #expect(events == [.key(.character("a")), .paste(text), .key(.character("b"))])
        }
    }

    @Test("a paste without an end is delivered in time")
    func unfinishedPaste() {
        var decoder = InputDecoder()
        #expect(decoder.decode("\u{1B}[200~abc".utf8) == [])
        #expect(decoder.timeout == .seconds(2))
        #expect(decoder.flush() == [.paste("abc")])
        #expect(decoder.decode("d".utf8) == [.key(.character("d"))])
    }

    @Test("a paste of more than a megabyte arrives in parts, nothing lost")
    func longPaste() {
        var decoder = InputDecoder()
        let line = [UInt8](repeating: 0x61, count: 1 << 16)
        var pasted = 0
        var events = decoder.decode("\u{1B}[200~".utf8)
        for _ in 0..<17 { events += decoder.decode(line) }
        events += decoder.decode("\u{1B}[201~".utf8)
        for case .paste(let text) in events { pasted += text.utf8.count }
        #expect(pasted == 17 << 16)
        #expect(events.count == 2)
    }

    @Test("invalid UTF-8 becomes a replacement character, and does not hide the text that follows")
    func invalidText() {
        var decoder = InputDecoder()
        #expect(decoder.decode([0xFF, 0x61]) == [.key(.character("\u{FFFD}")), .key(.character("a"))])
        #expect(decoder.decode([0xEA, 0xB0]) == [])
        #expect(decoder.timeout != nil)
        #expect(decoder.decode([0x0D]) == [.key(.character("\u{FFFD}")), .key(.enter)])
        #expect(decoder.decode([0xED, 0xA0, 0x80]).allSatisfy { $0 == .key(.character("\u{FFFD}")) })
    }

    @Test("reports, mouse sequences and titles are ignored")
    func ignored() {
        var decoder = InputDecoder()
        let sequences = "\u{1B}[12;40R\u{1B}[?1;2c\u{1B}[I\u{1B}]0;title\u{7}\u{1B}P1$r0m\u{1B}\\\u{1B}[<0;3;4M"
        #expect(decoder.decode("\(sequences)x".utf8) == [.key(.character("x"))])
        #expect(decoder.decode("\u{1B}[M !!\u{1B}[M#AAq".utf8) == [.key(.character("q"))])
        #expect(decoder.decode("\u{1B}[\(String(repeating: "1;", count: 100))A\u{1B}[A".utf8).last == .key(.up))
    }

    @Test("random bytes never crash, keep little, and leave the decoder usable", arguments: 0..<UInt64(4))
    func randomBytes(seed: UInt64) {
        // 64 kB in an ordinary run; TERMINAL_ROUNDS=160 makes it 10 MB.
        var random = SeededGenerator(seed: seed)
        var decoder = InputDecoder()
        let starts = ["\u{1B}[", "\u{1B}O", "\u{1B}", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}]", "가", "\u{1B}[1;"].map {
            Array($0.utf8)
        }
        var count = 0
        while count < 16_384 * SeededGenerator.factor {
            var bytes = (0..<Int.random(in: 1...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes = starts.randomElement(using: &random)! + bytes }
            count += bytes.count
            _ = decoder.decode(bytes)
            if Int.random(in: 0..<8, using: &random) == 0 { _ = decoder.flush() }
        }
        _ = decoder.flush()
        #expect(decoder.timeout == nil)
        #expect(decoder.decode("q".utf8) == [.key(.character("q"))])
    }
}
