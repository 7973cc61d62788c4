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

@Suite("Names and passwords that someone chooses", .timeLimit(.minutes(1)))
struct ChoiceTests {
    private func rule(_ body: () throws(TravelError) -> Void) -> Violation.Rule? {
        do {
            try body()
        } catch .invalid(let violation) {
            return violation.rule
        } catch {
            Issue.record(error)
        }
        return nil
    }

    private func rule(of nickname: String) throws -> Violation.Rule? {
        let nickname = try Nickname(nickname)
        return rule(nickname.requireChoosable)
    }

    @Test(
        "a nickname of one writing system can be chosen, and Korean, Japanese or Chinese with Latin letters",
        arguments: [
            "Mina", "mina_2", "O'Neil", "Jean-Luc", "민지", "민지 Kim", "金민지", "Mina金민지", "ㅋㅋ민지", "さくら", "サクラ", "桜さくらA",
            "ラーメン",
            "李小龍", "ㄅㄆABC", "Наталья", "Ελένη", "नेहा", "สมชาย", "محمد", "Ångström", "A\u{30A}ngstrom", "École",
            "\u{1106}\u{1175}\u{11AB}\u{110C}\u{1175}", "Ｍｉｎａ", "①②", "민지🌊", "👨‍👩‍👧Kim", "🏳️‍🌈🇰🇷", "1️⃣2️⃣", "👍🏽민지", "ﾐﾅ", "𝓶𝓲𝓷𝓪",
            "❤민지",
        ])
    func choosable(nickname: String) throws {
        #expect(try rule(of: nickname) == nil)
    }

    @Test(
        "a nickname that mixes other writing systems cannot be chosen",
        arguments: ["аdmin", "Κim", "Мina", "민지ж", "가か", "ㄅか", "Sαm", "ՏՏa", "민지カ", "Мм🌊a"])
    func mixed(nickname: String) throws {
        #expect(try rule(of: nickname) == .mixedScripts)
    }

    @Test(
        "an invisible or unusual character cannot be chosen, and the error names it",
        arguments: [
            "\u{200B}", "\u{200C}", "\u{200D}", "\u{200E}", "\u{202E}", "\u{2066}", "\u{2060}", "\u{FEFF}", "\u{AD}",
            "\u{FE0F}", "\u{3164}", "\u{115F}", "\u{E0041}", "\u{A0}", "\u{3000}", "<", "/", "★", "ɑ", "Ꭺ", "\u{E000}",
            "\u{378}",
        ] as [Unicode.Scalar])
    func unusable(character: Unicode.Scalar) throws {
        #expect(try rule(of: "Mi\(character)na") == .unusableCharacter(character))
        let error = TravelError.invalid(.init(.nickname, .unusableCharacter(character)))
        #expect(error.description.contains(character.point))
    }

    @Test("a joiner, a selector or a tag that is no part of an emoji cannot be chosen")
    func partsOfEmoji() throws {
        #expect(try rule(of: "🌊\u{200D}a") == .unusableCharacter("\u{200D}"))
        #expect(try rule(of: "🌊\u{E0041}a") == .unusableCharacter("\u{E0041}"))
        #expect(try rule(of: "1\u{FE0F}b") == .unusableCharacter("\u{FE0F}"))
        #expect(try rule(of: "a\u{FE0F}b") == .unusableCharacter("\u{FE0F}"))
    }

    @Test("a control character is refused as in any nickname")
    func controls() {
        #expect(throws: TravelError.invalid(.init(.nickname, .controlCharacter))) { try Nickname("Mi\u{7}na") }
        #expect(throws: TravelError.invalid(.init(.nickname, .controlCharacter))) { try Nickname("Mi\u{85}na") }
    }

    @Test(
        "a common password cannot be chosen, whatever its letter case and blanks at both ends",
        arguments: [
            "password", "PassWord", "12345678", "1234567890", "qwer1234", "Iloveyou", "11111111", " password1 ",
            "P@ssw0rd",
            "1q2w3e4r", "password123", "zxcvbnm,",
        ])
    func commonPasswords(text: String) throws {
        let password = try Password(text)
        #expect(rule(password.requireChoosable) == .common)
    }

    @Test(
        "a password without a visible character cannot be chosen",
        arguments: [" ", "\u{200B}", "\u{3164}", "\u{A0}\u{2060}", "\u{202E}"])
    func invisiblePasswords(blank: String) throws {
        let password = try Password(String(repeating: blank, count: 8) + (blank == "\u{A0}\u{2060}" ? "\u{3000}" : ""))
        #expect(rule(password.requireChoosable) == .invisible)
    }

    @Test(
        "other passwords can be chosen",
        arguments: ["open sesame", "참깨야 열려라 1", "correct horse", "pass word1", "caf\u{E9} 1950"])
    func otherPasswords(text: String) throws {
        let password = try Password(text)
        #expect(rule(password.requireChoosable) == nil)
    }

    @Test("the list of common passwords has at most 10,000, all long enough and in lower case")
    func list() throws {
        let all = CommonPasswords.text.split(whereSeparator: \.isWhitespace)
        #expect(all.count == 8_342 && Set(all).count == all.count)
        for password in all {
            #expect(CommonPasswords.contains(String(password)))
            #expect(password.count >= Password.length.lowerBound && password.lowercased() == password)
        }
    }
}

@Suite("Choosing names and passwords", .inVirtualTime)
struct ChoosingTests {
    private let store = InMemoryTripRepository()
    private let hashing = CountingHashing()
    private var world: AccountAccess {
        AccountAccess(
            accounts: store, hashing: hashing, tokens: NumberedTokens(), now: { [clock = SettableClock()] in clock.now }
        )
    }

    @Test(
        "nobody signs up with a nickname or a password that cannot be chosen, which is found before the password is hashed"
    )
    func signUp() async throws {
        let (mixed, unusable) = (
            TravelError.invalid(.init(.nickname, .mixedScripts)), Violation.Rule.unusableCharacter("\u{200B}")
        )
        await #expect(throws: mixed) { try await SignUp(world)(Nickname("аdmin"), Password("open sesame")) }
        await #expect(throws: TravelError.invalid(.init(.nickname, unusable))) {
            try await SignUp(world)(Nickname("Mi\u{200B}na"), Password("open sesame"))
        }
        await #expect(throws: TravelError.invalid(.init(.password, .common))) {
            try await SignUp(world)(Nickname("Mina"), Password("12345678"))
        }
        #expect(hashing.calls.isEmpty)
    }

    @Test("a name and a password from before the rules sign in, and the password is replaced by one that can be chosen")
    func before() async throws {
        let user = try User(seed: 1, nickname: "аdmin")
        let former = try Password("12345678")
        try await store.addAccount(user, password: await hashing.hash(former))
        #expect(try await SignInWithPassword(world)(Nickname("аdmin"), former).user == user)
        let session = InMemorySession(signedIn: user.id)
        await #expect(throws: TravelError.invalid(.init(.password, .common))) {
            try await ChangePassword(world, session: session)(from: former, to: Password("87654321"))
        }
        _ = try await ChangePassword(world, session: session)(from: former, to: Password("open sesame"))
        await #expect(throws: TravelError.wrongCredentials) {
            try await SignInWithPassword(world)(user.nickname, former)
        }
    }

    @Test("a user keeps a nickname from before the rules, and changes it to one that can be chosen")
    func rename() async throws {
        let user = try User(seed: 1, nickname: "Мina★")
        try await store.add(user)
        let session = InMemorySession(signedIn: user.id)
        let (check, change) = (
            CheckNickname(users: store, session: session), ChangeNickname(users: store, session: session)
        )
        #expect(try await check("Мina★") == .unchanged)
        #expect(try await change(user.nickname) == user)
        let star = Violation(.nickname, .unusableCharacter("★"))
        #expect(try await check("Mina★") == .invalid(star))
        await #expect(throws: TravelError.invalid(star)) { try await change(Nickname("Mina★")) }
        #expect(try await check("rnina") == .available)
        #expect(try await change(Nickname("rnina")).nickname.text == "rnina")
    }

    @Test("a nickname that looks like that of someone else is taken")
    func taken() async throws {
        try await store.add(User(seed: 1, nickname: "admin"))
        let check = CheckNickname(users: store, session: .signedOut)
        for text in ["Admin", "ADMlN", "adrnin", "ad min"] { #expect(try await check(text) == .taken, "\(text)") }
        #expect(try await check("admins") == .available)
    }

    @Test("a new user of a device cannot get a nickname that cannot be chosen; a returning one keeps theirs")
    func devices() async throws {
        let (user, session) = (try User(seed: 1, nickname: "аdmin"), InMemorySession())
        let signIn = SignIn(identity: SeededIdentity(user: user.id), users: store, session: session)
        await #expect(throws: TravelError.invalid(.init(.nickname, .mixedScripts))) {
            try await signIn(as: user.nickname)
        }
        #expect(try await session.session() == nil)
        try await store.add(user)
        #expect(try await signIn(as: user.nickname) == user)
    }
}

private struct SeededIdentity: IdentityProvider {
    let user: User.ID

    func identify() -> Session { Session(user: user) }
    func refresh(_ session: Session) -> Session { session }
    func reauthenticate() -> User.ID { user }
}
