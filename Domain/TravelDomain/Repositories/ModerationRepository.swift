/// Where it is kept who has reported which travel and who has blocked whom; what follows from it, ``Visibility`` says.
///
/// Searches and single looks of the same store leave out the travels that the viewer does not see. Every function throws
/// ``TravelError`` or `CancellationError`; what threw has changed nothing. `ModerationContract` in
/// `TravelDomainTesting` checks an implementation.
public protocol ModerationRepository: Sendable {
    /// Reports a travel.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such travel or person, or when `user` does not see the
    ///   travel; ``TravelError/conflict(_:)`` when they have reported it already.
    func report(_ travel: Travel.ID, by user: User.ID) async throws

    /// Hides the travels of `author` from `user`.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when one of them is not there; ``TravelError/forbidden(_:)`` when they are
    ///   the same; ``TravelError/conflict(_:)`` when `user` has blocked `author` already.
    func block(_ author: User.ID, by user: User.ID) async throws

    /// Shows the travels of `author` to `user` again; nothing happens if they were never hidden.
    func unblock(_ author: User.ID, by user: User.ID) async throws

    /// Whom `user` has blocked, in the order of their identities.
    func blocked(by user: User.ID) async throws -> [User]
}
