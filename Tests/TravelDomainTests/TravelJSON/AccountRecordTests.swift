import Foundation
import TestConcurrency
import Testing
import TravelDomainTesting
import TravelJSON

@Suite("Records of accounts", .limitedConcurrency)
struct AccountRecordTests {
    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONCoding.data(for: value), as: UTF8.self)
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try JSONCoding.value(type, in: Data(json.utf8))
    }

    @Test("the bodies of requests are read as they were written")
    func requests() throws {
        let (mina, password) = (try Nickname("Mina"), try Password("open sesame"))
        let token = try #require(Token(bytes: Array(0..<32)))
        let credentials = try read(CredentialsRecord.self, json(CredentialsRecord(nickname: mina, password: password)))
        #expect((credentials.nickname, credentials.password) == (mina, password))
        let change = try read(
            PasswordChangeRecord.self, json(PasswordChangeRecord(old: password, new: Password("close sesame"))))
        #expect(try (change.old, change.new) == (password, Password("close sesame")))
        #expect(try read(RefreshRecord.self, json(RefreshRecord(token))).refresh == token)
        let next = try #require(Token(bytes: Array(1..<33)))
        let renewal = try read(RefreshRecord.self, json(RefreshRecord(token, next: next)))
        #expect(renewal.refresh == token && renewal.next == next)
        #expect(try read(RefreshRecord.self, json(RefreshRecord(token))).next == nil)
        #expect(try json(RefreshRecord(token)) == "{\"refreshToken\":\"\(token.text)\"}")
        #expect(try read(PasswordRecord.self, json(PasswordRecord(password))).password == password)
        #expect(try read(NicknameRecord.self, json(NicknameRecord(mina))).nickname == mina)
        #expect(try json(TakenRecord(true)) == "{\"taken\":true}")
    }

    @Test("the tokens of a device are read exactly as they were written")
    func signedIn() throws {
        let signedIn = SignedIn(
            user: try User(id: .init(seed: 1), nickname: Nickname("Mina"), avatar: .init(seed: 2)),
            access: try #require(Token(bytes: Array(0..<32))),
            accessExpiresAt: Date(timeIntervalSinceReferenceDate: 1.1),
            refresh: try #require(Token(bytes: Array(1..<33))),
            refreshExpiresAt: Date(timeIntervalSinceReferenceDate: 1e9 + 0.3))
        #expect(try read(SignedInRecord.self, json(SignedInRecord(signedIn))).signedIn == signedIn)
    }

    @Test("what breaks a rule is refused without the secret")
    func refused() {
        func error<Value: Decodable>(_ type: Value.Type, _ json: String) -> String? {
            #expect(throws: TravelJSONError.self) { try read(type, json) }?.description
        }
        #expect(
            error(PasswordRecord.self, "{\"password\":\"sesame\"}")
                == "password: The password needs at least 8 characters.")
        #expect(error(RefreshRecord.self, "{\"refreshToken\":\"sesame\"}") == "refreshToken: The value is not a token.")
        let random = Token(bytes: Array(0..<32))?.text ?? ""
        for weak in ["sesame", String(repeating: "A", count: 43), String(random.dropLast())] {
            let message = error(RefreshRecord.self, "{\"refreshToken\":\"\(random)\",\"nextRefreshToken\":\"\(weak)\"}")
            #expect(message?.hasPrefix("nextRefreshToken: The value is not a token") == true)
        }
        #expect(error(CredentialsRecord.self, "{\"nickname\":\"Mina\"}") == "The value \"password\" is missing.")
        #expect(
            error(PasswordRecord.self, "{\"password\":12345678}")
                == "password: The value is not text in quotation marks.")
    }

    @Test("no description or mirror of a body shows the password or the token")
    func secrecy() throws {
        let password = try Password("open sesame")
        let token = try #require(Token(bytes: Array(0..<32)))
        var dumped = ""
        dump(CredentialsRecord(nickname: try Nickname("Mina"), password: password), to: &dumped)
        dump(RefreshRecord(token), to: &dumped)
        dump(PasswordChangeRecord(old: password, new: password), to: &dumped)
        #expect(!dumped.contains("sesame"))
        #expect(!dumped.contains(token.text))
    }
}
