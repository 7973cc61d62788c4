import Foundation
import Synchronization
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@Suite("Accounts of a server", .inVirtualTime)
struct AccountTests {
    let store = InMemoryTripRepository()
    let hashing = CountingHashing()
    let tokens = NumberedTokens()
    let clock = SettableClock()

    var world: AccountAccess { world(on: store) }
    var signUp: SignUp { SignUp(world) }
    var signIn: SignInWithPassword { SignInWithPassword(world) }
    var renew: RenewSession { RenewSession(world) }
    var authenticate: Authenticate { Authenticate(world) }

    func world(on accounts: any AccountRepository) -> AccountAccess {
        AccountAccess(accounts: accounts, hashing: hashing, tokens: tokens, now: { [clock] in clock.now })
    }

    func signUpMina() async throws -> SignedIn { try await signUp(Nickname("Mina"), Password("open sesame")) }

    @discardableResult
    func signInMina(on accounts: (any AccountRepository)? = nil) async throws -> SignedIn {
        try await SignInWithPassword(world(on: accounts ?? store))(Nickname("Mina"), Password("open sesame"))
    }

    func user(of token: Token) async throws -> User.ID? { try await authenticate(token)?.device.user }

    @Test("signing up creates an account, and signs the device in for a limited time")
    func signingUp() async throws {
        let signedIn = try await signUpMina()
        #expect(signedIn.user == User(id: signedIn.user.id, nickname: try Nickname("Mina")))
        #expect(signedIn.accessExpiresAt == clock.now.addingTimeInterval(15 * 60))
        #expect(signedIn.refreshExpiresAt == clock.now.addingTimeInterval(90 * 24 * 60 * 60))
        #expect(signedIn.access != signedIn.refresh)
        #expect(try await user(of: signedIn.access) == signedIn.user.id)
        #expect(try await user(of: signedIn.refresh) == nil)
        #expect(try await store.user(signedIn.user.id) == signedIn.user)
    }

    @Test("a use case takes the actor from the session of a token")
    func actors() async throws {
        let signedIn = try await signUpMina()
        let session = try #require(try await authenticate(signedIn.access))
        let record = RecordTrip(trips: store, users: store, session: session, now: { [clock] in clock.now })
        let trip = try await record(TripBuilder(seed: 1).build().content)
        #expect(trip.author == signedIn.user)
        #expect(try await session.session() == Session(user: signedIn.user.id, expiresAt: signedIn.accessExpiresAt))
        for try await observed in session.observeSession() {
            #expect(observed?.user == signedIn.user.id)
            break
        }
    }

    @Test("nobody can sign up with the nickname of someone else, such as the author of an imported trip")
    func takenNicknames() async throws {
        let author = try User(seed: 5, nickname: "Jun")
        try await store.add([TripBuilder(seed: 5, author: author).build()])
        let mina = try await signUpMina().user
        for (nickname, holder) in [("jun", author.id), ("ＭＩＮＡ", mina.id)] {
            await #expect(throws: TravelError.conflict(.user(holder))) {
                try await signUp(Nickname(nickname), Password("open sesame"))
            }
        }
        #expect(try await store.account(of: author.id) == nil)
        await #expect(throws: TravelError.wrongCredentials) {
            try await signIn(Nickname("Jun"), Password("open sesame"))
        }
    }

    @Test(
        "the nickname and the password of an account sign another device in, however a keyboard writes them",
        arguments: [("Mina", "caf\u{E9} 1950"), ("mINA", "cafe\u{301} 1950"), ("Ｍｉｎａ", "cafe\u{301} 1950")])
    func signingIn(nickname: String, password: String) async throws {
        let first = try await signUp(Nickname("Mina"), Password("caf\u{E9} 1950"))
        let second = try await signIn(Nickname(nickname), Password(password))
        #expect(second.user == first.user)
        #expect(Set([first.access, first.refresh, second.access, second.refresh]).count == 4)
        #expect(try await user(of: first.access) == first.user.id)
        #expect(try await user(of: second.access) == first.user.id)
    }

    @Test("an unknown nickname costs as much as a wrong password, and gives the same answer")
    func decoy() async throws {
        _ = try await signUpMina()
        let counted = CountedAccounts(store)
        let signIn = SignInWithPassword(world(on: counted))
        var costs: [[String]] = []
        for nickname in ["Mina", "Sora"] {
            hashing.reset()
            counted.reset()
            await #expect(throws: TravelError.wrongCredentials) {
                try await signIn(Nickname(nickname), Password("open says me"))
            }
            costs.append(hashing.calls + counted.calls)
        }
        #expect(costs[0] == costs[1])
        #expect(costs[0] == ["verify", "account(named:)"])
        #expect(hashing.verified == [hashing.decoy])
    }

    @Test("signing in replaces a hash with outdated parameters once, and leaves the devices signed in")
    func rehashing() async throws {
        let first = try await signUpMina()
        let (mina, password) = (try Nickname("Mina"), try Password("open sesame"))
        let current = try #require(try await store.account(named: mina)).password
        let outdated = try #require(PasswordHash("$old$" + Data(password.text.utf8).base64EncodedString()))
        try await store.rehash(outdated, replacing: current, of: first.user.id)
        hashing.reset()
        await #expect(throws: TravelError.wrongCredentials) { try await signIn(mina, Password("open says me")) }
        #expect(try await store.account(named: mina)?.password == outdated)
        _ = try await signIn(mina, password)
        let rehashed = try #require(try await store.account(named: mina)).password
        #expect(!hashing.isOutdated(rehashed))
        _ = try await signIn(mina, password)
        #expect(hashing.calls == ["verify", "verify", "hash", "verify"])
        #expect(try await store.account(named: mina)?.password == rehashed)
        #expect(try await user(of: first.access) == first.user.id)
    }

    @Test("of two sign-ins that meet an outdated hash, both succeed")
    func concurrentRehashing() async throws {
        let first = try await signUpMina()
        let counted = CountedAccounts(store)
        counted.beforeAddingDevice = { [store, hashing, counted] in
            counted.beforeAddingDevice = nil
            let former = try #require(try await store.account(of: first.user.id)).password
            let hash = try await hashing.hash(Password("open sesame"))
            try await store.rehash(hash, replacing: former, of: first.user.id)
        }
        let signedIn = try await signInMina(on: counted)
        #expect(try await user(of: signedIn.access) == first.user.id)
    }

    @Test("signing in succeeds although its hash cannot be replaced")
    func failedRehashing() async throws {
        let first = try await signUpMina()
        let counted = CountedAccounts(store)
        counted.beforeRehashing = { throw TravelError.unavailable(.init("The disk is full.", canRetry: true)) }
        let current = try #require(try await store.account(of: first.user.id)).password
        let outdated = try #require(PasswordHash("$old$" + Data("open sesame".utf8).base64EncodedString()))
        try await store.rehash(outdated, replacing: current, of: first.user.id)
        let signedIn = try await signInMina(on: counted)
        #expect(try await user(of: signedIn.access) == first.user.id)
        #expect(counted.calls.contains("rehash(_:replacing:of:)"))
    }

    @Test("an access token is valid until the moment it expires, by the clock of the server")
    func accessExpiry() async throws {
        let signedIn = try await signUpMina()
        clock.now = signedIn.accessExpiresAt.addingTimeInterval(-0.001)
        #expect(try await user(of: signedIn.access) == signedIn.user.id)
        clock.now = signedIn.accessExpiresAt
        #expect(try await user(of: signedIn.access) == nil)
        clock.now = signedIn.accessExpiresAt.addingTimeInterval(-3_600)
        #expect(try await user(of: signedIn.access) == signedIn.user.id)
    }

    @Test("a renewal replaces both tokens, and extends them")
    func renewals() async throws {
        let first = try await signUpMina()
        clock.now = first.refreshExpiresAt.addingTimeInterval(-1)
        let second = try await renew(first.refresh)
        #expect(second.user == first.user)
        #expect(second.accessExpiresAt == clock.now.addingTimeInterval(DeviceTokens.accessLifetime))
        #expect(second.refreshExpiresAt == clock.now.addingTimeInterval(DeviceTokens.refreshLifetime))
        #expect(try await user(of: second.access) == first.user.id)
        clock.now = first.accessExpiresAt.addingTimeInterval(-1)
        #expect(try await user(of: first.access) == nil)
    }

    @Test("a refresh token is no longer valid at the moment it expires")
    func refreshExpiry() async throws {
        let signedIn = try await signUpMina()
        clock.now = signedIn.refreshExpiresAt
        await #expect(throws: TravelError.signedOut) { try await renew(signedIn.refresh) }
        await #expect(throws: TravelError.signedOut) { try await renew(tokens.token()) }
        await #expect(throws: TravelError.signedOut) { try await renew(signedIn.access) }
    }

    @Test("a refresh token that is used twice ends its device, which can sign in again")
    func reuse() async throws {
        let stolen = try await signUpMina()
        let other = try await signInMina()
        let thief = try await renew(try await renew(stolen.refresh).refresh)
        await #expect(throws: TravelError.signedOut) { try await renew(stolen.refresh) }
        #expect(try await user(of: thief.access) == nil)
        await #expect(throws: TravelError.signedOut) { try await renew(thief.refresh) }
        #expect(try await user(of: other.access) == stolen.user.id)
        let again = try await signInMina()
        #expect(try await user(of: again.access) == stolen.user.id)
    }

    @Test("a renewal whose answer was lost is repeated with the token that the device has chosen, until that is used")
    func repeatedRenewal() async throws {
        let first = try await signUpMina()
        let next = try chosen(1)
        let lost = try await renew(first.refresh, next: next)
        clock.now += 1
        let lostAgain = try await renew(first.refresh, next: next)
        clock.now += 1
        let second = try await renew(first.refresh, next: next)
        #expect([lost, lostAgain, second].allSatisfy { $0.refresh == next && $0.user == first.user })
        #expect(try await user(of: lost.access) == nil)
        #expect(try await user(of: second.access) == first.user.id)
        #expect(second.refreshExpiresAt == clock.now.addingTimeInterval(DeviceTokens.refreshLifetime))
        let third = try await renew(next, next: try chosen(2))
        await #expect(throws: TravelError.signedOut) { try await renew(first.refresh, next: next) }
        #expect(try await user(of: third.access) == nil)
    }

    @Test("a used token ends its device with another next token than before, or with none", arguments: [false, true])
    func stolenRenewal(hasNext: Bool) async throws {
        let first = try await signUpMina()
        let other = try await signInMina()
        let second = try await renew(first.refresh, next: try chosen(2))
        let chosen = hasNext ? try chosen(3) : nil
        await #expect(throws: TravelError.signedOut) { try await renew(first.refresh, next: chosen) }
        #expect(try await user(of: second.access) == nil)
        await #expect(throws: TravelError.signedOut) { try await renew(second.refresh) }
        #expect(try await user(of: other.access) == first.user.id)
    }

    @Test("a next token that cannot be random is refused, and the former one stays valid")
    func weakNextToken() async throws {
        let first = try await signUpMina()
        let halfRandom = (0..<16).map { UInt8(7 * $0 + 3) } + [UInt8](repeating: 0, count: 16)
        for bytes in [[UInt8](repeating: 0, count: 32), halfRandom, (0..<32).map { UInt8($0 % 19) }] {
            let weak = try #require(Token(bytes: bytes))
            #expect(!weak.isPlausible)
            await #expect(throws: TravelError.self) { try await renew(first.refresh, next: weak) }
        }
        #expect(try await user(of: first.access) == first.user.id)
        let next = try chosen(1)
        _ = try await renew(first.refresh, next: next)
        await #expect(throws: TravelError.signedOut) { try await renew(next, next: next) }
    }

    /// A token that a device chooses.
    private func chosen(_ seed: UInt8) throws -> Token {
        try #require(Token(bytes: (0..<32).map { UInt8($0) &* 7 &+ seed }))
    }

    @Test("of two renewals with one token at once, one succeeds, and the other ends the device")
    func concurrentRenewals() async throws {
        let signedIn = try await signUpMina()
        async let first = Result.of { try await renew(signedIn.refresh) }
        async let second = Result.of { try await renew(signedIn.refresh) }
        let results = await [first, second]
        let renewed = results.compactMap { try? $0.get() }
        #expect(renewed.count == 1)
        #expect(results.contains(.failure(.signedOut)))
        #expect(try await user(of: try #require(renewed.first).access) == nil)
    }

    @Test("a new password signs all devices out, and gives this one new tokens")
    func changingThePassword() async throws {
        let first = try await signUpMina()
        let other = try await signInMina()
        let session = try #require(try await authenticate(first.access))
        let change = ChangePassword(world, session: session)
        let changed = try await change(from: Password("open sesame"), to: Password("close sesame"))
        #expect(changed.user == first.user)
        #expect(try await user(of: changed.access) == first.user.id)
        for signedIn in [first, other] {
            #expect(try await user(of: signedIn.access) == nil)
            await #expect(throws: TravelError.signedOut) { try await renew(signedIn.refresh) }
        }
        await #expect(throws: TravelError.wrongCredentials) { try await signInMina() }
        _ = try await signIn(Nickname("Mina"), Password("close sesame"))
    }

    @Test("a password cannot be changed without the former one")
    func changingWithoutThePassword() async throws {
        let signedIn = try await signUpMina()
        let session = try #require(try await authenticate(signedIn.access))
        await #expect(throws: TravelError.wrongCredentials) {
            try await ChangePassword(world, session: session)(
                from: Password("open says me"), to: Password("close sesame"))
        }
        await #expect(throws: TravelError.signedOut) {
            try await ChangePassword(world, session: .signedOut)(
                from: Password("open sesame"), to: Password("close sesame"))
        }
        #expect(try await user(of: signedIn.access) == signedIn.user.id)
        _ = try await signInMina()
    }

    @Test("of two changes of a password at once, one succeeds")
    func concurrentChanges() async throws {
        let session = try #require(try await authenticate(signUpMina().access))
        let change = ChangePassword(world, session: session)
        async let first = Result.of { try await change(from: Password("open sesame"), to: Password("password 1")) }
        async let second = Result.of { try await change(from: Password("open sesame"), to: Password("password 2")) }
        let results = await [first, second]
        #expect(results.filter { $0 == .failure(.wrongCredentials) }.count == 1)
        let winner = try #require(results.compactMap { try? $0.get() }.first)
        #expect(try await user(of: winner.access) == winner.user.id)
    }

    @Test("a sign-in with a password that is changed meanwhile fails")
    func signingInDuringAChange() async throws {
        let signedIn = try await signUpMina()
        let counted = CountedAccounts(store)
        counted.beforeAddingDevice = { [store] in
            let hash = try #require(try await store.account(of: signedIn.user.id)).password
            try await store.setPassword(PasswordHash(seed: 1), replacing: hash, of: signedIn.user.id)
        }
        await #expect(throws: TravelError.wrongCredentials) { try await signInMina(on: counted) }
    }

    @Test("a sign-in of an account that is removed meanwhile fails like any other")
    func signingInDuringAccountDeletion() async throws {
        let user = try await signUpMina().user.id
        let counted = CountedAccounts(store)
        counted.beforeAddingDevice = { [store] in try await store.removeUser(user, by: user) }
        await #expect(throws: TravelError.wrongCredentials) { try await signInMina(on: counted) }
    }

    @Test("signing out ends the tokens of the device, and of no other")
    func signingOut() async throws {
        let first = try await signUpMina()
        let other = try await signInMina()
        let session = try #require(try await authenticate(first.access))
        await #expect(throws: TravelError.forbidden(.user(User.ID(seed: 9)))) {
            try await session.setSession(Session(user: User.ID(seed: 9)))
        }
        try await session.setSession(Session(user: first.user.id))
        #expect(try await user(of: first.access) == first.user.id)
        try await SignOut(session: session)()
        #expect(try await user(of: first.access) == nil)
        await #expect(throws: TravelError.signedOut) { try await renew(first.refresh) }
        #expect(try await user(of: other.access) == first.user.id)
    }

    @Test("deleting an account needs the password, and ends all tokens with the account")
    func accountDeletion() async throws {
        let first = try await signUpMina()
        let other = try await signInMina()
        try await store.add([TripBuilder(seed: 5, author: first.user).build()])
        let session = try #require(try await authenticate(first.access))
        func deleteAccount(_ password: String) async throws {
            let identity = PasswordIdentity(world, session: session, password: try Password(password))
            try await DeleteAccount(users: store, identity: identity, session: session)()
        }
        await #expect(throws: TravelError.wrongCredentials) { try await deleteAccount("open says me") }
        #expect(try await user(of: other.access) == first.user.id)
        try await deleteAccount("open sesame")
        for signedIn in [first, other] {
            #expect(try await user(of: signedIn.access) == nil)
            await #expect(throws: TravelError.signedOut) { try await renew(signedIn.refresh) }
        }
        await #expect(throws: TravelError.wrongCredentials) { try await signInMina() }
        await #expect(throws: TravelError.wrongCredentials) { try await deleteAccount("open sesame") }
        await #expect(throws: TravelError.notFound(.trip(Trip.ID(seed: 5)))) {
            try await store.trip(Trip.ID(seed: 5), viewer: nil)
        }
        #expect(try await signUpMina().user.id != first.user.id)
    }

    @Test("nobody can identify themselves without a session, and a password renews none")
    func identities() async throws {
        let identity = PasswordIdentity(world, session: .signedOut, password: try Password("open sesame"))
        await #expect(throws: TravelError.signedOut) { try await identity.identify() }
        await #expect(throws: TravelError.signedOut) { try await identity.reauthenticate() }
        await #expect(throws: TravelError.signedOut) { try await identity.refresh(Session(user: User.ID(seed: 1))) }
    }

    @Test("after a change of nickname, one signs in by the new one")
    func renaming() async throws {
        let signedIn = try await signUpMina()
        let session = try #require(try await authenticate(signedIn.access))
        _ = try await ChangeNickname(users: store, session: session)(Nickname("Sora"))
        await #expect(throws: TravelError.wrongCredentials) { try await signInMina() }
        #expect(try await signIn(Nickname("sora"), Password("open sesame")).user.nickname.text == "Sora")
        #expect(try await renew(signedIn.refresh).user.nickname.text == "Sora")
    }

    @Test("the store has neither the password nor a token")
    func storedSecrets() async throws {
        let signedIn = try await signUpMina()
        let session = try #require(try await authenticate(signedIn.access))
        let stored = session.device.tokens
        #expect(stored.access == tokens.digest(of: signedIn.access))
        #expect(stored.refresh == tokens.digest(of: signedIn.refresh))
        let account = try #require(try await store.account(of: signedIn.user.id))
        #expect(!account.password.text.contains("open sesame"))
    }
}

/// A fast hash of passwords for tests, which counts its calls.
final class CountingHashing: PasswordHashing {
    private let state = Mutex((calls: [String](), verified: [PasswordHash](), salt: 0))

    var calls: [String] { state.withLock(\.calls) }
    var verified: [PasswordHash] { state.withLock(\.verified) }
    let decoy = PasswordHash(seed: 999)

    func reset() { state.withLock { ($0.calls, $0.verified) = ([], []) } }

    func hash(_ password: Password) async throws -> PasswordHash {
        let salt = state.withLock { state in
            state.calls.append("hash")
            state.salt += 1
            return state.salt
        }
        return try #require(PasswordHash("$\(salt)$\(Data(password.text.utf8).base64EncodedString())"))
    }

    /// Hashes that begin with `$old$` have former parameters.
    func isOutdated(_ hash: PasswordHash) -> Bool { hash.text.hasPrefix("$old$") }

    func verify(_ password: Password, _ hash: PasswordHash) async throws -> Bool {
        state.withLock { state in
            state.calls.append("verify")
            state.verified.append(hash)
        }
        return hash.text.hasSuffix("$" + Data(password.text.utf8).base64EncodedString())
    }
}

/// Tokens of ascending numbers, and digests that are no cryptographic ones.
final class NumberedTokens: TokenSource {
    private let count = Atomic<UInt64>(0)

    func token() -> Token {
        let number = count.add(1, ordering: .relaxed).newValue
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        guard let token = Token(bytes: bytes) else { preconditionFailure("there are 32 bytes") }
        return token
    }

    func digest(of token: Token) -> TokenDigest {
        var bytes = [UInt8](repeating: 0, count: 32)
        for (index, byte) in token.text.utf8.enumerated() { bytes[index % 32] = bytes[index % 32] &* 31 &+ byte }
        guard let digest = TokenDigest(bytes: bytes) else { preconditionFailure("there are 32 bytes") }
        return digest
    }
}

/// A clock that a test sets.
final class SettableClock: Sendable {
    private let state = Mutex(Date(timeIntervalSinceReferenceDate: 757_382_400))

    var now: Date {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// A repository that counts the calls, and calls functions before it adds a device and rehashes.
private final class CountedAccounts: AccountRepository {
    private let base: any AccountRepository
    private let state = Mutex(State())

    private struct State {
        var calls: [String] = []
        var beforeAddingDevice: (@Sendable () async throws -> Void)?
        var beforeRehashing: (@Sendable () async throws -> Void)?
    }

    init(_ base: any AccountRepository) { self.base = base }

    var calls: [String] { state.withLock(\.calls) }
    var beforeAddingDevice: (@Sendable () async throws -> Void)? {
        get { state.withLock(\.beforeAddingDevice) }
        set { state.withLock { $0.beforeAddingDevice = newValue } }
    }
    var beforeRehashing: (@Sendable () async throws -> Void)? {
        get { state.withLock(\.beforeRehashing) }
        set { state.withLock { $0.beforeRehashing = newValue } }
    }

    func reset() { state.withLock { $0.calls = [] } }

    private func count(_ call: String = #function) { state.withLock { $0.calls.append(call) } }

    func addAccount(_ user: User, password: PasswordHash, at time: Date, invitation: TokenDigest?) async throws {
        count()
        try await base.addAccount(user, password: password, at: time, invitation: invitation)
    }

    func addInvitations(_ invitations: [TokenDigest], at time: Date) async throws {
        count()
        try await base.addInvitations(invitations, at: time)
    }

    func hasInvitation(_ invitation: TokenDigest) async throws -> Bool {
        count()
        return try await base.hasInvitation(invitation)
    }

    func account(named nickname: Nickname) async throws -> Account? {
        count()
        return try await base.account(named: nickname)
    }

    func account(of user: User.ID) async throws -> Account? {
        count()
        return try await base.account(of: user)
    }

    func setPassword(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        count()
        try await base.setPassword(password, replacing: former, of: user)
    }

    func rehash(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws {
        count()
        try await beforeRehashing?()
        try await base.rehash(password, replacing: former, of: user)
    }

    func addDevice(_ device: SignedInDevice, provenBy password: PasswordHash) async throws {
        count()
        try await beforeAddingDevice?()
        try await base.addDevice(device, provenBy: password)
    }

    func device(withAccess digest: TokenDigest) async throws -> SignedInDevice? {
        count()
        return try await base.device(withAccess: digest)
    }

    func renewDevice(_ refresh: TokenDigest, at now: Date, with tokens: DeviceTokens) async throws -> Renewal {
        count()
        return try await base.renewDevice(refresh, at: now, with: tokens)
    }

    func removeDevice(_ id: SignedInDevice.ID) async throws {
        count()
        try await base.removeDevice(id)
    }

    func removeExpiredDevices(at now: Date) async throws {
        count()
        try await base.removeExpiredDevices(at: now)
    }
}

extension Result where Success: Sendable, Failure == TravelError {
    /// The value of `body`, or the error that it throws.
    fileprivate static func of(_ body: () async throws -> Success) async -> Result {
        do {
            return .success(try await body())
        } catch {
            return .failure(error as? TravelError ?? .unavailable(.init("\(error)", canRetry: false)))
        }
    }
}
