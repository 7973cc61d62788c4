import Foundation
import StreamsTesting
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Signing in and out", .inVirtualTime)
struct SessionTests {
    let users = InMemoryTripRepository()
    let session = InMemorySession(device: User.ID(seed: 1))
    var signIn: SignIn { SignIn(identity: session, users: users, session: session) }
    var restore: RestoreSession { RestoreSession(users: users, session: session) }
    var deleteAccount: DeleteAccount { DeleteAccount(users: users, identity: session, session: session) }

    @Test("a new user gets an account with the chosen nickname, and stays signed in")
    func newcomers() async throws {
        #expect(try await restore() == nil)
        let user = try await signIn(as: Nickname("Mina"))
        #expect(user == (try User(seed: 1, nickname: "Mina")))
        #expect(try await users.user(user.id) == user)
        #expect(try await restore() == user)
    }

    @Test("a returning user keeps their nickname")
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

    @Test("the user of a device gets the first nickname that is free, and stays signed out after signing out")
    func devices() async throws {
        let device = SignInOnDevice(identity: session, users: users, session: session)
        let (first, others) = (try Nickname("traveller"), [try Nickname("traveller2")])
        try await users.add(User(seed: 2, nickname: "Traveller"))

        try await device.atFirstUse(as: first, or: others)
        #expect(try await restore()?.nickname.text == "traveller2")

        try await SignOut(session: session)()
        try await device.atFirstUse(as: first, or: others)
        #expect(try await restore() == nil)

        // In a copy of another store the account does not mean that its user has signed out.
        try await device.atFirstUse(as: first, or: others, hasNeverSignedOut: true)
        #expect(try await restore()?.id == User.ID(seed: 1))
    }

    @Test("a device whose nicknames are all taken is not signed in")
    func devicesWithoutNickname() async throws {
        try await users.add(User(seed: 2, nickname: "Mina"))
        let device = SignInOnDevice(identity: session, users: users, session: session)
        await #expect(throws: TravelError.conflict(.user(User.ID(seed: 2)))) {
            try await device(as: Nickname("Mina"))
        }
        #expect(try await session.session() == nil)
    }

    @Test("the first use of a store that cannot be written signs nobody in, and returns the reason")
    func readOnlyStores() async throws {
        let readOnly = ReadOnlySession()
        let device = SignInOnDevice(identity: session, users: users, session: readOnly)
        let outage = try await device.atFirstUse(as: Nickname("traveller"))
        #expect(outage == ReadOnlySession.outage)
        await #expect(throws: TravelError.unavailable(ReadOnlySession.outage)) {
            try await device(as: Nickname("traveller"))
        }
        let writable = SignInOnDevice(identity: session, users: users, session: session)
        #expect(try await writable.atFirstUse(as: Nickname("traveller"), hasNeverSignedOut: true) == nil)
        #expect(try await restore() != nil)
    }

    @Test("restoring the session of a deleted user signs them out")
    func vanishedUsers() async throws {
        try await session.setSession(Session(user: User.ID(seed: 9)))
        #expect(try await restore() == nil)
        #expect(try await session.session() == nil)
    }

    @Test("deleting the account deletes everything it owns and signs out")
    func accountDeletion() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        try await users.add([TripBuilder(seed: 5, author: user).build()])
        try await deleteAccount()
        #expect(try await session.session() == nil)
        await #expect(throws: TravelError.notFound(.user(user.id))) { try await users.user(user.id) }
        await #expect(throws: TravelError.notFound(.trip(Trip.ID(seed: 5)))) {
            try await users.trip(Trip.ID(seed: 5), viewer: nil)
        }
    }

    @Test("signing in twice concurrently creates one user, with one of the nicknames")
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

    @Test("signing in after deleting the account creates a new account")
    func comingBack() async throws {
        _ = try await signIn(as: Nickname("Mina"))
        try await deleteAccount()
        #expect(try await signIn(as: Nickname("Sora")).nickname.text == "Sora")
    }

    @Test("a deletion of an account that is interrupted before signing out is completed at the next start")
    func interruptedAccountDeletion() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        try await users.removeUser(user.id, by: user.id)
        #expect(try await restore() == nil)
        #expect(try await session.session() == nil)
    }

    @Test("a user who signs in while the account of another one is found to be gone, or is deleted, stays signed in")
    func signInsMeanwhile() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        let other = try User(seed: 2)
        try await users.add(other)
        try await session.setSession(Session(user: other.id))
        let changing = ChangingSession(first: Session(user: User.ID(seed: 9)), then: session)
        #expect(try await RestoreSession(users: users, session: changing)() == nil)
        #expect(try await restore() == other)

        let changed = ChangingSession(first: Session(user: user.id), then: session)
        try await DeleteAccount(users: users, identity: session, session: changed)()
        await #expect(throws: TravelError.notFound(.user(user.id))) { try await users.user(user.id) }
        #expect(try await restore() == other)
    }

    @Test("the signed-in user changes only their own nickname, on all their trips")
    func changingNicknames() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        try await users.add([TripBuilder(seed: 5, author: user).build(), TripBuilder(seed: 2).build()])
        let change = ChangeNickname(users: users, session: session)
        #expect(try await change(Nickname("Sora")).nickname.text == "Sora")
        #expect(try await users.trip(Trip.ID(seed: 5), viewer: nil).author.nickname.text == "Sora")
        await #expect(throws: TravelError.conflict(.user(User.ID(seed: 2)))) {
            try await change(Nickname("pERSON 2"))
        }
        try await SignOut(session: session)()
        await #expect(throws: TravelError.signedOut) { try await change(Nickname("Tae")) }
        #expect(try await users.user(user.id).nickname.text == "Sora")
    }

    @Test("deleting an account asks the user to identify again, and deletes nothing if someone else or nobody does")
    func reauthentication() async throws {
        let user = try await signIn(as: Nickname("Mina"))
        let other = InMemorySession(device: User.ID(seed: 2))
        await #expect(throws: TravelError.forbidden(.user(user.id))) {
            try await DeleteAccount(users: users, identity: other, session: session)()
        }
        await #expect(throws: CancellationError.self) {
            try await DeleteAccount(users: users, identity: Nobody(isCancelled: true), session: session)()
        }
        #expect(try await restore() == user)
        try await SignOut(session: session)()
        await #expect(throws: TravelError.signedOut) { try await deleteAccount() }
        #expect(try await users.user(user.id) == user)
    }

    @Test("watching the session shows each user who signs in, and nobody when their account is gone")
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

/// A session on a medium that cannot be written.
private struct ReadOnlySession: SessionRepository {
    static let outage = TravelError.Outage("The file can only be read.", cause: .readOnly, canRetry: false)

    func session() async throws -> Session? { nil }
    func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        throw TravelError.unavailable(Self.outage)
    }
    func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        AsyncThrowingStream<Session?, any Error> { $0.yield(nil) }
    }
}

/// A session that changes after it has been read.
private struct ChangingSession: SessionRepository {
    let first: Session
    let then: InMemorySession

    func session() async throws -> Session? { first }
    func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        try await then.updateSession(change)
    }
    func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable { then.observeSession() }
}

@Suite("Use cases and the user at hand", .inVirtualTime)
struct SignedOutTests {
    let store = InMemoryTripRepository()
    let session = InMemorySession()
    let trip = Trip.ID(seed: 1)
    let now: @Sendable () -> Date = { Date(timeIntervalSinceReferenceDate: 800_000_000) }

    init() async throws {
        try await store.add((1...3).map { try TripBuilder(seed: $0).build() })
    }

    @Test("when nobody is signed in, searching and watching show what everyone sees")
    func readers() async throws {
        #expect(try await SearchTrips(trips: store, session: session)(TripCriteria()).trips.count == 3)
        try await watch(WatchTrips(trips: store, session: session)(TripCriteria())) { inbox in
            let page = try await inbox.next()
            #expect(page.trips.count == 3)
        }
    }

    @Test("when nobody is signed in, use cases that act for a user throw signedOut and change nothing")
    func writers() async throws {
        let content = try TripBuilder(seed: 1).with { $0.title = "Changed" }.build().content
        let entry = try TimelineEntry(day: 1, time: TimeOfDay(hour: 9), title: Title("Entry"), text: EntryText("Text"))
        let before = try await store.trip(trip, viewer: nil)
        let (store, session, trip, now) = (store, session, trip, now)
        let actions: [@Sendable () async throws -> Void] = [
            { try await EditTrip(trips: store, session: session, now: now)(trip, content) },
            { try await SaveEntry(trips: store, session: session, now: now)(entry, in: trip) },
            { try await DeleteEntry(trips: store, session: session, now: now)(entry.id, in: trip) },
            { try await DeleteTrip(trips: store, session: session)(trip) },
            { try await LikeTrip(trips: store, session: session)(true, trip: trip) },
            { try await ReportTrip(moderation: store, session: session, now: { Date() })(trip) },
            { try await BlockAuthor(moderation: store, session: session)(User.ID(seed: 1)) },
            { try await UnblockAuthor(moderation: store, session: session)(User.ID(seed: 1)) },
            { _ = try await BlockedAuthors(moderation: store, session: session)() },
            { _ = try await ChangeNickname(users: store, session: session)(Nickname("Sora")) },
            { try await DeleteAccount(users: store, identity: session, session: session)() },
        ]
        for action in actions { await #expect(throws: TravelError.signedOut) { try await action() } }
        #expect(try await store.trip(trip, viewer: nil) == before)
        #expect(TravelError.signedOut.description == "You are not signed in: sign in first.")
    }

    @Test("likes and reports are those of the signed-in user")
    func actors() async throws {
        try await session.setSession(Session(user: User.ID(seed: 2)))
        try await LikeTrip(trips: store, session: session)(true, trip: trip)
        #expect(try await store.trip(trip, viewer: User.ID(seed: 2)).isLiked)
        #expect(try await store.trip(trip, viewer: User.ID(seed: 3)).likeCount == 1)
        try await LikeTrip(trips: store, session: session)(false, trip: trip)
        #expect(try await store.trip(trip, viewer: nil).likeCount == 0)
        let report = ReportTrip(moderation: store, session: session, now: { Date() })
        #expect(try await report(trip))
        #expect(try await !report(trip))
        await #expect(throws: TravelError.forbidden(.trip(Trip.ID(seed: 2)))) {
            try await report(Trip.ID(seed: 2))
        }
    }

    @Test("a watched page follows the store for the user who was signed in when the iteration began")
    func watching() async throws {
        try await session.setSession(Session(user: User.ID(seed: 2)))
        let pages = WatchTrips(trips: store, session: session)(TripCriteria(sort: .mostLiked))
        try await watch(pages) { inbox in
            #expect(try await inbox.next().trips.filter(\.isMine).map(\.id) == [Trip.ID(seed: 2)])
            try await LikeTrip(trips: store, session: session)(true, trip: trip)
            #expect(try await inbox.next().trips.first?.isLiked == true)
            try await session.setSession(nil)
            try await store.block(User.ID(seed: 3), by: User.ID(seed: 2))
            #expect(try await inbox.next().trips.count == 2)
        }
    }

    @Test("watching with a cursor from a search in another order throws")
    func foreignCursors() async throws {
        let cursor = TripCursor(after: try await store.trip(trip, viewer: nil), in: .mostLiked)
        await #expect(throws: TravelError.invalid(Violation(.cursor, .foreignCursor))) {
            for try await _ in WatchTrips(trips: store, session: session)(TripCriteria(), after: cursor) {}
        }
    }
}

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
        let users = InMemoryTripRepository()
        try await users.add(User(seed: 1, nickname: "Mina"))
        try await users.add(User(seed: 2, nickname: "Sora"))
        let session = InMemorySession(signedIn: User.ID(seed: 1))
        #expect(try await CheckNickname(users: users, session: session)(text) == verdict)
    }

    @Test("when nobody is signed in, a nickname is available unless anyone has it")
    func newcomers() async throws {
        let users = InMemoryTripRepository()
        try await users.add(User(seed: 1, nickname: "Mina"))
        let check = CheckNickname(users: users, session: .signedOut)
        #expect(try await check("Mina") == .taken)
        #expect(try await check("Sora") == .available)
        #expect(try await check("S") == .tooShort)
    }

    @Test("checking a nickname for a user without an account throws notFound")
    func strangers() async throws {
        let check = CheckNickname(
            users: InMemoryTripRepository(), session: InMemorySession(signedIn: User.ID(seed: 1)))
        await #expect(throws: TravelError.notFound(.user(User.ID(seed: 1)))) { _ = try await check("Mina") }
    }
}
