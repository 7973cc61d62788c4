/// Stores the accounts of a server and the devices that are signed in.
///
/// It belongs to the store of the people: ``UserRepository/removeUser(_:by:)`` removes the account and the devices with
/// the user, and ``UserRepository/rename(_:to:by:)`` changes the nickname by which ``account(named:)`` finds them. It
/// has neither passwords nor tokens, only hashes. Every function throws ``TravelError/unavailable(_:)`` when the store
/// cannot answer, and `CancellationError`; a call that throws changes nothing. `AccountRepositoryContract` in
/// `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await accounts.addAccount(mina, password: hash, at: clock.now, invitation: nil)
/// try await accounts.account(named: Nickname("MINA"))?.user.id    // mina.id
/// ```
public protocol AccountRepository: Sendable {
    /// Adds a user, without a picture, and their account, whose age begins at `time`. An invitation is used up by this; with
    /// `nil`, none is needed.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when the user already exists, with or without an account, or when someone
    ///   else has a nickname that looks like it (``Nickname/looksLike(_:)``); the error names that user;
    ///   ``TravelError/invalid(_:)`` with ``Violation/noInvitation`` when there is no such invitation (any more). The
    ///   invitation is kept in these cases.
    func addAccount(_ user: User, password: PasswordHash, at time: Date, invitation: TokenDigest?) async throws

    /// Adds invitations, each for one account. Those that are there already stay.
    func addInvitations(_ invitations: [TokenDigest], at time: Date) async throws

    /// Returns whether an invitation is there and unused.
    func hasInvitation(_ invitation: TokenDigest) async throws -> Bool

    /// Returns the account whose user has the nickname, compared by ``Nickname/folded``; `nil` if there is none. People
    /// without an account are not found, nor are people whose nickname only looks like it.
    func account(named nickname: Nickname) async throws -> Account?

    /// Returns the account of a user; `nil` if they have none.
    func account(of user: User.ID) async throws -> Account?

    /// Replaces the password of a user, and signs all their devices out, at once.
    ///
    /// `former` is the hash that was verified: of two concurrent changes, the second one fails.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when the user has no account; ``TravelError/wrongCredentials`` when their
    ///   hash is another one than `former`.
    func setPassword(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws

    /// Replaces the hash of a password that stays as it is, such as one with former parameters. Devices stay signed in.
    ///
    /// Does nothing when the user has no account, or another hash than `former`: a change of the password wins.
    func rehash(_ password: PasswordHash, replacing former: PasswordHash, of user: User.ID) async throws

    /// Adds a device of which the user has proven their password.
    ///
    /// `password` is the hash that was verified: a device cannot be added with a password that was changed in the
    /// meantime.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when the user has no account; ``TravelError/wrongCredentials`` when their
    ///   hash is another one than `password`; ``TravelError/forbidden(_:)`` with the user when the owner of the store has
    ///   blocked the account (``OversightRepository``).
    func addDevice(_ device: SignedInDevice, provenBy password: PasswordHash) async throws

    /// Returns the device with that access token, even if the token has expired; `nil` if there is none, as for a token
    /// that was replaced. Each request of a server calls this: it is one lookup.
    func device(withAccess digest: TokenDigest) async throws -> SignedInDevice?

    /// Exchanges a refresh token for a new pair of tokens. Concurrent calls are serialised.
    ///
    /// A token is valid until the moment at which it expires, and can be used once. If it is used again before that
    /// moment, removes the device, because its tokens are in the hands of two; unless it is the last one that the device has
    /// used, and the refresh token of `tokens` is the one that the device has now: the device had chosen it, and asks again
    /// because the answer was lost. It gets the access token and the times of `tokens` then.
    ///
    /// A refresh token in `tokens` that a device has, or had, at any other call also removes the device.
    func renewDevice(_ refresh: TokenDigest, at now: Date, with tokens: DeviceTokens) async throws -> Renewal

    /// Removes a device: none of its tokens is valid any more. Does nothing if there is no such device.
    func removeDevice(_ id: SignedInDevice.ID) async throws

    /// Removes the devices whose refresh token has expired at `now`, and everything else that is no longer needed then.
    func removeExpiredDevices(at now: Date) async throws
}

extension AccountRepository {
    /// Adds a user and their account without an invitation, by default at the present time, as
    /// ``addAccount(_:password:at:invitation:)`` does.
    ///
    /// - Throws: The errors of ``addAccount(_:password:at:invitation:)``.
    public func addAccount(_ user: User, password: PasswordHash, at time: Date = Date()) async throws {
        try await addAccount(user, password: password, at: time, invitation: nil)
    }
}

extension Violation {
    /// An invitation that does not exist, or that somebody has used.
    public static let noInvitation = Violation(
        .invitation, .malformed(expected: "one that the owner of the server has made and that nobody has used"))
}

/// Hashes passwords, slowly on purpose.
public protocol PasswordHashing: Sendable {
    /// A hash that belongs to no account, with the parameters of ``hash(_:)``. To verify a password against it takes as
    /// long as against any other, and fails.
    var decoy: PasswordHash { get }

    /// Returns a new hash of `password`: another one each time, because its salt is random.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when there is not enough memory; `CancellationError`.
    func hash(_ password: Password) async throws -> PasswordHash

    /// Returns whether `hash` is one of `password`.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when there is not enough memory; `CancellationError`.
    func verify(_ password: Password, _ hash: PasswordHash) async throws -> Bool

    /// Whether `hash` has other parameters than those of ``hash(_:)``, so that the password should be hashed again.
    func isOutdated(_ hash: PasswordHash) -> Bool
}

/// Makes tokens and their digests.
public protocol TokenSource: Sendable {
    /// Returns a new token, of bits from a cryptographically secure random number generator.
    func token() -> Token

    /// Returns the digest of `token` by a cryptographic hash function: always the same one.
    func digest(of token: Token) -> TokenDigest
}
