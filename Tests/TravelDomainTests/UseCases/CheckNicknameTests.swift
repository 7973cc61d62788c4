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
        #expect(try await CheckNickname(users: users)(text, for: User.ID(seed: 1)) == verdict)
    }

    @Test("checking a nickname for an unknown person throws notFound")
    func strangers() async throws {
        let check = CheckNickname(users: InMemoryTravelRepository())
        await #expect(throws: TravelError.notFound(.user(User.ID(seed: 1)))) {
            _ = try await check("Mina", for: User.ID(seed: 1))
        }
    }
}
