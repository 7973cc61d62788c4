import Foundation
import Testing
import TravelDomain
import TravelDomainTesting

@Suite("Secrets")
struct SecretTests {
    @Test("no description, mirror or dump of a value shows a secret in it")
    func concealment() throws {
        let password = try Password("open sesame")
        let hash = try #require(PasswordHash("$argon2id$secret"))
        let token = try #require(Token(bytes: [UInt8](repeating: 0xA5, count: 32)))
        let user = try User(seed: 1)
        let signedIn = SignedIn(
            user: user, access: token, accessExpiresAt: Date(timeIntervalSinceReferenceDate: 0), refresh: token,
            refreshExpiresAt: Date(timeIntervalSinceReferenceDate: 0))
        let values: [Any] = [
            password, hash, token, Account(user: user, password: hash), signedIn, [password], (token, 1),
            Optional(password) as Any,
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            let texts = ["\(value)", String(describing: value), String(reflecting: value), dumped, sourceText(value)]
            for text in texts {
                for secret in ["sesame", "argon2id", token.text] { #expect(!text.contains(secret), "\(text)") }
            }
        }
        #expect(password.text == "open sesame")
        #expect("\(token)" == "•••")
        #expect(Mirror(reflecting: password).children.isEmpty)
    }

    @Test(
        "a password has 8 to 128 characters on one line",
        arguments: [
            ("sesame!", Violation.Rule.tooShort(minimum: 8)), ("", .tooShort(minimum: 8)),
            ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", .tooShort(minimum: 8)),
            (String(repeating: "a", count: 129), .tooLong(maximum: 128)),
            ("open\nsesame", .controlCharacter), ("open\u{0}sesame", .controlCharacter),
            ("open\u{85}sesame", .controlCharacter), ("open\tsesame", .controlCharacter),
            ("sesame!" + "\u{301}".repeated(1_000) + "e", .tooLarge(maximumBytes: 1_024)),
        ])
    func invalidPasswords(text: String, rule: Violation.Rule) {
        #expect(throws: TravelError.invalid(Violation(.password, rule))) { try Password(text) }
    }

    @Test(
        "a password keeps white space, and whatever else one can type",
        arguments: [
            "12345678", "        ", " sesame ", String(repeating: "a", count: 128), "비밀번호는길어야해",
            String(repeating: "한", count: 128), String(repeating: "😀", count: 128), "$argon2id$%_'\"\\",
        ])
    func validPasswords(text: String) throws {
        #expect(try Array(Password(text).text.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(
        "passwords that differ in their Unicode encoding only are the same bytes, in Normalization Form C",
        arguments: [
            ("cafe\u{301} 1950", "caf\u{E9} 1950"), ("비밀번호는길어".decomposed + "요", "비밀번호는길어요"),
            ("\u{212B}ngstr\u{F6}m", "\u{C5}ngstro\u{308}m".precomposed),
            ("q\u{307}\u{323}1234567", "q\u{323}\u{307}1234567"),
        ])
    func normalization(text: String, composed: String) throws {
        #expect(try Array(Password(text).text.utf8) == Array(composed.utf8))
        #expect(try Array(Password(composed).text.utf8) == Array(composed.utf8))
        #expect(try Array(Password(text).text.utf8) == Array(text.precomposedStringWithCanonicalMapping.utf8))
    }

    @Test("passwords that differ in letter case or width are different")
    func differences() throws {
        let passwords = try ["open sesame", "Open sesame", "ｏpen sesame", "open sesame "].map { try Password($0) }
        #expect(Set(passwords.map(\.text)).count == 4)
    }

    @Test(
        "a token is 32 bytes in the URL-safe alphabet of base 64",
        arguments: [
            (Array(0..<32), "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"),
            ([UInt8](repeating: 0xFF, count: 32), String(repeating: "_", count: 42) + "8"),
            ([UInt8](repeating: 0xFB, count: 32), "-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s"),
        ] as [([UInt8], String)])
    func tokenTexts(bytes: [UInt8], text: String) throws {
        let token = try #require(Token(bytes: bytes))
        #expect(token.text == text)
        let base64 = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        #expect(base64 == text + "=")
        #expect(Token(text) == token)
    }

    @Test(
        "other texts and other numbers of bytes are no token",
        arguments: [
            "", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8A", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9",
            "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh+", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd 8",
            "\u{E9}AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdH8", "%AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        ])
    func otherTexts(text: String) {
        #expect(Token(text) == nil)
    }

    @Test("only 32 bytes are a token or a digest, and only visible ASCII is a hash")
    func sizes() {
        for count in [0, 31, 33, 64] {
            #expect(Token(bytes: [UInt8](repeating: 1, count: count)) == nil)
            #expect(TokenDigest(bytes: [UInt8](repeating: 1, count: count)) == nil)
        }
        #expect(TokenDigest(bytes: 0..<32)?.bytes == Array(0..<32))
        for text in ["", "a b", "a\n", "é", "\u{0}", String(repeating: "a", count: 256)] {
            #expect(PasswordHash(text) == nil)
        }
        #expect(PasswordHash(String(repeating: "~", count: 255)) != nil)
    }

    @Test("the times of a pair of tokens are moments in time")
    func times() throws {
        let (digest, now) = (TokenDigest(seed: 1), Date(timeIntervalSinceReferenceDate: 0))
        let never = Date(timeIntervalSinceReferenceDate: .nan)
        for (access, refresh) in [(never, now), (now, never)] {
            #expect(throws: TravelError.self) {
                try DeviceTokens(access: digest, accessExpiresAt: access, refresh: digest, refreshExpiresAt: refresh)
            }
        }
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
    fileprivate var decomposed: String { decomposedStringWithCanonicalMapping }
    fileprivate var precomposed: String { precomposedStringWithCanonicalMapping }
}
