public import TravelDomain

/// Stores the session and the ID of one device in memory. They are lost when the actor is released.
public actor InMemorySession: SessionRepository, IdentityProvider {
    private let device: User.ID
    private var user: User.ID?

    /// Creates the session of a device with that ID, on which `user` is signed in.
    public init(device: User.ID = User.ID(), signedIn user: User.ID? = nil) {
        self.device = device
        self.user = user
    }

    /// Returns the ID of the device.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func identify() async throws -> User.ID {
        try Task.checkCancellation()
        return device
    }

    /// Returns the signed-in user; `nil` when nobody is signed in.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func signedInUser() async throws -> User.ID? {
        try Task.checkCancellation()
        return user
    }

    /// Replaces the signed-in user; `nil` signs out.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; nothing changes then.
    public func setSignedInUser(_ user: User.ID?) async throws {
        try Task.checkCancellation()
        self.user = user
    }
}
