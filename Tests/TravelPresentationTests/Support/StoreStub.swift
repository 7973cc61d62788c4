import TravelDataInMemory
import TravelDomainTesting
import TravelPresentation

/// A store of which a test implements the calls that it needs; all others are out of reach.
protocol StoreStub: TravelStore {}

extension StoreStub {
    private var outOfReach: InterceptedStore { .failing() }

    func search(_ query: TravelQuery) async throws -> TravelPage { try await outOfReach.search(query) }
    func travel(_ id: Travel.ID, viewer: User.ID?) async throws -> Travel {
        try await outOfReach.travel(id, viewer: viewer)
    }
    func timeline(of id: Travel.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await outOfReach.timeline(of: id, viewer: viewer)
    }
    func track(of id: Travel.ID, viewer: User.ID?) async throws -> TrackGeometry? { nil }
    func add(_ travels: [RecordedTravel], images: [TravelImage]) async throws {
        try await outOfReach.add(travels, images: images)
    }
    func setLiked(_ isLiked: Bool, travel id: Travel.ID, by user: User.ID) async throws {
        try await outOfReach.setLiked(isLiked, travel: id, by: user)
    }
    func update(
        _ id: Travel.ID, expecting version: TravelVersion?, by user: User.ID, adding images: [TravelImage],
        _ change: @escaping @Sendable (RecordedTravel) throws(TravelError) -> RecordedTravel?
    ) async throws -> RecordedTravel? {
        try await outOfReach.update(id, expecting: version, by: user, adding: images, change)
    }

    func observe(_ query: TravelQuery) -> any AsyncSequence<TravelPage, any Error> & Sendable {
        outOfReach.observe(query)
    }
    func observeTravel(_ id: Travel.ID, viewer: User.ID?) -> any AsyncSequence<Travel, any Error> & Sendable {
        outOfReach.observeTravel(id, viewer: viewer)
    }
    func observeTimeline(
        of id: Travel.ID, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        outOfReach.observeTimeline(of: id, viewer: viewer)
    }
    func observeTimeline(
        of id: Travel.ID, day: Int, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        outOfReach.observeTimeline(of: id, day: day, viewer: viewer)
    }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await outOfReach.titles(containing: text, viewer: viewer, limit: limit)
    }
    func image(_ id: TravelImage.ID, viewer: User.ID?) async throws -> TravelImage {
        try await outOfReach.image(id, viewer: viewer)
    }

    func report(_ travel: Travel.ID, by user: User.ID) async throws -> Bool {
        try await outOfReach.report(travel, by: user)
    }
    func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await outOfReach.block(author, by: user)
    }
    func unblock(_ author: User.ID, by user: User.ID) async throws { try await outOfReach.unblock(author, by: user) }
    func blocked(by user: User.ID) async throws -> [User] { try await outOfReach.blocked(by: user) }

    func user(_ id: User.ID) async throws -> User { try await outOfReach.user(id) }
    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await outOfReach.isTaken(nickname, exceptBy: user)
    }
    func add(_ user: User) async throws { try await outOfReach.add(user) }
    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await outOfReach.rename(id, to: nickname, by: user)
    }
    func setAvatar(_ image: TravelImage?, of id: User.ID, by user: User.ID) async throws {
        try await outOfReach.setAvatar(image, of: id, by: user)
    }
    func removeUser(_ id: User.ID, by user: User.ID) async throws { try await outOfReach.removeUser(id, by: user) }
}

extension ScreenUseCases {
    /// The use cases over a store, with a signed-in user and no pictures.
    init(
        _ store: any TravelStore, user: User.ID? = Person.mina.id,
        recentKeywords: any RecentKeywordRepository = InMemoryRecentKeywordRepository(),
        readImage: @escaping @Sendable (String) async throws -> PickedImage = { _ in throw TravelError.busy }
    ) {
        let session = InMemorySession(signedIn: user)
        self.init(
            store: store, session: session, identity: session, recentKeywords: recentKeywords, readImage: readImage,
            saveLanguage: { _ in })
    }

    /// Use cases that never answer.
    static var silent: ScreenUseCases {
        ScreenUseCases(InterceptedStore(nil) { _ in for try await _ in Observable<Void>.never().values {} })
    }
}
