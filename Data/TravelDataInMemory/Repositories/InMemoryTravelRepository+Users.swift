public import TravelDomain

extension InMemoryTravelRepository: UserRepository {
    /// Returns the person with that ID.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `CancellationError`.
    public func user(_ id: User.ID) async throws -> User {
        try Task.checkCancellation()
        guard let user = authors[id] else { throw TravelError.notFound(.user(id)) }
        return user
    }

    /// Returns whether someone other than `user` has that nickname; `nil` for whether anyone has it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try Task.checkCancellation()
        return holder(of: nickname, except: user) != nil
    }

    /// Adds a person.
    ///
    /// - Throws: `TravelError.conflict` when the person already exists, or when someone else has the nickname;
    ///   `CancellationError`. Nothing changes then.
    public func add(_ user: User) async throws {
        try Task.checkCancellation()
        guard authors[user.id] == nil else { throw TravelError.conflict(.user(user.id)) }
        try requireFree(user.nickname, for: user.id)
        authors[user.id] = user
    }

    /// Changes the nickname of a person, which also appears on all their travels.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.forbidden` when `user` is someone
    ///   else; `TravelError.conflict` when someone else has the nickname; `CancellationError`. Nothing changes then.
    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try Task.checkCancellation()
        try requirePerson(id, by: user)
        try requireFree(nickname, for: id)
        authors[id] = User(id: id, nickname: nickname)
        changes.notify()
    }

    /// Removes a person and everything they own.
    ///
    /// - Throws: `TravelError.notFound` when there is no such person; `TravelError.forbidden` when `user` is someone
    ///   else; `CancellationError`. Nothing changes then.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        try requirePerson(id, by: user)
        removePerson(id)
        changes.notify()
    }

    /// Removes a person and everything they own.
    func removePerson(_ id: User.ID) {
        authors[id] = nil
        blocked[id] = nil
        for person in blocked.keys { blocked[person]?.remove(id) }
        for travel in travels.values {
            if travel.recorded.author.id == id {
                remove(travel)
            } else {
                removeLikeAndReport(of: id, from: travel)
            }
        }
    }

    /// Removes the like and the report of a person from a travel.
    private func removeLikeAndReport(of user: User.ID, from travel: StoredTravel) {
        var changed = travel
        changed.likers.remove(user)
        changed.reporters.remove(user)
        travels[travel.recorded.id] = changed
        index.setLikes(of: travel.number, from: travel.likeCount, to: changed.likeCount)
    }

    /// Checks that the person exists and that `user` is that person.
    private func requirePerson(_ id: User.ID, by user: User.ID) throws(TravelError) {
        try requirePerson(id)
        guard id == user else { throw .forbidden(.user(id)) }
    }

    private func requireFree(_ nickname: Nickname, for user: User.ID) throws(TravelError) {
        if let holder = holder(of: nickname, except: user) { throw .conflict(.user(holder)) }
    }

    private func holder(of nickname: Nickname, except user: User.ID?) -> User.ID? {
        authors.values.first { $0.id != user && $0.nickname.folded == nickname.folded }?.id
    }
}
