public import TravelDomain

extension CachedTripRepository: UserRepository {
    /// Returns the user with that ID: immediately if the local store has them, and otherwise when the remote store
    /// answers.
    public func user(_ id: User.ID) async throws -> User {
        do {
            _ = try await local.user(id)
        } catch TravelError.notFound {
            try await fetch(.user(id))
            return try await local.user(id)
        }
        try await renew(.user(id))
        return try await local.user(id)
    }

    /// Returns whether someone other than `user` has that nickname: as the remote store answers, or the local one if
    /// that is offline or writes are pending.
    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await preferringRemote(for: user) { try await $0.isTaken(nickname, exceptBy: user) }
    }

    public func add(_ user: User) async throws {
        try await mutex.withLock { try await write(.addUser(user)) }
    }

    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await requireKnown(id)
        try await mutex.withLock {
            try await requireUser(id, by: user)
            try await write(.rename(id, nickname))
        }
    }

    public func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try await requireKnown(id)
        try await mutex.withLock {
            try await requireUser(id, by: user)
            try await write(.setAvatar(id, image))
        }
    }

    /// Removes a user and everything they own: from the remote store now, after the writes that wait, and then from the
    /// local one, with their conflicts. It does not wait itself, because a remote store asks for a proof of who they are.
    ///
    /// - Throws: `TravelError.unavailable` when the remote store does not answer; errors of the remote store, such as
    ///   `TravelError.wrongCredentials`. The local store still has the user then.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try await requireKnown(id)
        try await requireUser(id, by: user)
        try await sending.withLock {
            while let write = await state.firstPending { try await send(write) }
            do {
                try await callRemote(for: user) { try await $0.removeUser(id, by: user) }
            } catch TravelError.notFound(.user(id)) {
                // They were removed before, and the answer was lost.
            }
            try await mutex.withLock {
                for number in await state.numbers(of: id) { try await outbox.remove(number) }
                await state.removeAll(of: id)
                try await local.removeUser(id, by: user)
            }
        }
    }

    /// Throws unless `user` is the one with that ID. Called before the outbox has the write, which does not record the
    /// caller.
    private func requireUser(_ id: User.ID, by user: User.ID) async throws {
        _ = try await local.user(id)
        guard id == user else { throw TravelError.forbidden(.user(id)) }
    }
}

extension CachedTripRepository: ModerationRepository {
    /// Reports a trip in the local store and the outbox, and returns whether it is the first report that the local
    /// store knows.
    @discardableResult
    public func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await requireKnown(trip, viewer: user)
        try await requireKnown(user)
        return try await mutex.withLock {
            try await write(.report(trip, by: user)) { try await local.report(trip, by: user, at: time) }
        }
    }

    /// Hides the trips of `author` from `user`, in the local store and the outbox, and returns whether the local
    /// store knows of no earlier block.
    @discardableResult
    public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await requireKnown(author)
        try await requireKnown(user)
        return try await mutex.withLock {
            try await write(.block(author, by: user)) { try await local.block(author, by: user) }
        }
    }

    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await mutex.withLock { try await write(.unblock(author, by: user)) }
    }

    /// Returns the people whom `user` has blocked, ordered by ID: immediately if the remote store has answered before,
    /// and otherwise when it answers, or as the local store knows them if it does not.
    public func blocked(by user: User.ID) async throws -> [User] {
        let request = TripRequest.blocked(by: user)
        if try await local.lastAnswer(to: request.key) != nil {
            try await renew(request)
        } else {
            do { try await fetch(request) } catch  where isOutage(error) { await state.enqueue(request) }
        }
        return try await local.blocked(by: user)
    }
}

extension CachedTripRepository: TitleRepository {
    /// Returns titles of visible trips that contain `text`: as the remote store answers, or the local one if that is
    /// offline or writes wait.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await preferringRemote(for: viewer) { try await $0.titles(containing: text, viewer: viewer, limit: limit) }
    }

    /// Asks the remote store if it can know the answer, and the local store otherwise.
    private func preferringRemote<Value>(
        for viewer: User.ID?, _ call: (any TravelStore) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let status = await state.status
        if status.pendingWrites == 0 && status.connection != .offline {
            do { return try await callRemote(for: viewer, call) } catch  where isOutage(error) {}
        }
        return try await call(local)
    }
}

extension CachedTripRepository: ImageRepository {
    /// Returns the image with exactly the bytes that were added: immediately if the local store has them, and otherwise
    /// when the remote store answers.
    public func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        do {
            return try await local.image(id, viewer: viewer)
        } catch TravelError.notFound {
            if try await local.lacksBytes(of: id) {
                var fetched = FetchedTrips(viewer: viewer)
                fetched.images = [try await callRemote(for: viewer) { try await $0.image(id, viewer: viewer) }]
                try await mutex.withLock { try await local.store(fetched) }
                return try await local.image(id, viewer: viewer)
            }
            // While writes wait, the remote store may show what the local one has removed.
            guard await state.status.pendingWrites == 0 else { throw TravelError.notFound(.image(id)) }
            return try await callRemote(for: viewer) { try await $0.image(id, viewer: viewer) }
        }
    }
}
