public import TravelDomain

/// The session and the one identity of a device, kept in memory for as long as this actor lives.
public actor InMemorySession: SessionRepository, IdentityProvider {
    private let device: User.ID
    private var user: User.ID?

    /// A device of that identity, on which `user` is signed in.
    public init(device: User.ID = User.ID(), signedIn user: User.ID? = nil) {
        self.device = device
        self.user = user
    }

    /// The identity of the device.
    public func identify() async throws -> User.ID {
        try Task.checkCancellation()
        return device
    }

    /// Who is signed in.
    public func signedInUser() async throws -> User.ID? {
        try Task.checkCancellation()
        return user
    }

    /// Says who is signed in from now on.
    public func setSignedInUser(_ user: User.ID?) async throws {
        try Task.checkCancellation()
        self.user = user
    }
}
