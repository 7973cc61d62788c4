/// Stores people.
///
/// The ``Nickname/folded`` forms of nicknames are unique, except for authors of imported trips. Every function throws
/// ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError`; a call that throws changes
/// nothing. `UserRepositoryContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.add(mina)
/// try await repository.isTaken(mina.nickname, exceptBy: nil)        // true
/// try await repository.isTaken(mina.nickname, exceptBy: mina.id)    // false
/// ```
public protocol UserRepository: Sendable {
    /// Returns the user with that ID.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such user.
    func user(_ id: User.ID) async throws -> User

    /// Returns whether someone other than `user` has that nickname; `nil` for whether anyone has it.
    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool

    /// Adds a user without a picture; an avatar of `user` is ignored.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when the user already exists, or when someone else has the nickname;
    ///   the error names that user.
    func add(_ user: User) async throws

    /// Changes the nickname of a user, which also appears on all their trips.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such user; ``TravelError/forbidden(_:)`` when `user`
    ///   is someone else; ``TravelError/conflict(_:)`` when someone else has the nickname; the error names that
    ///   user.
    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws

    /// Sets the picture of a user, or removes it if `image` is `nil`.
    ///
    /// The new picture appears on all their trips, and the former one is removed from the store. The call is
    /// idempotent.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such user; ``TravelError/forbidden(_:)`` when `user`
    ///   is someone else; ``TravelError/conflict(_:)`` when a trip or someone else has an image with the same ID.
    func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws

    /// Removes a user and everything they own: their picture, trips with their timelines and images, likes, reports
    /// and blocks.
    ///
    /// A store may remove someone who owns very much in several steps, between which others can write. If it fails in
    /// between, a part is removed and the user still exists; the same call then removes the rest.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such user; ``TravelError/forbidden(_:)`` when `user`
    ///   is someone else.
    func removeUser(_ id: User.ID, by user: User.ID) async throws
}

/// Stores reports and blocks. ``Visibility`` defines their effect.
///
/// Searches and lookups in the same store omit the trips that the viewer does not see. Every function throws
/// ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError`; a call that throws changes
/// nothing. `ModerationContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.block(author, by: user)              // true
/// try await repository.block(author, by: user)              // false: it was blocked already
/// try await repository.blocked(by: user).map(\.id)          // [author]
/// ```
public protocol ModerationRepository: Sendable {
    /// Reports a trip. The call is idempotent: each user counts once.
    ///
    /// - Returns: Whether the report is new; `false` when `user` had already reported the trip.
    /// - Throws: ``TravelError/notFound(_:)`` with the trip when there is none, or when `user` does not see it, even
    ///   if they have reported it before; with the user when there is no such user;
    ///   ``TravelError/forbidden(_:)`` with the trip when `user` is its author.
    @discardableResult
    func report(_ trip: Trip.ID, by user: User.ID) async throws -> Bool

    /// Hides the trips of `author` from `user`. The call is idempotent.
    ///
    /// - Returns: Whether the block is new; `false` when `user` had already blocked `author`.
    /// - Throws: ``TravelError/notFound(_:)`` when either user does not exist; ``TravelError/forbidden(_:)`` when
    ///   both are the same.
    @discardableResult
    func block(_ author: User.ID, by user: User.ID) async throws -> Bool

    /// Shows the trips of `author` to `user` again. Does nothing if `user` has not blocked `author`.
    func unblock(_ author: User.ID, by user: User.ID) async throws

    /// Returns the people whom `user` has blocked, ordered by ID.
    func blocked(by user: User.ID) async throws -> [User]
}

/// Identifies the current user: a sign-in service, or the device itself.
///
/// ```swift
/// struct Device: IdentityProvider {
///     let user: User.ID
///
///     func identify() async throws -> Session { Session(user: user) }
///     func refresh(_ session: Session) async throws -> Session { session }
///     func reauthenticate() async throws -> User.ID { user }
/// }
/// ```
public protocol IdentityProvider: Sendable {
    /// Signs the current user in and returns their session. The ID is always the same for the same user.
    ///
    /// - Throws: ``TravelError`` or `CancellationError`, also when the user cancels signing in.
    func identify() async throws -> Session

    /// Returns a session that replaces `session`, of the same user, without asking them.
    ///
    /// - Throws: ``TravelError/signedOut`` when the user must sign in again; ``TravelError/unavailable(_:)`` when the
    ///   provider cannot answer; `CancellationError`.
    func refresh(_ session: Session) async throws -> Session

    /// Asks the current user to identify themselves again, before an action that cannot be undone; returns their ID.
    ///
    /// - Throws: ``TravelError`` or `CancellationError`, also when the user cancels.
    func reauthenticate() async throws -> User.ID
}
