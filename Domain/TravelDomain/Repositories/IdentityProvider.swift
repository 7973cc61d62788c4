/// Identifies the current person: a sign-in service, or the device itself.
public protocol IdentityProvider: Sendable {
    /// Returns the ID of the current person, which is always the same for the same person.
    ///
    /// - Throws: ``TravelError`` or `CancellationError`, also when the person cancels signing in.
    func identify() async throws -> User.ID
}
