import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

/// A store in which one place forgets who may see a trip.
private final class LeakingStore: SoundStore {
    enum Leak: CaseIterable, Sendable {
        case trips, timelines, tracks, images, searches, titles, likes, reports, edits, observations
        /// Any key opens any link, or one that a trip has had before does; the right one does not.
        case wrongKeys, formerKeys, rightKeys
        /// Someone who has blocked the author sees the trip by its link.
        case blocks
    }

    let sound = InMemoryTripRepository()
    private let leak: Leak?
    private let former = Mutex<[LinkKey: Trip.ID]>([:])
    private let authors = Mutex<[Trip.ID: User.ID]>([:])

    init(_ leak: Leak?) { self.leak = leak }

    private func author(of trip: Trip.ID) -> User.ID? { authors.withLock { $0[trip] } }
    private func author(of trip: Trip.ID, at leak: Leak, else viewer: User.ID?) -> User.ID? {
        self.leak == leak ? author(of: trip) ?? viewer : viewer
    }

    private func note(_ trip: RecordedTrip) {
        authors.withLock { $0[trip.id] = trip.author.id }
        if let key = trip.content.audience.key { former.withLock { $0[key] = trip.id } }
    }

    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        try await sound.add(trips, images: images)
        for trip in trips { note(trip) }
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        if leak == .edits, let author = author(of: id), author != user { throw TravelError.forbidden(.trip(id)) }
        let trip = try await sound.update(id, expecting: version, by: user, adding: images, change)
        if let trip { note(trip) }
        return trip
    }

    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await sound.trip(id, viewer: author(of: id, at: .trips, else: viewer))
    }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await sound.timeline(of: id, viewer: author(of: id, at: .timelines, else: viewer))
    }

    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await sound.track(of: id, viewer: author(of: id, at: .tracks, else: viewer))
    }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        let viewer = leak == .images ? authors.withLock { $0.values.first } : viewer
        return try await sound.image(id, viewer: viewer)
    }

    func search(_ query: TripQuery) async throws -> TripPage {
        guard leak == .searches, let author = authors.withLock({ $0.values.first }) else {
            return try await sound.search(query)
        }
        return try await sound.search(
            TripQuery(query.criteria, viewer: author, after: query.cursor, limit: query.limit))
    }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        let viewer = leak == .titles ? authors.withLock { $0.values.first } : viewer
        return try await sound.titles(containing: text, viewer: viewer, limit: limit)
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        if leak == .likes { return }
        try await sound.setLiked(isLiked, trip: id, by: user)
    }

    func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        if leak == .reports { return true }
        return try await sound.report(trip, by: user, at: time)
    }

    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        sound.observeTrip(id, viewer: author(of: id, at: .observations, else: viewer))
    }

    func following(_ key: LinkKey) -> any TravelStore {
        switch leak {
        case .rightKeys: return sound
        case .wrongKeys: return Opened(base: self, viewer: authors.withLock { $0.values.first })
        case .formerKeys:
            guard let trip = former.withLock({ $0[key] }) else { return sound.following(key) }
            return Opened(base: self, viewer: author(of: trip))
        case .blocks: return Opened(base: self, viewer: nil, key: key)
        case nil: return sound.following(key)
        // The leak is there with a key as well.
        default: return Both(store: self, link: sound.following(key))
        }
    }

    /// Lookups as another viewer, or with a key as nobody.
    private struct Opened: ForwardingStore {
        let base: LeakingStore
        let viewer: User.ID?
        var key: LinkKey?

        func store(for call: InterceptedStore.Call) async throws -> any TravelStore {
            key.map(base.sound.following) ?? base.sound
        }

        func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
            try await store(for: .trip).trip(id, viewer: self.viewer)
        }
    }

    /// What the store with a leak does, except for what only the key opens.
    private struct Both: ForwardingStore {
        let store: LeakingStore
        let link: any TravelStore

        func store(for call: InterceptedStore.Call) async throws -> any TravelStore { link }
    }
}

@Suite("The contract of audiences finds a leak", .limitedConcurrency)
struct AudienceContractTests {
    private static let checks = TravelStoreContract.checks.filter { $0.area == "audience" }

    @Test("in any one place that forgets the rule", arguments: LeakingStore.Leak.allCases)
    fileprivate func leaks(leak: LeakingStore.Leak) async throws {
        #expect(try await Self.checks.hasViolation { LeakingStore(leak) }, "\(leak) goes unnoticed")
    }

    @Test("but none in a sound store")
    func sound() async throws {
        #expect(try await Self.checks.violations { LeakingStore(nil) } == [])
    }
}
