public import TravelDomain

extension InMemoryTripRepository: UserRepository {
    public func user(_ id: User.ID) async throws -> User {
        try Task.checkCancellation()
        return try storedUser(id)
    }

    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try Task.checkCancellation()
        return holder(of: nickname, except: user) != nil
    }

    public func add(_ user: User) async throws {
        try Task.checkCancellation()
        try insert(user)
    }

    func insert(_ user: User) throws(TravelError) {
        guard users[user.id] == nil else { throw .conflict(.user(user.id)) }
        try requireFree(user.nickname, for: user.id)
        users[user.id] = User(id: user.id, nickname: user.nickname)
    }

    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try Task.checkCancellation()
        try requireUser(id, by: user)
        try requireFree(nickname, for: id)
        users[id] = User(id: id, nickname: nickname, avatar: users[id]?.avatar)
        changes.notify()
    }

    public func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        let before = try requireUser(id, by: user)
        if let image, image.id == avatars[id]?.id { return }
        try requireNew(image.map { [$0] } ?? [])
        avatars[id] = image
        users[id] = User(id: id, nickname: before.nickname, avatar: image?.id)
        changes.notify()
    }

    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        try requireUser(id, by: user)
        for trip in trips.values where trip.recorded.author.id == id { removedTrips[trip.recorded.id] = id }
        removeAll(of: id)
        changes.notify()
    }

    func removeAll(of id: User.ID) {
        users[id] = nil
        avatars[id] = nil
        blocked[id] = nil
        passwords[id] = nil
        accountsSince[id] = nil
        blockedAccounts.remove(id)
        removeDevices { $0.user == id }
        for user in blocked.keys { blocked[user]?.remove(id) }
        trips = trips.filter { $0.value.recorded.author.id != id }
        for trip in trips.keys {
            trips[trip]?.likedBy.remove(id)
            trips[trip]?.reports[id] = nil
        }
    }

    @discardableResult
    private func requireUser(_ id: User.ID, by user: User.ID) throws(TravelError) -> User {
        let stored = try storedUser(id)
        guard id == user else { throw .forbidden(.user(id)) }
        return stored
    }

    private func requireFree(_ nickname: Nickname, for user: User.ID) throws(TravelError) {
        if let holder = holder(of: nickname, except: user) { throw .conflict(.user(holder)) }
    }

    private func holder(of nickname: Nickname, except user: User.ID?) -> User.ID? {
        users.values.first { $0.id != user && $0.nickname.looksLike(nickname) }?.id
    }
}

extension InMemoryTripRepository: ModerationRepository {
    @discardableResult
    public func report(_ id: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try report(id, by: user, at: time, key: nil)
    }

    @discardableResult
    public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try Task.checkCancellation()
        _ = try (storedUser(author), storedUser(user))
        guard author != user else { throw TravelError.forbidden(.user(author)) }
        guard blocked[user, default: []].insert(author).inserted else { return false }
        changes.notify()
        return true
    }

    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try Task.checkCancellation()
        blocked[user]?.remove(author)
        changes.notify()
    }

    public func blocked(by user: User.ID) async throws -> [User] {
        try Task.checkCancellation()
        return (blocked[user] ?? []).sorted().compactMap { users[$0] }
    }
}

extension InMemoryTripRepository: OversightRepository {
    public func reportedTrips(limit: Int) async throws -> [ReportedTrip] {
        try Task.checkCancellation()
        let reported = try trips.values.filter { $0.isHiddenByOwner || !$0.reports.isEmpty }.map { trip in
            let counting = trip.countingReports
            return ReportedTrip(
                id: trip.recorded.id, title: trip.recorded.content.title,
                author: try storedUser(trip.recorded.author.id), counting: counting,
                others: trip.reports.count - counting, isHiddenByOwner: trip.isHiddenByOwner)
        }
        return Array(reported.sorted(by: ReportedTrip.precedes).prefix(max(0, limit)))
    }

    public func setHidden(_ isHidden: Bool, trip id: Trip.ID) async throws {
        try Task.checkCancellation()
        _ = try stored(id)
        trips[id]?.isHiddenByOwner = isHidden
        if !isHidden { for user in trips[id]?.reports.keys ?? [:].keys { trips[id]?.reports[user]?.counts = false } }
        changes.notify()
    }

    public func usage(of user: User.ID) async throws -> AccountUsage {
        try Task.checkCancellation()
        let own = trips.values.filter { $0.recorded.author.id == user }
        let pictures = own.flatMap(\.images) + [avatars[user]].compactMap(\.self)
        return AccountUsage(
            trips: own.count, pictures: pictures.count, bytes: pictures.reduce(0) { $0 + $1.bytes.count })
    }

    public func setBlocked(_ isBlocked: Bool, account user: User.ID, at time: Date) async throws {
        try Task.checkCancellation()
        guard passwords[user] != nil else { throw TravelError.notFound(.user(user)) }
        guard isBlocked else { return _ = blockedAccounts.remove(user) }
        blockedAccounts.insert(user)
        removeDevices { $0.user == user }
        for trip in trips.keys { trips[trip]?.reports[user]?.counts = false }
        changes.notify()
    }
}
