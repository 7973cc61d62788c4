public import TravelDomain

extension InMemoryTravelRepository: ModerationRepository {
    /// Reports a travel.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel or person, or when `user` does not see the travel;
    ///   `TravelError.conflict` when `user` has already reported it; `CancellationError`. Nothing changes then.
    public func report(_ id: Travel.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        var travel = try stored(id, seenBy: user)
        try requirePerson(user)
        guard travel.reporters.insert(user).inserted else { throw TravelError.conflict(.travel(id)) }
        travels[id] = travel
        changes.notify()
    }

    /// Hides the travels of `author` from `user`.
    ///
    /// - Throws: `TravelError.notFound` when either person does not exist; `TravelError.forbidden` when both are the
    ///   same; `TravelError.conflict` when `user` has already blocked `author`; `CancellationError`. Nothing changes
    ///   then.
    public func block(_ author: User.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        try requirePerson(author)
        try requirePerson(user)
        guard author != user else { throw TravelError.forbidden(.user(author)) }
        guard blocked[user, default: []].insert(author).inserted else { throw TravelError.conflict(.user(author)) }
        changes.notify()
    }

    /// Shows the travels of `author` to `user` again. Does nothing if `user` has not blocked `author`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; nothing changes then.
    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        blocked[user]?.remove(author)
        changes.notify()
    }

    /// Returns the people whom `user` has blocked, ordered by ID.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func blocked(by user: User.ID) async throws -> [User] {
        try Task.checkCancellation()
        return (blocked[user] ?? []).sorted().compactMap { authors[$0] }
    }
}
