/// A user who can sign in to a server, with the hash of their password.
///
/// Not every ``User`` has an account: the author of an imported trip has none, and nobody can sign in as them.
public struct Account: Hashable, Sendable {
    public let user: User
    public let password: PasswordHash

    public init(user: User, password: PasswordHash) {
        self.user = user
        self.password = password
    }
}

/// A device on which someone has signed in to a server, with its current tokens.
///
/// The tokens of a device are a family: each renewal replaces both, and a refresh token that is presented a second time
/// ends the family, because one of the two who presented it has stolen it.
public struct SignedInDevice: Hashable, Sendable, Identifiable {
    public let id: Identifier<SignedInDevice>
    public let user: User.ID
    public let tokens: DeviceTokens

    public init(id: ID = ID(), user: User.ID, tokens: DeviceTokens) {
        self.id = id
        self.user = user
        self.tokens = tokens
    }
}

/// The digests of a pair of tokens, and the times from which the tokens are no longer valid.
public struct DeviceTokens: Hashable, Sendable {
    /// The digest of the token that comes with each request.
    public let access: TokenDigest
    public let accessExpiresAt: Date
    /// The digest of the token that is exchanged for the next pair.
    public let refresh: TokenDigest
    public let refreshExpiresAt: Date

    /// Creates a pair from its parts.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when a time is not a number (NaN).
    public init(
        access: TokenDigest, accessExpiresAt: Date, refresh: TokenDigest, refreshExpiresAt: Date
    ) throws(TravelError) {
        try accessExpiresAt.requireMoment()
        try refreshExpiresAt.requireMoment()
        self.access = access
        self.accessExpiresAt = accessExpiresAt
        self.refresh = refresh
        self.refreshExpiresAt = refreshExpiresAt
    }

    /// The time for which an access token is valid, in seconds: 15 minutes.
    public static let accessLifetime: TimeInterval = 15 * 60
    /// The time for which a refresh token is valid, in seconds: 90 days.
    public static let refreshLifetime: TimeInterval = 90 * 86_400
}

/// The result of presenting a refresh token.
public enum Renewal: Hashable, Sendable {
    /// The device has new tokens.
    case renewed(SignedInDevice, of: User)
    /// The token had been used before. Its device was signed out.
    case reused(SignedInDevice.ID)
    /// There is no such token, or it has expired.
    case unknown
}

/// The answer to whoever signs in to a server: who they are, and the tokens of their device.
///
/// The tokens exist here only; the server keeps their digests.
public struct SignedIn: Hashable, Sendable {
    public let user: User
    public let access: Token
    /// The time from which ``access`` is no longer valid.
    public let accessExpiresAt: Date
    public let refresh: Token
    /// The time from which ``refresh`` is no longer valid.
    public let refreshExpiresAt: Date

    public init(user: User, access: Token, accessExpiresAt: Date, refresh: Token, refreshExpiresAt: Date) {
        self.user = user
        self.access = access
        self.accessExpiresAt = accessExpiresAt
        self.refresh = refresh
        self.refreshExpiresAt = refreshExpiresAt
    }
}
