/// Where people are kept.
///
/// No two have nicknames whose ``Nickname/folded`` form is equal, except those who came with imported travels. Every
/// function throws ``TravelError`` or `CancellationError`; what threw has changed nothing. `UserRepositoryContract` in
/// `TravelDomainTesting` checks an implementation.
public protocol UserRepository: Sendable {
    /// The person.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is none.
    func user(_ id: User.ID) async throws -> User

    /// Whether someone else than `user` has that nickname.
    func isTaken(_ nickname: Nickname, exceptBy user: User.ID) async throws -> Bool

    /// Adds a person.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when they are there already, or when another has the nickname: the error
    ///   names who.
    func add(_ user: User) async throws

    /// Gives a person another nickname, on all their travels too.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person; ``TravelError/forbidden(_:)`` when `user` is
    ///   someone else; ``TravelError/conflict(_:)`` when another has the nickname: the error names who.
    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws

    /// Removes a person and all they own: travels with their timelines and images, likes, reports, blocks.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person; ``TravelError/forbidden(_:)`` when `user` is
    ///   someone else.
    func removeUser(_ id: User.ID, by user: User.ID) async throws
}
