/// Stores people.
///
/// Nobody gets a nickname that looks like that of someone else (``Nickname/looksLike(_:)``), except for authors of imported
/// trips. Nicknames that a store has stay, also when a later version finds that they look alike. Every function throws
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

    /// Returns whether someone other than `user` has that nickname, or one that looks like it; `nil` for whether anyone
    /// has.
    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool

    /// Adds a user without a picture; an avatar of `user` is ignored.
    ///
    /// - Throws: ``TravelError/conflict(_:)`` when the user already exists, or when someone else has a nickname that
    ///   looks like it; the error names that user.
    func add(_ user: User) async throws

    /// Changes the nickname of a user, which also appears on all their trips.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such user; ``TravelError/forbidden(_:)`` when `user`
    ///   is someone else; ``TravelError/conflict(_:)`` when someone else has a nickname that looks like it; the
    ///   error names that user.
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
/// Searches and lookups in the same store omit the trips that the viewer does not see, and ``Trip/isHidden`` tells authors
/// that others do not see a trip. Every function throws
/// ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError`; a call that throws changes
/// nothing. `ModerationContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// try await repository.block(author, by: user)              // true
/// try await repository.block(author, by: user)              // false: it was blocked already
/// try await repository.blocked(by: user).map(\.id)          // [author]
/// ```
public protocol ModerationRepository: Sendable {
    /// Reports a trip. The call is idempotent: each user counts once, and ``ReportStanding`` decides at the first call
    /// whether they count.
    ///
    /// - Returns: Whether the report is new; `false` when `user` had already reported the trip.
    /// - Throws: ``TravelError/notFound(_:)`` with the trip when there is none, or when `user` does not see it, even
    ///   if they have reported it before; with the user when there is no such user;
    ///   ``TravelError/forbidden(_:)`` with the trip when `user` is its author.
    @discardableResult
    func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool

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

extension ModerationRepository {
    /// Reports a trip at the present time, as ``report(_:by:at:)`` does.
    ///
    /// - Throws: The errors of ``report(_:by:at:)``.
    @discardableResult
    public func report(_ trip: Trip.ID, by user: User.ID) async throws -> Bool {
        try await report(trip, by: user, at: Date())
    }
}

/// What the owner of a store decides about reported trips and about accounts, whoever is signed in.
///
/// Every function throws ``TravelError/unavailable(_:)`` when the store cannot answer, and `CancellationError`; a call that
/// throws changes nothing. `OversightContract` in `TravelDomainTesting` checks an implementation.
///
/// ```swift
/// for reported in try await store.reportedTrips(limit: 20) where reported.counting > 5 {
///     try await store.setHidden(false, trip: reported.id)    // everyone sees it again
/// }
/// ```
public protocol OversightRepository: Sendable {
    /// Returns the trips that were reported or that the owner has hidden: those that nobody but their authors sees first,
    /// then by the number of reports that count, and of all reports; among equal ones by ID.
    func reportedTrips(limit: Int) async throws -> [ReportedTrip]

    /// Hides a trip from everyone but its author, or shows it again. The call is idempotent.
    ///
    /// When it is shown again, the reports that it had no longer count: only new ones by other people can hide it.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` when there is no such trip.
    func setHidden(_ isHidden: Bool, trip id: Trip.ID) async throws

    /// Blocks an account, or ends the block. The call is idempotent.
    ///
    /// A blocked account is signed out on all devices and cannot sign in, and its reports no longer count, also after the
    /// end of the block. Its trips and likes stay.
    ///
    /// - Throws: ``TravelError/notFound(_:)`` with the user when they have no account.
    func setBlocked(_ isBlocked: Bool, account user: User.ID, at time: Date) async throws

    /// Returns how much a user has in the store: nothing for an unknown user.
    func usage(of user: User.ID) async throws -> AccountUsage
}

/// How much a user has in a store.
public struct AccountUsage: Hashable, Sendable {
    public var trips: Int
    /// The number of pictures, that of the user included.
    public var pictures: Int
    /// The bytes of the pictures.
    public var bytes: Int

    public init(trips: Int = 0, pictures: Int = 0, bytes: Int = 0) {
        (self.trips, self.pictures, self.bytes) = (trips, pictures, bytes)
    }
}

/// A trip that was reported, or hidden by the owner of the store.
public struct ReportedTrip: Hashable, Sendable, Identifiable {
    public let id: Trip.ID
    public let title: Title
    public let author: User
    /// The number of reports that count.
    public let counting: Int
    /// The number of reports that do not count.
    public let others: Int
    /// Whether the owner has hidden it.
    public let isHiddenByOwner: Bool

    public init(id: Trip.ID, title: Title, author: User, counting: Int, others: Int, isHiddenByOwner: Bool) {
        self.id = id
        self.title = title
        self.author = author
        self.counting = counting
        self.others = others
        self.isHiddenByOwner = isHiddenByOwner
    }

    /// Whether nobody but its author sees it.
    public var isHidden: Bool { isHiddenByOwner || counting > Visibility.toleratedReports }

    /// Orders trips as ``OversightRepository/reportedTrips(limit:)`` does.
    public static func precedes(_ first: ReportedTrip, _ second: ReportedTrip) -> Bool {
        if first.isHidden != second.isHidden { return first.isHidden }
        if first.counting != second.counting { return first.counting > second.counting }
        if first.others != second.others { return first.others > second.others }
        return first.id < second.id
    }
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
