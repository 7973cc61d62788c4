import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Signing in and out")
struct SessionTests {
    let users = InMemoryTravelRepository()
    let session = InMemorySession(device: User.ID(seed: 1))
    var signIn: SignIn { SignIn(identity: session, users: users, session: session) }
    var restore: RestoreSession { RestoreSession(users: users, session: session) }

    @Test("who is new gets an account by the nickname they chose, and stays signed in")
    func newcomers() async throws {
        #expect(try await restore() == nil)
        let user = try await signIn(as: Nickname("Mina"))
        #expect(user == (try User(seed: 1, nickname: "Mina")))
        #expect(try await users.user(user.id) == user)
        #expect(try await restore() == user)
    }

    @Test("who was here before keeps their nickname")
    func returning() async throws {
        try await users.add(User(seed: 1, nickname: "Mina"))
        #expect(try await signIn(as: Nickname("Sora")).nickname.text == "Mina")
    }

    @Test("a nickname that is taken signs nobody in")
    func takenNicknames() async throws {
        try await users.add(User(seed: 2, nickname: "Mina"))
        await #expect(throws: TravelError.conflict(.user(User.ID(seed: 2)))) { try await signIn(as: Nickname("mina")) }
        #expect(try await session.signedInUser() == nil)
    }

    @Test("the session of someone who is there no longer ends")
    func vanishedUsers() async throws {
        try await session.setSignedInUser(User.ID(seed: 9))
        #expect(try await restore() == nil)
        #expect(try await session.signedInUser() == nil)
    }

    @Test("a withdrawal removes the account with all it owns and signs out")
    func withdrawal() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        try await users.add([TravelBuilder(seed: 5, author: user).build()])
        try await Withdraw(users: users, session: session)(user.id)
        #expect(try await session.signedInUser() == nil)
        await #expect(throws: TravelError.notFound(.user(user.id))) { try await users.user(user.id) }
        await #expect(throws: TravelError.notFound(.travel(Travel.ID(seed: 5)))) {
            try await users.travel(Travel.ID(seed: 5), viewer: nil)
        }
    }

    @Test("nobody can withdraw someone else")
    func withdrawalOfOthers() async throws {
        _ = try await signIn(as: Nickname("Mina"))
        try await users.add(User(seed: 2))
        await #expect(throws: TravelError.forbidden(.user(User.ID(seed: 2)))) {
            try await Withdraw(users: users, session: session)(User.ID(seed: 2))
        }
        #expect(try await users.user(User.ID(seed: 2)) == User(seed: 2))
    }
}
