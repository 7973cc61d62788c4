public import TravelDomain

extension InMemoryTravelRepository: UserRepository {
    /// The person.
    public func user(_ id: User.ID) async throws -> User {
        try Task.checkCancellation()
        guard let user = authors[id] else { throw TravelError.notFound(.user(id)) }
        return user
    }

    /// Whether someone else than `user` has that nickname.
    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID) async throws -> Bool {
        try Task.checkCancellation()
        return holder(of: nickname, except: user) != nil
    }

    /// Adds a person.
    public func add(_ user: User) async throws {
        try Task.checkCancellation()
        guard authors[user.id] == nil else { throw TravelError.conflict(.user(user.id)) }
        try requireFree(user.nickname, for: user.id)
        authors[user.id] = user
    }

    /// Gives a person another nickname.
    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try Task.checkCancellation()
        try requirePerson(id, by: user)
        try requireFree(nickname, for: id)
        authors[id] = User(id: id, nickname: nickname)
        changes.send()
    }

    /// Removes a person and all they own.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        try requirePerson(id, by: user)
        authors[id] = nil
        blocked[id] = nil
        for person in blocked.keys { blocked[person]?.remove(id) }
        for travel in travels.values {
            if travel.recorded.author.id == id {
                remove(travel)
            } else {
                forget(id, in: travel)
            }
        }
        changes.send()
    }

    /// Takes the likes and reports of a person from a travel.
    private func forget(_ user: User.ID, in travel: StoredTravel) {
        var changed = travel
        changed.likers.remove(user)
        changed.reporters.remove(user)
        travels[travel.recorded.id] = changed
        index.setLikes(of: travel.number, from: travel.likers.count, to: changed.likers.count)
    }

    /// Lets a person pass who is there and does it to themselves.
    private func requirePerson(_ id: User.ID, by user: User.ID) throws(TravelError) {
        try requirePerson(id)
        guard id == user else { throw .forbidden(.user(id)) }
    }

    private func requireFree(_ nickname: Nickname, for user: User.ID) throws(TravelError) {
        if let holder = holder(of: nickname, except: user) { throw .conflict(.user(holder)) }
    }

    private func holder(of nickname: Nickname, except user: User.ID) -> User.ID? {
        authors.values.first { $0.id != user && $0.nickname.folded == nickname.folded }?.id
    }
}
