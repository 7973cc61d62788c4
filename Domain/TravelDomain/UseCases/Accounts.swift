/// What the use cases of accounts work with.
///
/// ```swift
/// let access = AccountAccess(accounts: accounts, hashing: hashing, tokens: tokens, now: { clock.now })
/// let signedIn = try await SignUp(access)(Nickname("Mina"), Password("open sesame"))
/// ```
public struct AccountAccess: Sendable {
    let accounts: any AccountRepository
    let hashing: any PasswordHashing
    let tokens: any TokenSource
    let now: @Sendable () -> Date

    public init(
        accounts: any AccountRepository, hashing: any PasswordHashing, tokens: any TokenSource,
        now: @escaping @Sendable () -> Date
    ) {
        self.accounts = accounts
        self.hashing = hashing
        self.tokens = tokens
        self.now = now
    }

    /// Signs a device in whose user has proven the password of `account`.
    ///
    /// - Throws: ``TravelError/wrongCredentials`` when the account has been removed since, or has another password.
    fileprivate func signIn(_ account: Account) async throws -> SignedIn {
        let new = NewTokens(self)
        let device = SignedInDevice(user: account.user.id, tokens: try new.digests)
        do {
            try await accounts.addDevice(device, provenBy: account.password)
        } catch TravelError.notFound {
            throw TravelError.wrongCredentials
        }
        return new.signedIn(account.user)
    }
}

/// A pair of tokens that are valid from now on.
private struct NewTokens {
    private let access: (token: Token, digest: TokenDigest, expiresAt: Date)
    private let refresh: (token: Token, digest: TokenDigest, expiresAt: Date)

    /// Makes both tokens, or takes the refresh token that the device has chosen.
    init(_ world: AccountAccess, refresh chosen: Token? = nil) {
        let now = world.now()
        func new(_ token: Token, validFor lifetime: TimeInterval) -> (Token, TokenDigest, Date) {
            (token, world.tokens.digest(of: token), now.addingTimeInterval(lifetime))
        }
        access = new(world.tokens.token(), validFor: DeviceTokens.accessLifetime)
        refresh = new(chosen ?? world.tokens.token(), validFor: DeviceTokens.refreshLifetime)
    }

    var digests: DeviceTokens {
        get throws(TravelError) {
            try DeviceTokens(
                access: access.digest, accessExpiresAt: access.expiresAt, refresh: refresh.digest,
                refreshExpiresAt: refresh.expiresAt)
        }
    }

    func signedIn(_ user: User) -> SignedIn {
        SignedIn(
            user: user, access: access.token, accessExpiresAt: access.expiresAt, refresh: refresh.token,
            refreshExpiresAt: refresh.expiresAt)
    }
}

/// Creates an account on a server, and signs its device in.
///
/// ```swift
/// let signUp = SignUp(access)
/// let signedIn = try await signUp(Nickname("Mina"), Password("open sesame"))
/// signedIn.user.nickname.text    // "Mina"
/// ```
public struct SignUp: Sendable {
    /// Who may create an account.
    public enum Policy: String, CaseIterable, Sendable {
        /// Everyone.
        case open
        /// Whoever has a code from the owner of the server, which can be used once.
        case invitation
        /// Nobody.
        case closed
    }

    private let access: AccountAccess
    private let policy: Policy

    public init(_ access: AccountAccess, policy: Policy = .open) {
        self.access = access
        self.policy = policy
    }

    /// Creates the account of a new user. Their ID is a new one: nobody can take that of someone who is known elsewhere,
    /// whose trips may be imported later.
    ///
    /// If the answer is lost, ``SignInWithPassword`` continues. An invitation is looked at under ``Policy/invitation`` only,
    /// and is used up when the account is created.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when nobody may choose the nickname or the password (see
    ///   ``Nickname/requireChoosable()`` and ``Password/requireChoosable()``), and when the policy does not let somebody with
    ///   this invitation in; ``TravelError/conflict(_:)`` when someone has a nickname that looks like it, be it the author of
    ///   an imported trip, who has no account; other errors of the repository and of the hashing; `CancellationError`.
    public func callAsFunction(
        _ nickname: Nickname, _ password: Password, invitation: Token? = nil
    ) async throws -> SignedIn {
        try nickname.requireChoosable()
        try password.requireChoosable()
        var digest: TokenDigest?
        switch policy {
        case .open: break
        case .closed: throw TravelError.invalid(Violation(.invitation, .closed))
        case .invitation:
            digest = invitation.map(access.tokens.digest)
            // Hashing a password is expensive: it is not done for nothing.
            guard let digest, try await access.accounts.hasInvitation(digest) else {
                throw TravelError.invalid(.noInvitation)
            }
        }
        let user = User(id: User.ID(), nickname: nickname)
        let account = Account(user: user, password: try await access.hashing.hash(password))
        try await access.accounts.addAccount(
            user, password: account.password, at: access.now(), invitation: digest)
        return try await access.signIn(account)
    }
}

/// Makes invitations to create an account on a server.
///
/// ```swift
/// let codes = try await Invite(access)(3).map(\.text)    // three codes, to be sent to three people
/// ```
public struct Invite: Sendable {
    private let access: AccountAccess

    public init(_ access: AccountAccess) {
        self.access = access
    }

    /// Returns new invitations. The store has only their digests: they cannot be shown again.
    ///
    /// - Throws: The errors of the repository; `CancellationError`.
    public func callAsFunction(_ count: Int) async throws -> [Token] {
        let codes = (0..<max(0, count)).map { _ in access.tokens.token() }
        try await access.accounts.addInvitations(codes.map(access.tokens.digest), at: access.now())
        return codes
    }
}

/// Signs a device in to a server by nickname and password.
///
/// ```swift
/// let signIn = SignInWithPassword(access)
/// try await signIn(Nickname("Mina"), Password("open says me"))    // throws TravelError.wrongCredentials
/// ```
public struct SignInWithPassword: Sendable {
    private let access: AccountAccess

    public init(_ access: AccountAccess) {
        self.access = access
    }

    /// Signs the device in.
    ///
    /// An unknown nickname takes as long as a wrong password. The caller limits the number of attempts. A hash with
    /// outdated parameters is replaced.
    ///
    /// - Throws: ``TravelError/wrongCredentials`` when no account has the nickname, or it has another password; the errors
    ///   of the repository and of the hashing; `CancellationError`.
    public func callAsFunction(_ nickname: Nickname, _ password: Password) async throws -> SignedIn {
        let account = try await access.account(named: nickname, with: password)
        let signedIn: SignedIn
        do {
            signedIn = try await access.signIn(account)
        } catch TravelError.wrongCredentials {
            // The hash is another one by now: the password was changed, or hashed again by another sign-in.
            return try await access.signIn(access.account(named: nickname, with: password))
        }
        try await access.rehash(password, of: account)
        return signedIn
    }
}

/// Exchanges the refresh token of a device for new tokens.
///
/// A device that chooses the next refresh token, and stores it before it asks, can ask again when the answer is lost. Any
/// other device has only a used token then, and signs in with the password, because that token cannot be told from a stolen
/// one.
///
/// ```swift
/// let renewed = try await RenewSession(access)(refresh, next: stored)
/// renewed.refresh == stored    // true, however often it is repeated
/// ```
public struct RenewSession: Sendable {
    private let access: AccountAccess

    public init(_ access: AccountAccess) {
        self.access = access
    }

    /// Returns the new tokens. The former ones are no longer valid.
    ///
    /// - Parameters:
    ///   - refresh: The refresh token of the device.
    ///   - next: The one that the device has chosen to follow it, of 256 random bits; `nil` for one that the server makes.
    /// - Throws: ``TravelError/signedOut`` when the token is unknown or has expired, and when it has been used before,
    ///   except with the same `next`, as long as that was not used, which signs the device out, as does a `next` that was
    ///   a refresh token before; ``TravelError/invalid(_:)`` when `next` is not ``Token/isPlausible``, after which `refresh`
    ///   is still valid; the errors of the repository; `CancellationError`.
    public func callAsFunction(_ refresh: Token, next: Token? = nil) async throws -> SignedIn {
        if let next, !next.isPlausible {
            throw TravelError.invalid(.init(.session, .malformed(expected: "renewed with a token of 256 random bits")))
        }
        let new = NewTokens(access, refresh: next)
        let digest = access.tokens.digest(of: refresh)
        switch try await access.accounts.renewDevice(digest, at: access.now(), with: new.digests) {
        case .renewed(_, of: let user): return new.signedIn(user)
        case .reused, .unknown: throw TravelError.signedOut
        }
    }
}

/// Finds out whose request it is to which an access token belongs.
///
/// ```swift
/// guard let session = try await Authenticate(access)(token) else { throw TravelError.signedOut }
/// let likeTrip = LikeTrip(trips: trips, session: session)
/// ```
public struct Authenticate: Sendable {
    private let access: AccountAccess

    public init(_ access: AccountAccess) {
        self.access = access
    }

    /// Returns the session to which the token belongs; `nil` when the token is unknown, was replaced, or has expired.
    ///
    /// - Throws: The errors of the repository; `CancellationError`.
    public func callAsFunction(_ token: Token) async throws -> TokenSession? {
        let digest = access.tokens.digest(of: token)
        guard let device = try await access.accounts.device(withAccess: digest),
            access.now() < device.tokens.accessExpiresAt
        else { return nil }
        return TokenSession(device: device, accounts: access.accounts)
    }
}

/// The session of one request to a server, which ``Authenticate`` has found by its access token.
///
/// The use cases take the acting user from it. ``SignOut`` removes the device, so that its tokens are no longer valid.
public struct TokenSession: SessionRepository {
    public let device: SignedInDevice
    private let accounts: any AccountRepository

    init(device: SignedInDevice, accounts: any AccountRepository) {
        self.device = device
        self.accounts = accounts
    }

    public func session() async throws -> Session? {
        try Task.checkCancellation()
        return try Session(user: device.user, expiresAt: device.tokens.accessExpiresAt)
    }

    /// Signs the device out if `change` does. A request cannot sign anyone else in.
    ///
    /// - Throws: ``TravelError/forbidden(_:)`` when the result of `change` is the session of someone else; the errors of
    ///   ``AccountRepository/removeDevice(_:)``.
    public func updateSession(_ change: @escaping @Sendable (inout Session?) -> Void) async throws {
        var session = try await session()
        change(&session)
        guard let session else { return try await accounts.removeDevice(device.id) }
        guard session.user == device.user else { throw TravelError.forbidden(.user(session.user)) }
    }

    /// Emits the session once: it does not change during a request.
    public func observeSession() -> any AsyncSequence<Session?, any Error> & Sendable {
        DeferredSequence<Session?, Session?> {
            let session = try await session()
            return AsyncThrowingStream { $0.yield(session) }
        }
    }
}

/// Identifies the user of a session by their password: for ``DeleteAccount`` on a server.
///
/// ```swift
/// let identity = PasswordIdentity(access, session: session, password: password)
/// try await DeleteAccount(users: users, identity: identity, session: session)()
/// ```
public struct PasswordIdentity: IdentityProvider {
    private let access: AccountAccess
    private let session: any SessionRepository
    private let password: Password

    public init(_ access: AccountAccess, session: any SessionRepository, password: Password) {
        self.access = access
        self.session = session
        self.password = password
    }

    /// Returns the session if the password is that of its user.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/wrongCredentials``; the errors of the
    ///   repositories and of the hashing; `CancellationError`.
    public func identify() async throws -> Session {
        guard let session = try await session.session() else { throw TravelError.signedOut }
        _ = try await access.account(of: session.user, with: password)
        return session
    }

    public func refresh(_ session: Session) async throws -> Session {
        throw TravelError.signedOut
    }

    public func reauthenticate() async throws -> User.ID {
        try await identify().user
    }
}

extension AccountAccess {
    /// The account with a nickname whose password someone has given.
    ///
    /// - Throws: ``TravelError/wrongCredentials`` when no account has the nickname, or it has another password.
    fileprivate func account(named nickname: Nickname, with password: Password) async throws -> Account {
        let account = try await accounts.account(named: nickname)
        let isRight = try await hashing.verify(password, account?.password ?? hashing.decoy)
        guard let account, isRight else { throw TravelError.wrongCredentials }
        return account
    }

    /// Hashes the password of an account again if the parameters of its hash are outdated.
    fileprivate func rehash(_ password: Password, of account: Account) async throws {
        guard hashing.isOutdated(account.password) else { return }
        do {
            let hash = try await hashing.hash(password)
            try await accounts.rehash(hash, replacing: account.password, of: account.user.id)
        } catch is TravelError {
            // The device is signed in: the next sign-in tries again.
        }
    }

    /// The account of a user who has given their password.
    ///
    /// - Throws: ``TravelError/wrongCredentials`` when it is another one, or the user has no account.
    fileprivate func account(of user: User.ID, with password: Password) async throws -> Account {
        let account = try await accounts.account(of: user)
        let isRight = try await hashing.verify(password, account?.password ?? hashing.decoy)
        guard let account, isRight else { throw TravelError.wrongCredentials }
        return account
    }
}

/// Changes the password of the signed-in user, and signs all their devices out, except that the one that they use gets
/// new tokens.
public struct ChangePassword: Sendable {
    private let access: AccountAccess
    private let session: any SessionRepository

    public init(_ access: AccountAccess, session: any SessionRepository) {
        self.access = access
        self.session = session
    }

    /// Changes the password, and returns new tokens for this device.
    ///
    /// If the answer is lost, the device signs in with the new password. The caller limits the number of attempts.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when nobody may choose `new` (see ``Password/requireChoosable()``);
    ///   ``TravelError/signedOut`` when nobody is signed in; ``TravelError/wrongCredentials`` when `old` is not the password
    ///   of the user, or no longer; the errors of the repositories and of the hashing; `CancellationError`.
    public func callAsFunction(from old: Password, to new: Password) async throws -> SignedIn {
        try new.requireChoosable()
        let account = try await access.account(of: session.requireUser(), with: old)
        let hash = try await access.hashing.hash(new)
        do {
            try await access.accounts.setPassword(hash, replacing: account.password, of: account.user.id)
        } catch TravelError.notFound {
            throw TravelError.wrongCredentials
        }
        return try await access.signIn(Account(user: account.user, password: hash))
    }
}
