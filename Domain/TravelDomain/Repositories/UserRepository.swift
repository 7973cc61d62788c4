/// Stores people.
///
/// The ``Nickname/folded`` forms of nicknames are unique, except for authors of imported travels. Every function throws
/// ``TravelError`` or `CancellationError`; a call that throws changes nothing. `UserRepositoryContract` in
/// `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.add(mina)
/// try await repository.isTaken(mina.nickname, exceptBy: nil)        // true
/// try await repository.isTaken(mina.nickname, exceptBy: mina.id)    // false
/// ```
public protocol UserRepository: Sendable {
    /// Returns the person with that ID.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person.
    func user(_ id: User.ID) async throws -> User

    /// Returns whether someone other than `user` has that nickname; `nil` for whether anyone has it.
    ///
    /// - Throws: ``TravelError/unavailable(_:)`` when the store cannot answer; `CancellationError`.
    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool

    /// Adds a person without a picture; an avatar of `user` is ignored.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when the person already exists, or when someone else has the nickname;
    ///   the error names that person.
    func add(_ user: User) async throws

    /// Changes the nickname of a person, which also appears on all their travels.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person; ``TravelError/forbidden(_:)`` when `user`
    ///   is someone else; ``TravelError/conflict(_:)`` when someone else has the nickname; the error names that
    ///   person.
    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws

    /// Sets the picture of a person, or removes it if `image` is `nil`.
    ///
    /// The new picture appears on all their travels, and the former one is removed from the store. The call is
    /// idempotent.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person; ``TravelError/forbidden(_:)`` when `user`
    ///   is someone else; ``TravelError/conflict(_:)`` when a travel or someone else has an image with the same ID.
    func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws

    /// Removes a person and everything they own: their picture, travels with their timelines and images, likes, reports
    /// and blocks.
    ///
    /// A store may remove someone who owns very much in several steps, between which others can write. If it fails in
    /// between, a part is removed and the person still exists; the same call then removes the rest.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such person; ``TravelError/forbidden(_:)`` when `user`
    ///   is someone else.
    func removeUser(_ id: User.ID, by user: User.ID) async throws
}
