/// Identifies the current person: a sign-in service, or the device itself.
///
/// ```swift
/// struct Device: IdentityProvider {
///     let person: User.ID
///
///     func identify() async throws -> Session { Session(user: person) }
///     func refresh(_ session: Session) async throws -> Session { session }
///     func reauthenticate() async throws -> User.ID { person }
/// }
/// ```
public protocol IdentityProvider: Sendable {
    /// Signs the current person in and returns their session. The ID is always the same for the same person.
    ///
    /// - Throws: ``TravelError`` or `CancellationError`, also when the person cancels signing in.
    func identify() async throws -> Session

    /// Returns a session that replaces `session`, of the same person, without asking them.
    ///
    /// - Throws: ``TravelError/signedOut`` when the person must sign in again; ``TravelError/unavailable(_:)`` when the
    ///   provider cannot answer; `CancellationError`.
    func refresh(_ session: Session) async throws -> Session

    /// Asks the current person to identify themselves again, before an action that cannot be undone; returns their ID.
    ///
    /// - Throws: ``TravelError`` or `CancellationError`, also when the person cancels.
    func reauthenticate() async throws -> User.ID
}
