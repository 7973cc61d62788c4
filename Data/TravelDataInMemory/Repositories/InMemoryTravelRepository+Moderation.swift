public import TravelDomain

extension InMemoryTravelRepository: ModerationRepository {
    /// Reports a travel.
    public func report(_ id: Travel.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        var travel = try stored(id, seenBy: user)
        try requirePerson(user)
        guard travel.reporters.insert(user).inserted else { throw TravelError.conflict(.travel(id)) }
        travels[id] = travel
        changes.send()
    }

    /// Hides the travels of `author` from `user`.
    public func block(_ author: User.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        try requirePerson(author)
        try requirePerson(user)
        guard author != user else { throw TravelError.forbidden(.user(author)) }
        guard blocked[user, default: []].insert(author).inserted else { throw TravelError.conflict(.user(author)) }
        changes.send()
    }

    /// Shows the travels of `author` to `user` again.
    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        blocked[user]?.remove(author)
        changes.send()
    }

    /// Whom `user` has blocked.
    public func blocked(by user: User.ID) async throws -> [User] {
        try Task.checkCancellation()
        return (blocked[user] ?? []).sorted().compactMap { authors[$0] }
    }
}
