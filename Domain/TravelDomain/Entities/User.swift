/// Someone with an account, such as the author of a trip.
public struct User: Hashable, Sendable, Identifiable {
    public let id: Identifier<User>
    public let nickname: Nickname
    /// The picture of the user that others see, if they have one; an ``ImageRepository`` has its bytes.
    public let avatar: TripImage.ID?

    public init(id: ID = ID(), nickname: Nickname, avatar: TripImage.ID? = nil) {
        self.id = id
        self.nickname = nickname
        self.avatar = avatar
    }
}

/// The signed-in user of a device, and the time at which the session expires.
public struct Session: Hashable, Sendable {
    public let user: User.ID
    /// The time from which the session is no longer valid; `nil` if it does not expire.
    public let expiresAt: Date?

    /// Creates a session that does not expire.
    public init(user: User.ID) {
        self.user = user
        expiresAt = nil
    }

    /// Creates a session that expires at `expiresAt`; `nil` if it does not expire.
    ///
    /// - Throws: ``TravelError/invalid(_:)`` when `expiresAt` is not a number (NaN).
    public init(user: User.ID, expiresAt: Date?) throws(TravelError) {
        guard expiresAt?.timeIntervalSinceReferenceDate.isNaN != true else {
            throw .invalid(.init(.session, .malformed(expected: "one that expires at a moment in time")))
        }
        self.user = user
        self.expiresAt = expiresAt
    }

    /// Whether the session is no longer valid at `now`, as from ``expiresAt`` on.
    public func isExpired(at now: Date) -> Bool {
        expiresAt.map { now >= $0 } ?? false
    }
}
