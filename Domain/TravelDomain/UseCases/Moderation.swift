/// Reports a trip for the signed-in user. ``ReportStanding`` and ``Visibility`` define the effect.
///
/// ```swift
/// let report = ReportTrip(moderation: repository, session: session)
/// try await report(trip.id)    // true
/// try await report(trip.id)    // false: reported already
/// ```
public struct ReportTrip: Sendable {
    private let moderation: any ModerationRepository
    private let session: any SessionRepository
    private let now: @Sendable () -> Date

    public init(
        moderation: any ModerationRepository, session: any SessionRepository,
        now: @escaping @Sendable () -> Date
    ) {
        self.moderation = moderation
        self.session = session
        self.now = now
    }

    /// Reports the trip. Authors cannot report their own trips.
    ///
    /// - Returns: Whether the report is new; `false` when this user had already reported the trip.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; the errors of
    ///   ``ModerationRepository/report(_:by:at:)``; `CancellationError`.
    @discardableResult
    public func callAsFunction(_ trip: Trip.ID) async throws -> Bool {
        try await moderation.report(trip, by: session.requireUser(), at: now())
    }
}

/// Hides all trips of an author from the signed-in user. People cannot block themselves.
public struct BlockAuthor: Sendable {
    private let moderation: any ModerationRepository
    private let session: any SessionRepository

    public init(moderation: any ModerationRepository, session: any SessionRepository) {
        self.moderation = moderation
        self.session = session
    }

    /// Hides the trips of `author`.
    ///
    /// - Returns: Whether the block is new; `false` when this user had already blocked `author`.
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; ``TravelError/forbidden(_:)`` when `author` is the
    ///   signed-in user; the errors of ``ModerationRepository/block(_:by:)``; `CancellationError`.
    @discardableResult
    public func callAsFunction(_ author: User.ID) async throws -> Bool {
        let user = try await session.requireUser()
        guard author != user else { throw TravelError.forbidden(.user(author)) }
        return try await moderation.block(author, by: user)
    }
}

/// Shows the trips of an author to the signed-in user again.
public struct UnblockAuthor: Sendable {
    private let moderation: any ModerationRepository
    private let session: any SessionRepository

    public init(moderation: any ModerationRepository, session: any SessionRepository) {
        self.moderation = moderation
        self.session = session
    }

    /// Shows the trips of `author` again. Does nothing if they are not blocked.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; the errors of
    ///   ``ModerationRepository/unblock(_:by:)``; `CancellationError`.
    public func callAsFunction(_ author: User.ID) async throws {
        try await moderation.unblock(author, by: session.requireUser())
    }
}

/// Lists the people whom the signed-in user has blocked.
public struct BlockedAuthors: Sendable {
    private let moderation: any ModerationRepository
    private let session: any SessionRepository

    public init(moderation: any ModerationRepository, session: any SessionRepository) {
        self.moderation = moderation
        self.session = session
    }

    /// Returns the blocked people, ordered by ID.
    ///
    /// - Throws: ``TravelError/signedOut`` when nobody is signed in; the errors of
    ///   ``ModerationRepository/blocked(by:)``; `CancellationError`.
    public func callAsFunction() async throws -> [User] {
        try await moderation.blocked(by: session.requireUser())
    }
}
