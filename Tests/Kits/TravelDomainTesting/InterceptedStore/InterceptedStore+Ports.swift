public import TravelDomain

extension InterceptedStore: TravelRepository {
    /// What the store behind does, once the call is handed on.
    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try await store(for: .search).search(query)
    }

    /// What the store behind does, once the call is handed on.
    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await store(for: .travel).travel(id, viewer: viewer)
    }

    /// What the store behind does, once the call is handed on.
    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await store(for: .timeline).timeline(of: id, viewer: viewer)
    }

    /// What the store behind does, once the call is handed on.
    public func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await store(for: .addTravels).add(travels, images: images)
    }

    /// What the store behind does, once the call is handed on.
    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await store(for: .setLiked).setLiked(isLiked, travel: id, by: user)
    }
}

extension InterceptedStore: TravelEditingRepository {
    /// What the store behind does, once the call is handed on.
    public func update(
        _ id: Travel.ID, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws {
        try await store(for: .update).update(id, by: user, adding: images, change)
    }
}

extension InterceptedStore: TravelObservingRepository {
    /// What the store behind does, once the call is handed on.
    public func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        observe(.observe) { $0.observe(query) }
    }

    /// What the store behind does, once the call is handed on.
    public func observeTravel(
        _ id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<Travel, any Error> & Sendable {
        observe(.observeTravel) { $0.observeTravel(id, viewer: viewer) }
    }

    /// What the store behind does, once the call is handed on.
    public func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        observe(.observeTimeline) { $0.observeTimeline(of: id, viewer: viewer) }
    }

    /// What the store behind does, once the call is handed on.
    public func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        observe(.observeTimeline) { $0.observeTimeline(of: id, day: day, viewer: viewer) }
    }
}

extension InterceptedStore: TitleRepository, ImageRepository {
    /// What the store behind does, once the call is handed on.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await store(for: .titles).titles(containing: text, viewer: viewer, limit: limit)
    }

    /// What the store behind does, once the call is handed on.
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        try await store(for: .image).image(id, viewer: viewer)
    }
}

extension InterceptedStore: ModerationRepository {
    /// What the store behind does, once the call is handed on.
    public func report(_ travel: Travel.ID, by user: User.ID) async throws {
        try await store(for: .report).report(travel, by: user)
    }

    /// What the store behind does, once the call is handed on.
    public func block(_ author: User.ID, by user: User.ID) async throws {
        try await store(for: .block).block(author, by: user)
    }

    /// What the store behind does, once the call is handed on.
    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await store(for: .unblock).unblock(author, by: user)
    }

    /// What the store behind does, once the call is handed on.
    public func blocked(by user: User.ID) async throws -> [User] {
        try await store(for: .blocked).blocked(by: user)
    }
}

extension InterceptedStore: UserRepository {
    /// What the store behind does, once the call is handed on.
    public func user(_ id: User.ID) async throws -> User {
        try await store(for: .user).user(id)
    }

    /// What the store behind does, once the call is handed on.
    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID) async throws -> Bool {
        try await store(for: .isTaken).isTaken(nickname, exceptBy: user)
    }

    /// What the store behind does, once the call is handed on.
    public func add(_ user: User) async throws {
        try await store(for: .addUser).add(user)
    }

    /// What the store behind does, once the call is handed on.
    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await store(for: .rename).rename(id, to: nickname, by: user)
    }

    /// What the store behind does, once the call is handed on.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try await store(for: .removeUser).removeUser(id, by: user)
    }
}
