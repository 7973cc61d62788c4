/// Stores reports and blocks. ``Visibility`` defines their effect.
///
/// Searches and lookups in the same store omit the travels that the viewer does not see. Every function throws
/// ``TravelError`` or `CancellationError`; a call that throws changes nothing. `ModerationContract` in
/// `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.block(author, by: user)              // true
/// try await repository.block(author, by: user)              // false: it was blocked already
/// try await repository.blocked(by: user).map(\.id)          // [author]
/// ```
public protocol ModerationRepository: Sendable {
    /// Reports a travel. The call is idempotent: each person counts once.
    ///
    /// - Returns: Whether the report is new; `false` when `user` had already reported the travel.
    /// - Throws: ``TravelError/notFound(_:)`` with the travel when there is none, or when `user` does not see it, even
    ///   if they have reported it before; with the person when there is no such person;
    ///   ``TravelError/forbidden(_:)`` with the travel when `user` is its author.
    @discardableResult
    func report(_ travel: Travel.ID, by user: User.ID) async throws -> Bool

    /// Hides the travels of `author` from `user`. The call is idempotent.
    ///
    /// - Returns: Whether the block is new; `false` when `user` had already blocked `author`.
    /// - Throws: ``TravelError/notFound(_:)`` when either person does not exist; ``TravelError/forbidden(_:)`` when
    ///   both are the same.
    @discardableResult
    func block(_ author: User.ID, by user: User.ID) async throws -> Bool

    /// Shows the travels of `author` to `user` again. Does nothing if `user` has not blocked `author`.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func unblock(_ author: User.ID, by user: User.ID) async throws

    /// Returns the people whom `user` has blocked, ordered by ID.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func blocked(by user: User.ID) async throws -> [User]
}
