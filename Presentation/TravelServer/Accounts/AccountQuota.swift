#if Server
import Foundation
internal import TravelDomain

/// What would go beyond the quota of an account.
struct QuotaExceeded: Error, CustomStringConvertible {
    let limit: Int
    let used: Int
    let added: Int
    /// The unit, in the plural.
    let what: String

    var description: String {
        "An account may have at most \(limit) \(what) on this server; yours has \(used), and this would add \(added)."
    }
}

/// How much an account may have.
struct AccountQuota: Sendable {
    let limit: AccountUsage
    /// What tells how much an account has; with `nil` there is no quota.
    let oversight: (any OversightRepository)?

    /// Checks that an account may have this as well. Of changes at the same time, several may use what is left.
    ///
    /// - Throws: ``QuotaExceeded``; the errors of the repository.
    func check(_ user: User.ID, adding pictures: [TripImage], trips: Int = 0) async throws {
        guard trips > 0 || !pictures.isEmpty, let oversight else { return }
        let used = try await oversight.usage(of: user)
        func check(_ used: Int, adding count: Int, _ limit: Int, _ what: String) throws {
            guard count > 0, used + count > limit else { return }
            throw QuotaExceeded(limit: limit, used: used, added: count, what: what)
        }
        try check(used.trips, adding: trips, limit.trips, "trips")
        try check(used.pictures, adding: pictures.count, limit.pictures, "pictures")
        let bytes = pictures.reduce(0) { $0 + $1.bytes.count }
        try check(used.bytes, adding: bytes, limit.bytes, "bytes of pictures")
    }
}

/// The store of the browsers of an account: it is changed within the quota of the account, and what it observes is shown in
/// turns. What goes beyond the quota is refused as an outage that does not pass.
struct QuotaStore: TravelStore {
    let base: any TravelStore
    let quota: AccountQuota
    /// What an observation waits for before it shows a change.
    var turn: @Sendable () async -> Void = {}

    private func check(_ user: User.ID, adding pictures: [TripImage], trips: Int = 0) async throws {
        do {
            try await quota.check(user, adding: pictures, trips: trips)
        } catch let error as QuotaExceeded {
            throw TravelError.unavailable(.init(error.description, cause: .requestRefused, canRetry: false))
        }
    }

    func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        for (author, trips) in Dictionary(grouping: trips, by: \.author.id) {
            let shown = Set(trips.flatMap(\.images))
            try await check(author, adding: images.filter { shown.contains($0.id) }, trips: trips.count)
        }
        try await base.add(trips, images: images)
    }

    func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await check(user, adding: images)
        return try await base.update(id, expecting: version, by: user, adding: images, change)
    }

    func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try await check(user, adding: image.map { [$0] } ?? [])
        try await base.setAvatar(image, of: id, by: user)
    }

    // MARK: What the quota does not concern

    func search(_ query: TripQuery) async throws -> TripPage { try await base.search(query) }
    func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip { try await base.trip(id, viewer: viewer) }

    func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await base.timeline(of: id, viewer: viewer)
    }

    func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        try await base.track(of: id, viewer: viewer)
    }

    func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        try await base.details(of: id, viewer: viewer)
    }

    func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await base.setLiked(isLiked, trip: id, by: user)
    }

    func observe(_ query: TripQuery) -> any AsyncSequence<TripPage, any Error> & Sendable {
        ChangesInTurn(base: base.observe(query), turn: turn)
    }

    func observeTrip(_ id: Trip.ID, viewer: User.ID?) -> any AsyncSequence<Trip, any Error> & Sendable {
        ChangesInTurn(base: base.observeTrip(id, viewer: viewer), turn: turn)
    }

    func observeTimeline(
        of id: Trip.ID, day: Int?, viewer: User.ID?
    ) -> any AsyncSequence<[TimelineEntry], any Error> & Sendable {
        ChangesInTurn(base: base.observeTimeline(of: id, day: day, viewer: viewer), turn: turn)
    }

    func user(_ id: User.ID) async throws -> User { try await base.user(id) }

    func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        try await base.isTaken(nickname, exceptBy: user)
    }

    func add(_ user: User) async throws { try await base.add(user) }

    func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await base.rename(id, to: nickname, by: user)
    }

    func removeUser(_ id: User.ID, by user: User.ID) async throws { try await base.removeUser(id, by: user) }

    func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await base.report(trip, by: user, at: time)
    }

    func block(_ author: User.ID, by user: User.ID) async throws -> Bool { try await base.block(author, by: user) }
    func unblock(_ author: User.ID, by user: User.ID) async throws { try await base.unblock(author, by: user) }
    func blocked(by user: User.ID) async throws -> [User] { try await base.blocked(by: user) }

    func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        try await base.titles(containing: text, viewer: viewer, limit: limit)
    }

    func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        try await base.image(id, viewer: viewer)
    }

    func picture(_ id: TripImage.ID, in size: PictureSize?, viewer: User.ID?) async throws -> StoredPicture {
        try await base.picture(id, in: size, viewer: viewer)
    }

    func keep(_ picture: Data, of image: TripImage, in size: PictureSize) async throws {
        try await base.keep(picture, of: image, in: size)
    }

    func following(_ key: LinkKey) -> any TravelStore {
        QuotaStore(base: base.following(key), quota: quota, turn: turn)
    }
}

/// An observation whose values wait for a turn, but for the first one.
private struct ChangesInTurn<Element: Sendable>: AsyncSequence, Sendable {
    let base: any AsyncSequence<Element, any Error> & Sendable
    let turn: @Sendable () async -> Void

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), turn: turn) }

    struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<Element, any Error>
        let turn: @Sendable () async -> Void
        private var isFirst = true

        init(base: any AsyncIteratorProtocol<Element, any Error>, turn: @escaping @Sendable () async -> Void) {
            (self.base, self.turn) = (base, turn)
        }

        mutating func next() async throws -> Element? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            let element = try await base.next(isolation: actor)
            if !isFirst, element != nil { await turn() }
            isFirst = false
            return element
        }
    }
}
#endif
