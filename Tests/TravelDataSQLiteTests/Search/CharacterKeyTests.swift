import TestConcurrency
import Testing
import TravelDataShared
import TravelDomain

@testable import TravelDataSQLite

@Suite("Keys of characters", .limitedConcurrency)
struct CharacterKeyTests {
    @Test("every Hangul syllable has its own key, equal for both compositions")
    func syllables() {
        for value in UInt32(0xAC00)...0xD7A3 {
            guard let syllable = Unicode.Scalar(value) else { continue }
            #expect(CharacterKey.scalar(of: Character(syllable)) == syllable)
            #expect(CharacterKey.scalar(of: decomposed(syllable)) == syllable)
        }
    }

    @Test("every ASCII character has its own key, equal for canonically equivalent characters")
    func ascii() {
        for value in UInt32(0x20)...0x7E {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(CharacterKey.scalar(of: Character(scalar)) == scalar)
        }
        #expect(CharacterKey.scalar(of: "\u{37E}") == ";")
        #expect(CharacterKey.scalar(of: "\u{1FEF}") == "`")
        #expect(CharacterKey.scalar(of: "\u{212A}") == "K")
    }

    @Test(
        "equivalent characters have the same key",
        arguments: [
            ("é", "e\u{301}"), ("ệ", "e\u{323}\u{302}"), ("ệ", "e\u{302}\u{323}"), ("Å", "\u{212B}"),
            ("が", "か\u{3099}"),
            ("\u{8C48}", "\u{F900}"), ("क़", "\u{915}\u{93C}"), ("\u{958}", "\u{915}\u{93C}"), ("ᾳ", "α\u{345}"),
            ("\u{2ADC}", "\u{2ADD}\u{338}"), ("\u{1D15E}", "\u{1D157}\u{1D165}"),
            ("a\u{323}\u{308}", "a\u{308}\u{323}"),
        ] as [(Character, Character)])
    func equivalents(a: Character, b: Character) {
        #expect(a == b)
        #expect(CharacterKey.scalar(of: a) == CharacterKey.scalar(of: b))
    }

    @Test("characters of one scalar rarely share a key")
    func distinctness() {
        let characters = "京都東京日本語カメラひらがなабвгдαβγδ🏝🌊🔥⛰️áàâäéèêëñçøßþ".map { $0 }
        #expect(Set(characters.map(CharacterKey.scalar(of:))).count == Set(characters).count)
    }

    private func decomposed(_ syllable: Unicode.Scalar) -> Character {
        let index = syllable.value - 0xAC00
        var scalars = String.UnicodeScalarView()
        for value in [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28] where value != 0x11A7 {
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        return Character(String(scalars))
    }
}
