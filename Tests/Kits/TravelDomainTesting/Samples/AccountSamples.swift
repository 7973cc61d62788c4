public import TravelDomain

extension PasswordHash {
    /// The hash of `seed`, which is one of no password.
    public init(seed: UInt64) {
        guard let hash = Self("$sample$\(seed)") else { preconditionFailure("the text has visible characters only") }
        self = hash
    }
}

extension TokenDigest {
    /// The digest of `seed`, which is one of no token.
    public init(seed: UInt64) {
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: seed.bigEndian) { Array($0) } }
        guard let digest = Self(bytes: bytes) else { preconditionFailure("there are 32 bytes") }
        self = digest
    }
}

extension DeviceTokens {
    /// The digests of `2 * seed` and `2 * seed + 1`, of tokens that are issued at `now` and are valid for as long as
    /// others.
    public init(seed: UInt64, at now: Date) throws(TravelError) {
        try self.init(
            access: TokenDigest(seed: 2 * seed), accessExpiresAt: now.addingTimeInterval(Self.accessLifetime),
            refresh: TokenDigest(seed: 2 * seed + 1), refreshExpiresAt: now.addingTimeInterval(Self.refreshLifetime))
    }
}

extension SignedInDevice {
    /// The device of `seed`, with the tokens of the same seed.
    public init(seed: UInt64, user: User.ID, at now: Date) throws(TravelError) {
        self.init(id: ID(seed: seed), user: user, tokens: try DeviceTokens(seed: seed, at: now))
    }
}
