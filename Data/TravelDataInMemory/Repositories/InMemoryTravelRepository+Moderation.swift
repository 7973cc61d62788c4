public import TravelDomain

extension InMemoryTravelRepository: ModerationRepository {
    /// Reports a travel, and returns whether the report is new.
    ///
    /// - Throws: `TravelError.notFound` when there is no such travel or person, or when `user` does not see the travel;
    ///   `TravelError.forbidden` when `user` is its author; `CancellationError`. Nothing changes then.
    @discardableResult
    public func report(_ id: Travel.ID, by user: User.ID) async throws -> Bool {
        try Task.checkCancellation()
        let travel = try stored(id, seenBy: user)
        _ = try person(user)
        guard travel.recorded.author.id != user else { throw TravelError.forbidden(.travel(id)) }
        guard !travel.reporters.contains(user) else { return false }
        travels[id]?.reporters.insert(user)
        changes.notify()
        return true
    }

    /// Hides the travels of `author` from `user`, and returns whether the block is new.
    ///
    /// - Throws: `TravelError.notFound` when either person does not exist; `TravelError.forbidden` when both are the
    ///   same; `CancellationError`. Nothing changes then.
    @discardableResult
    public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try Task.checkCancellation()
        _ = try (person(author), person(user))
        guard author != user else { throw TravelError.forbidden(.user(author)) }
        guard blocked[user, default: []].insert(author).inserted else { return false }
        changes.notify()
        return true
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
        return (blocked[user] ?? []).sorted().compactMap { people[$0] }
    }
}
