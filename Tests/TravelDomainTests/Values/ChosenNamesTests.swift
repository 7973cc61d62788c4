import Testing
import TravelDataInMemory
import TravelDomainTesting

@testable import TravelDomain

@Suite("Nicknames that look alike", .timeLimit(.minutes(1)))
struct LookalikeTests {
    @Test(
        "nicknames that look alike by the confusables of Unicode look alike, whatever their letter case",
        arguments: [
            ("admin", "аdmin"), ("admin", "аԁmіn"), ("Mina", "rnina"), ("MINA", "rnlna"), ("modern", "modem"),
            ("paypal", "PaypaI"), ("admin", "ADMlN"), ("lily", "1i1y"), ("root", "r00t"), ("B0B", "ВОВ"), ("OO", "ΟΟ"),
            ("vovo", "νονο"), ("NINA", "ΝΙΝΑ"), ("Kim", "Κim"), ("cocoa", "сосоа"), ("Mina", "Ｍｉｎａ"), ("mina", "𝓶𝓲𝓷𝓪"),
            ("toto", "тοтο"), ("SSSS", "ՏՏՏՏ"), ("Ꮪam", "Sam"), ("aa", "ɑɑ"), ("ロロ", "口口"), ("力力", "カカ"), ("二二", "ニニ"),
            ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"), ("민지", "민\u{200B} 지"),
            ("Ångel", "A\u{30A}ngel"),
            ("e\u{301}\u{323}a", "e\u{323}\u{301}a"),
        ])
    func alike(a: String, b: String) throws {
        #expect(try Nickname(a).looksLike(Nickname(b)) && Nickname(b).looksLike(Nickname(a)))
    }

    @Test(
        "nicknames that do not look alike differ",
        arguments: [
            ("Mina", "Nina"), ("Nina", "Vina"), ("Mina", "Mína"), ("민지", "민자"), ("Мила", "Mila"), ("user1", "user2"),
            ("さくら", "サクラ"), ("각하", "가하"), ("🌊🌊", "🌊🏝️"), ("a%", "ab"), ("Hana", "Nana"), ("Sora", "5ora"),
        ])
    func different(a: String, b: String) throws {
        #expect(try !Nickname(a).looksLike(Nickname(b)))
    }

    @Test("every character looks like what the table of confusables says")
    func table() {
        let groups = UnicodeNames.groups(of: UnicodeNames.confusableText)
        #expect(groups.reduce(0) { $0 + $1.characters.count } == 5_247)
        for (key, characters) in groups {
            let target = String(
                String.UnicodeScalarView(
                    key.split(separator: "+").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }))
            let skeleton = Confusables.skeleton(target)
            for (character, _) in characters {
                #expect(Confusables.skeleton(String(character)) == skeleton, "\(character.label)")
            }
        }
    }

    // Those of ICU 72, in lower case, and again until they stay.
    @Test(
        "skeletons are those of ICU",
        arguments: [
            ("Mina", "rnlna"), ("Ǉ", "lj"), ("ҋ", "ᴎ\u{326}\u{306}"), ("½", "½"), ("ﮤ", "o\u{654}"), ("ǅ", "dz\u{306}"),
            ("№", "no"), ("Œuvre", "oeuvre"), ("ﬃ", "ffl"), ("㈝", "(\u{110B}\u{1169}\u{110C}\u{1165}\u{1102})"),
            ("ロ", "口"),
            ("ηι", "n\u{329}l"), ("ﷲ", "l\u{644}\u{644}\u{651}\u{670}o"), ("가", "\u{1100}\u{1161}"),
        ])
    func reference(text: String, skeleton: String) {
        #expect(Confusables.skeleton(text).unicodeScalars.elementsEqual(skeleton.unicodeScalars))
    }

    @Test("the skeleton of a skeleton is itself, for each character and for random texts")
    func idempotence() {
        func check(_ text: String) {
            let skeleton = Confusables.skeleton(text)
            #expect(
                Confusables.skeleton(skeleton).unicodeScalars.elementsEqual(skeleton.unicodeScalars),
                "\(text.unicodeScalars.map(\.point))")
        }
        let scalars = (UInt32(0)..<0x3_0000).compactMap(Unicode.Scalar.init).filter {
            !(0x3400..<0xA000).contains($0.value) && !(0xAC00..<0xD7A4).contains($0.value) && $0.value < 0x2_0000
                && $0.properties.generalCategory != .unassigned
        }
        for scalar in scalars { check(String(scalar)) }
        var random = TripGenerator(seed: 1).random
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 2...10, using: &random)).compactMap { _ in
                scalars.randomElement(using: &random)
            }
            check(String(String.UnicodeScalarView(text)))
        }
    }

    @Test("nicknames that differ in letter case, width or encoding look alike, for random names", arguments: 1...5)
    func variants(seed: UInt64) throws {
        var random = TripGenerator(seed: seed).random
        let letters =
            "abcdefghijklmnopqrstuvwxyzßéøæñ1l0OABCDEFGHIJKMабвгдежиклмнопрстуфхцчшαβγδεζηθικλμνξοπρστυφχψω가민지나다"
        for _ in 0..<200 {
            let text = String(
                (0..<Int.random(in: 2...5, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
            let name = try Nickname(text)
            for other in [text.uppercased(), text.lowercased(), text.normalized, text.decomposed] {
                #expect(try name.looksLike(Nickname(other)), "\(text) and \(other)")
            }
        }
    }
}
