/// Where it is kept who is signed in on this device; it survives a restart.
///
/// Every function throws ``TravelError`` or `CancellationError`; what threw has changed nothing.
/// `SessionRepositoryContract` in `TravelDomainTesting` checks an implementation.
public protocol SessionRepository: Sendable {
    /// Who is signed in, if anyone is; nobody to begin with.
    func signedInUser() async throws -> User.ID?

    /// Says who is signed in from now on; `nil` for nobody.
    func setSignedInUser(_ user: User.ID?) async throws
}
