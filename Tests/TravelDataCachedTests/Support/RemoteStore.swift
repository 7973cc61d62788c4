import TravelDomainTesting

/// A store behind a ``Network``.
struct RemoteStore: TravelStore {
    let base: any TravelStore
    let network: Network

    func search(_ query: TravelQuery) async throws -> TravelPage {
        try await network.call { try await base.search(query) }
    }

    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await network.call { try await base.travel(id, viewer: viewer) }
    }

    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await network.call { try await base.timeline(of: id, viewer: viewer) }
    }

    func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await network.call { try await base.track(of: id, viewer: viewer) }
    }

    func details(of id: Travel.ID, viewer: User.ID?) async throws -> TravelDetails {
        try await network.call { try await base.details(of: id, viewer: viewer) }
    }

    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await network.call {
            try review(images)
            try await base.add(travels, images: images)
        }
    }

    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await network.call { try await base.setLiked(isLiked, travel: id, by: user) }
    }

    func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try await network.call {
            try review(images)
            return try await base.update(id, expecting: version, by: user, adding: images, change)
        }
    }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await network.call { try await base.titles(containing: text, viewer: viewer, limit: limit) }
    }

    func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        try await network.call { try await base.image(id, viewer: viewer) }
    }

    func report(_ travel: Travel.ID, by user: User.ID) async throws -> Bool {
        try await network.call { try await base.report(travel, by: user) }
    }

    func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await network.call { try await base.block(author, by: user) }
    }

    func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await network.call { try await base.unblock(author, by: user) }
    }

    func blocked(by user: User.ID) async throws -> [User] {
        try await network.call { try await base.blocked(by: user) }
    }

    func user(_ id: User.ID) async throws -> User {
        try await network.call { try await base.user(id) }
    }

    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await network.call { try await base.isTaken(nickname, exceptBy: user) }
    }

    func add(_ user: User) async throws {
        try await network.call { try await base.add(user) }
    }

    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await network.call { try await base.rename(id, to: nickname, by: user) }
    }

    func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws {
        try await network.call {
            try review(image.map { [$0] } ?? [])
            try await base.setAvatar(image, of: id, by: user)
        }
    }

    private func review(_ images: [TravelImage]) throws {
        if network.quality.refusesImages, let image = images.first { throw TravelError.refused(.image(image.id)) }
    }

    func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try await network.call {
            if network.quality.refusesPasswords { throw TravelError.wrongCredentials }
            try await base.removeUser(id, by: user)
        }
    }

    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable { base.observe(query) }

    func observeTravel(_ id: Travel.ID, viewer: User.ID?) -> any AsyncSequence<Travel, any Error> & Sendable {
        base.observeTravel(id, viewer: viewer)
    }

    func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        base.observeTimeline(of: id, viewer: viewer)
    }

    func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        base.observeTimeline(of: id, day: day, viewer: viewer)
    }
}
