/// Stores persistently which user is signed in on this device.
///
/// Every function throws ``TravelError`` or `CancellationError`; a call that throws changes nothing.
/// `SessionRepositoryContract` in `TravelDomainTesting` checks an implementation.
public protocol SessionRepository: Sendable {
    /// Returns the ID of the signed-in user; `nil` when nobody is signed in, as at first.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func signedInUser() async throws -> User.ID?

    /// Replaces the signed-in user; `nil` signs out.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func setSignedInUser(_ user: User.ID?) async throws
}
