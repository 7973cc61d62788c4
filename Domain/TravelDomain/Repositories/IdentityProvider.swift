/// Who can tell who someone is: a sign-in service, or the device itself.
public protocol IdentityProvider: Sendable {
    /// The identity of the person at hand; the same each time for the same person.
    ///
    /// - Throws: ``TravelError`` or `CancellationError`, also when the person gives up signing in.
    func identify() async throws -> User.ID
}
