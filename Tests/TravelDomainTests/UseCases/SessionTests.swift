import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Signing in and out", .inVirtualTime)
struct SessionTests {
    let users = InMemoryTravelRepository()
    let session = InMemorySession(device: User.ID(seed: 1))
    var signIn: SignIn { SignIn(identity: session, users: users, session: session) }
    var restore: RestoreSession { RestoreSession(users: users, session: session) }
    var withdraw: Withdraw { Withdraw(users: users, identity: session, session: session) }

    @Test("a new person gets an account with the chosen nickname, and stays signed in")
    func newcomers() async throws {
        #expect(try await restore() == nil)
        let user = try await signIn(as: Nickname("Mina"))
        #expect(user == (try User(seed: 1, nickname: "Mina")))
        #expect(try await users.user(user.id) == user)
        #expect(try await restore() == user)
    }

    @Test("a returning person keeps their nickname")
    func returning() async throws {
        try await users.add(User(seed: 1, nickname: "Mina"))
        #expect(try await signIn(as: Nickname("Sora")).nickname.text == "Mina")
    }

    @Test("a taken nickname prevents signing in")
    func takenNicknames() async throws {
        try await users.add(User(seed: 2, nickname: "Mina"))
        await #expect(throws: TravelError.conflict(.user(User.ID(seed: 2)))) { try await signIn(as: Nickname("mina")) }
        #expect(try await session.session() == nil)
    }

    @Test("the person of a device gets the first nickname that is free, and stays signed out after signing out")
    func devices() async throws {
        let device = SignInOnDevice(identity: session, users: users, session: session)
        let nicknames = try ["traveller", "traveller2"].map { try Nickname($0) }
        try await users.add(User(seed: 2, nickname: "Traveller"))

        try await device.atFirstUse(nicknames: nicknames)
        #expect(try await restore()?.nickname.text == "traveller2")

        try await SignOut(session: session)()
        try await device.atFirstUse(nicknames: nicknames)
        #expect(try await restore() == nil)

        // In a copy of another store the account does not mean that its person has signed out.
        try await device.atFirstUse(nicknames: nicknames, hasNeverSignedOut: true)
        #expect(try await restore()?.id == User.ID(seed: 1))
    }

    @Test("a device whose nicknames are all taken is not signed in")
    func devicesWithoutNickname() async throws {
        try await users.add(User(seed: 2, nickname: "Mina"))
        let device = SignInOnDevice(identity: session, users: users, session: session)
        await #expect(throws: TravelError.conflict(.user(User.ID(seed: 2)))) {
            try await device(nicknames: [Nickname("Mina")])
        }
        #expect(try await session.session() == nil)
    }

    @Test("restoring the session of a deleted user signs them out")
    func vanishedUsers() async throws {
        try await session.setSession(Session(user: User.ID(seed: 9)))
        #expect(try await restore() == nil)
        #expect(try await session.session() == nil)
    }

    @Test("withdrawing deletes the account with everything it owns and signs out")
    func withdrawal() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        try await users.add([TravelBuilder(seed: 5, author: user).build()])
        try await withdraw()
        #expect(try await session.session() == nil)
        await #expect(throws: TravelError.notFound(.user(user.id))) { try await users.user(user.id) }
        await #expect(throws: TravelError.notFound(.travel(Travel.ID(seed: 5)))) {
            try await users.travel(Travel.ID(seed: 5), viewer: nil)
        }
    }

    @Test("signing in twice concurrently creates one person, with one of the nicknames")
    func signingInTwice() async throws {
        async let first = signIn(as: Nickname("Mina"))
        async let second = signIn(as: Nickname("Sora"))
        let (a, b) = (try await first, try await second)
        #expect(a == b)
        #expect(try await restore() == a)
    }

    @Test("signing out persists across restarts, and keeps the account and its nickname")
    func signingOut() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        try await SignOut(session: session)()
        #expect(try await restore() == nil)
        #expect(try await signIn(as: Nickname("Sora")) == user)
    }

    @Test("nobody is signed in if the identity provider fails", arguments: [true, false])
    func refusedIdentities(isCancelled: Bool) async throws {
        let signIn = SignIn(identity: Nobody(isCancelled: isCancelled), users: users, session: session)
        await #expect {
            try await signIn(as: Nickname("Mina"))
        } throws: { error in
            isCancelled ? error is CancellationError : error as? TravelError == Nobody.outage
        }
        #expect(try await session.session() == nil)
    }

    @Test("signing in after withdrawing creates a new account")
    func comingBack() async throws {
        _ = try await signIn(as: Nickname("Mina"))
        try await withdraw()
        #expect(try await signIn(as: Nickname("Sora")).nickname.text == "Sora")
    }

    @Test("a withdrawal that is interrupted before signing out is completed at the next start")
    func interruptedWithdrawal() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        try await users.removeUser(user.id, by: user.id)
        #expect(try await restore() == nil)
        #expect(try await session.session() == nil)
    }

    @Test("the signed-in user changes only their own nickname, on all their travels")
    func changingNicknames() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        try await users.add([TravelBuilder(seed: 5, author: user).build(), TravelBuilder(seed: 2).build()])
        let change = ChangeNickname(users: users, session: session)
        #expect(try await change(Nickname("Sora")).nickname.text == "Sora")
        #expect(try await users.travel(Travel.ID(seed: 5), viewer: nil).author.nickname.text == "Sora")
        await #expect(throws: TravelError.conflict(.user(User.ID(seed: 2)))) {
            try await change(Nickname("pERSON 2"))
        }
        try await SignOut(session: session)()
        await #expect(throws: TravelError.signedOut) { try await change(Nickname("Tae")) }
        #expect(try await users.user(user.id).nickname.text == "Sora")
    }

    @Test("withdrawing asks the person to identify again, and deletes nothing if someone else or nobody does")
    func reauthentication() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        let other = InMemorySession(device: User.ID(seed: 2))
        await #expect(throws: TravelError.forbidden(.user(user.id))) {
            try await Withdraw(users: users, identity: other, session: session)()
        }
        await #expect(throws: CancellationError.self) {
            try await Withdraw(users: users, identity: Nobody(isCancelled: true), session: session)()
        }
        #expect(try await restore() == user)
        try await SignOut(session: session)()
        await #expect(throws: TravelError.signedOut) { try await withdraw() }
        #expect(try await users.user(user.id) == user)
    }

    @Test("watching the session shows each person who signs in, and nobody when their account is gone")
    func watching() async throws {
        let watched = WatchSession(users: users, session: session)()
        try await watch(watched) { inbox in
            #expect(try await inbox.next() == nil)
            let user = try await signIn(as: Nickname("Mina"))
            #expect(try await inbox.next() == user)
            try await SignOut(session: session)()
            #expect(try await inbox.next() == nil)
            try await session.setSession(Session(user: user.id))
            #expect(try await inbox.next() == user)
            try await session.setSession(Session(user: User.ID(seed: 9)))
            #expect(try await inbox.next() == nil)
        }
        #expect(try await session.session() == nil)
    }
}

/// A sign-in service that is unavailable.
private struct Nobody: IdentityProvider {
    static let outage = TravelError.unavailable(.init("The sign-in service is down.", canRetry: true))
    let isCancelled: Bool
    var error: any Error { isCancelled ? CancellationError() : Self.outage as any Error }

    func identify() async throws -> Session { throw error }
    func refresh(_ session: Session) async throws -> Session { throw error }
    func reauthenticate() async throws -> User.ID { throw error }
}
