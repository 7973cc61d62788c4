public import TravelDomain

extension InterceptedStore: TravelRepository {
    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func search(_ query: TravelQuery) async throws -> TravelPage {
        try await store(for: .search).search(query)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await store(for: .travel).travel(id, viewer: viewer)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await store(for: .timeline).timeline(of: id, viewer: viewer)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await store(for: .track).track(of: id, viewer: viewer)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await store(for: .addTravels).add(travels, images: images)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await store(for: .setLiked).setLiked(isLiked, travel: id, by: user)
    }
}

extension InterceptedStore: TravelEditingRepository {
    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    @discardableResult
    public func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try await store(for: .update).update(id, expecting: version, by: user, adding: images, change)
    }
}

extension InterceptedStore: TravelObservingRepository {
    /// Observes the base store; calls `before` for each value.
    public func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        observe(.observe) { $0.observe(query) }
    }

    /// Observes the base store; calls `before` for each value.
    public func observeTravel(
        _ id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<Travel, any Error> & Sendable {
        observe(.observeTravel) { $0.observeTravel(id, viewer: viewer) }
    }

    /// Observes the base store; calls `before` for each value.
    public func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        observe(.observeTimeline) { $0.observeTimeline(of: id, viewer: viewer) }
    }

    /// Observes the base store; calls `before` for each value.
    public func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        observe(.observeTimeline) { $0.observeTimeline(of: id, day: day, viewer: viewer) }
    }
}

extension InterceptedStore: TitleRepository, ImageRepository {
    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await store(for: .titles).titles(containing: text, viewer: viewer, limit: limit)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        try await store(for: .image).image(id, viewer: viewer)
    }
}

extension InterceptedStore: ModerationRepository {
    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    @discardableResult
    public func report(_ travel: Travel.ID, by user: User.ID) async throws -> Bool {
        try await store(for: .report).report(travel, by: user)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    @discardableResult
    public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await store(for: .block).block(author, by: user)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await store(for: .unblock).unblock(author, by: user)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func blocked(by user: User.ID) async throws -> [User] {
        try await store(for: .blocked).blocked(by: user)
    }
}

extension InterceptedStore: UserRepository {
    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func user(_ id: User.ID) async throws -> User {
        try await store(for: .user).user(id)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await store(for: .isTaken).isTaken(nickname, exceptBy: user)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func add(_ user: User) async throws {
        try await store(for: .addUser).add(user)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await store(for: .rename).rename(id, to: nickname, by: user)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws {
        try await store(for: .setAvatar).setAvatar(image, of: id, by: user)
    }

    /// Calls `before`, and then the base store.
    ///
    /// - Throws: The errors of `before`; otherwise those of the base store.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try await store(for: .removeUser).removeUser(id, by: user)
    }
}
