import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Checking nicknames", .inVirtualTime)
struct CheckNicknameTests {
    @Test(
        "the verdict depends on the text",
        arguments: [
            ("", .tooShort), ("M", .tooShort), ("  M  ", .tooShort), ("Mina", .unchanged), (" Mina ", .unchanged),
            ("MINA", .available), ("Sora", .taken), ("sORA", .taken), ("Soran", .available), ("abcdefghij", .available),
            ("abcdefghijk", .tooLong), ("👨‍👩‍👧👨‍👩‍👧", .available), ("a\nb", .controlCharacter),
        ] as [(String, CheckNickname.Verdict)])
    func verdicts(text: String, verdict: CheckNickname.Verdict) async throws {
        let users = InMemoryTravelRepository()
        try await users.add(User(seed: 1, nickname: "Mina"))
        try await users.add(User(seed: 2, nickname: "Sora"))
        let session = InMemorySession(signedIn: User.ID(seed: 1))
        #expect(try await CheckNickname(users: users, session: session)(text) == verdict)
    }

    @Test("when nobody is signed in, a nickname is available unless anyone has it")
    func newcomers() async throws {
        let users = InMemoryTravelRepository()
        try await users.add(User(seed: 1, nickname: "Mina"))
        let check = CheckNickname(users: users, session: .signedOut)
        #expect(try await check("Mina") == .taken)
        #expect(try await check("Sora") == .available)
        #expect(try await check("S") == .tooShort)
    }

    @Test("checking a nickname for a person without an account throws notFound")
    func strangers() async throws {
        let check = CheckNickname(
            users: InMemoryTravelRepository(), session: InMemorySession(signedIn: User.ID(seed: 1)))
        await #expect(throws: TravelError.notFound(.user(User.ID(seed: 1)))) { _ = try await check("Mina") }
    }
}
