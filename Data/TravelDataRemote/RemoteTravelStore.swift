import Foundation
public import TravelDomain
internal import TravelDataShared
internal import TravelJSON

/// The trips of a server, over HTTP, for the user of this device.
///
/// ```swift
/// let trips = RemoteTravelStore(session)
/// let page = try await trips.search(TripQuery(TripCriteria(regions: [.jeju]), viewer: nil))
/// try await trips.setLiked(true, trip: page.trips[0].id, by: mina.id)
/// ```
///
/// It acts for the signed-in user only: a call for anyone else throws `TravelError.forbidden`, and one for a user while
/// nobody is signed in throws `TravelError.signedOut`. Without a viewer it asks without the token.
///
/// A request that the server does not answer, or is too busy to answer, is repeated twice, after short pauses; one that
/// has an effect is made so that a repeat has no second one. After that, or if a repeat cannot help, the call throws
/// `TravelError.unavailable`. `CachedTripRepository` of `TravelDataCached` works on without an answer.
///
/// Cancelling a task cancels its request; the server may have performed it.
///
/// Every function throws `TravelError` or `CancellationError`.
public struct RemoteTravelStore: Sendable {
    public let session: RemoteSession
    /// The key of the link that viewers of this copy follow.
    private var key: LinkKey?

    public init(_ session: RemoteSession) {
        self.session = session
    }

    /// A request about a trip, a part or a picture of it, with the key of the link.
    func lookup(_ route: Route, _ argument: String, query: String = "") -> ServerRequest {
        let key = key.map { "key=\($0.text)" } ?? ""
        return ServerRequest(
            route, route.target(argument), query: [query, key].filter { !$0.isEmpty }.joined(separator: "&"))
    }

    func lookup(_ route: Route, _ id: Trip.ID, query: String = "") -> ServerRequest {
        lookup(route, id.description, query: query)
    }

    /// Whether someone is the user of this device.
    ///
    /// - Throws: `TravelError.signedOut` when nobody is signed in; `TravelError.forbidden` when someone else is.
    func require(_ user: User.ID) async throws {
        guard let signedIn = try await session.user() else { throw TravelError.signedOut }
        guard signedIn.id == user else { throw TravelError.forbidden(.user(user)) }
    }

    /// Sends a request for `viewer`: with the token if there is one.
    func answer(to request: ServerRequest, viewer: User.ID?) async throws -> HTTPAnswer {
        guard let viewer else { return try await session.connection.answer(to: request) }
        try await require(viewer)
        return try await session.answer(to: request)
    }

    /// Sends a request for `viewer`, and returns the value in the answer.
    func value<Record: Decodable>(
        _ type: Record.Type = Record.self, of request: ServerRequest, viewer: User.ID?
    ) async throws -> Record {
        try ServerConnection.value(in: await answer(to: request, viewer: viewer).body)
    }
}

extension ServerRequest {
    init(_ route: Route, _ id: Trip.ID, query: String = "") {
        self.init(route, route.target(id.description), query: query)
    }
}

extension RemoteTravelStore: TripRepository {
    public func search(_ query: TripQuery) async throws -> TripPage {
        try await value(PageRecord.self, of: ServerRequest(.trips, query: query.text), viewer: query.viewer).page
    }

    public func trip(_ id: Trip.ID, viewer: User.ID?) async throws -> Trip {
        try await value(ViewedTripRecord.self, of: lookup(.summary, id), viewer: viewer).trip
    }

    public func timeline(of id: Trip.ID, viewer: User.ID?) async throws -> [TimelineEntry] {
        try await value([EntryRecord].self, of: lookup(.timeline, id), viewer: viewer).map(\.entry)
    }

    public func track(of id: Trip.ID, viewer: User.ID?) async throws -> TrackGeometry? {
        // The route of the track has no times.
        try await details(of: id, viewer: viewer).track
    }

    public func details(of id: Trip.ID, viewer: User.ID?) async throws -> TripDetails {
        try await value(DetailsRecord.self, of: lookup(.trip, id), viewer: viewer).details
    }

    /// Adds complete trips of the signed-in user, one after the other: if one fails, those before it are stored.
    public func add(_ trips: [RecordedTrip], images: [TripImage]) async throws {
        for trip in trips { try await require(trip.author.id) }
        // Also of those that no trip shows, each may be there once.
        _ = try NewImages(images)
        for trip in trips {
            let answer = try await put(trip, images, replacing: nil, tag: nil)
            // The answer 200 to a repeat means that the first request had its effect.
            if answer.status == 200, !answer.isRepeat { throw TravelError.conflict(.trip(trip.id)) }
        }
    }

    /// Sends the images that `trip` shows, except for those that the server has with the trip `before`, and the trip.
    ///
    /// A server that was started again in between has lost the images, which are sent once more then.
    private func put(
        _ trip: RecordedTrip, _ images: [TripImage], replacing before: RecordedTrip?, tag: String?
    ) async throws -> HTTPAnswer {
        // A server that does not know of audiences, and would publish the trip, refuses the parameter.
        let level = trip.content.audience.level
        let query = level == .everyone ? "" : "audience=\(level.rawValue)"
        let request = try ServerRequest(.putTrip, trip.id, query: query).with {
            if let before {
                $0.headers["If-Match"] = tag ?? before.version.entityTag
            } else {
                $0.headers["If-None-Match"] = InterfaceHeader.any
            }
            $0.body = try Self.body(trip)
        }
        if let before {
            // The server would find an image that is missing here among those of a request that it has refused.
            var new = try NewImages(images)
            _ = try new.take(for: trip, besides: before.images)
        }
        let shown = Set(trip.images).subtracting(before?.images ?? [])
        let new = images.filter { shown.contains($0.id) }
        for image in new { try await put(image) }
        do {
            return try await session.answer(to: request)
        } catch TravelError.notFound(.image(let id)) where new.contains(where: { $0.id == id }) {
            for image in new { try await put(image) }
            return try await session.answer(to: request)
        }
    }

    private func put(_ image: TripImage) async throws {
        _ = try await session.answer(
            to: ServerRequest(.putImage, Route.putImage.target(image.id.description)).with {
                $0.headers["Content-Type"] = image.format.mediaType
                $0.body = image.bytes
            })
    }

    /// The body of a request with a complete trip.
    ///
    /// - Throws: `TravelError.conflict` when its timeline has an entry twice, as the store behind a server throws.
    private static func body(_ trip: RecordedTrip) throws -> Data {
        var ids: Set<TimelineEntry.ID> = []
        if let twice = trip.timeline.first(where: { !ids.insert($0.id).inserted }) {
            throw TravelError.conflict(.entry(twice.id))
        }
        return try JSONCoding.data(for: RecordedTripRecord(trip))
    }

    public func setLiked(_ isLiked: Bool, trip id: Trip.ID, by user: User.ID) async throws {
        try await require(user)
        _ = try await session.answer(to: lookup(isLiked ? .like : .unlike, id))
    }
}

extension RemoteTravelStore: TripEditingRepository {
    /// Reads the trip, changes it here, and replaces the version that was read. If someone else has changed it in between,
    /// begins again with the trip as it is then, unless a version is expected.
    @discardableResult
    public func update(
        _ id: Trip.ID, expecting version: TripVersion?, by user: User.ID, adding images: [TripImage],
        _ change: @escaping @Sendable (RecordedTrip) throws(TravelError) -> RecordedTrip?
    ) async throws -> RecordedTrip? {
        try await require(user)
        let answer = try await self.answer(to: lookup(.trip, id), viewer: user)
        var before = try ServerConnection.value(DetailsRecord.self, in: answer.body).details.recorded
        // With the digest of the content: a version of a restored server may have another one by now.
        var tag = answer.headers["ETag"].flatMap { TripTag($0)?.version == before.version ? $0 : nil }
        while true {
            try before.requireAuthor(user)
            try before.requireVersion(version)
            do {
                guard let after = try change(before) else {
                    try await remove(before, tag)
                    return nil
                }
                return try await replace(before, tag, by: after, images)
            } catch TravelError.outdated(let current) where version == nil && current.id == id {
                (before, tag) = (current, nil)
            }
        }
    }

    private func replace(
        _ before: RecordedTrip, _ tag: String?, by after: RecordedTrip, _ images: [TripImage]
    ) async throws -> RecordedTrip {
        let after = try RecordedTrip(
            id: before.id, author: before.author, createdAt: before.createdAt, updatedAt: after.updatedAt,
            version: before.version, content: after.content, timeline: after.timeline, track: after.track)
        let answer = try await put(after, images, replacing: before, tag: tag)
        return try ServerConnection.value(RecordedTripRecord.self, in: answer.body).trip
    }

    private func remove(_ before: RecordedTrip, _ tag: String?) async throws {
        do {
            _ = try await session.answer(
                to: ServerRequest(.removeTrip, before.id).with {
                    $0.headers["If-Match"] = tag ?? before.version.entityTag
                })
        } catch TravelError.notFound(.trip(before.id)) {
            // It was there before: this request was repeated after a lost answer, or another device was faster.
        }
    }
}

extension RemoteTravelStore: LinkFollowing {
    public func following(_ key: LinkKey) -> any TravelStore {
        var copy = self
        copy.key = key
        return copy
    }
}

extension RemoteTravelStore: TitleRepository {
    public func titles(containing text: Keyword, viewer: User.ID?, limit: Int) async throws -> [Title] {
        guard limit > 0 else { return [] }
        // A server has the same limit for them as for trips.
        let query = "text=\(text.text.percentEncoded)&limit=\(min(limit, TripQuery.limits.upperBound))"
        let titles = try await value([String].self, of: ServerRequest(.titles, query: query), viewer: viewer)
        do { return try titles.map { try Title(stored: $0) } } catch { throw TravelError.unreadable }
    }
}

extension RemoteTravelStore: ImageRepository {
    public func image(_ id: TripImage.ID, viewer: User.ID?) async throws -> TripImage {
        let request = lookup(.image, id.description).with {
            $0.headers["Accept"] = "image/*"
        }
        let answer = try await answer(to: request, viewer: viewer)
        do { return try TripImage(id: id, bytes: answer.body) } catch { throw TravelError.unreadable }
    }
}

extension RemoteTravelStore: UserRepository {
    public func user(_ id: User.ID) async throws -> User {
        try await value(UserRecord.self, of: ServerRequest(.user, Route.user.target(id.description)), viewer: nil).user
    }

    public func isTaken(_ nickname: Nickname, exceptBy user: User.ID?) async throws -> Bool {
        // Two dots would be the folder above in the path of a URL. Nicknames are compared without invisible characters.
        let text = nickname.text == ".." ? "..\u{200B}" : nickname.text
        let request = ServerRequest(.nickname, Route.nickname.target(text))
        return try await value(TakenRecord.self, of: request, viewer: user).taken
    }

    /// Throws: only ``RemoteSession/signUp(_:_:invitation:)`` adds a user to a server.
    ///
    /// - Throws: `TravelError.conflict` for the signed-in user, who exists; `TravelError.forbidden` for anyone else.
    public func add(_ user: User) async throws {
        try await require(user.id)
        throw TravelError.conflict(.user(user.id))
    }

    public func rename(_ id: User.ID, to nickname: Nickname, by user: User.ID) async throws {
        try await require(user, toChange: id)
        _ = try await session.answer(
            to: ServerRequest(.rename).with { $0.body = try JSONCoding.data(for: NicknameRecord(nickname)) })
    }

    public func setAvatar(_ image: TripImage?, of id: User.ID, by user: User.ID) async throws {
        try await require(user, toChange: id)
        guard let image else {
            _ = try await session.answer(to: ServerRequest(.removeAvatar))
            return
        }
        _ = try await session.answer(
            to: ServerRequest(.setAvatar).with {
                $0.headers[InterfaceHeader.imageID] = image.id.description
                $0.headers["Content-Type"] = image.format.mediaType
                $0.body = image.bytes
            })
    }

    /// Removes the account of the signed-in user, and signs this device out. The password is that of a
    /// ``RemoteSession/reauthenticate()`` immediately before.
    ///
    /// - Throws: `TravelError.wrongCredentials` when the password is not right; `TravelError.forbidden` for anyone else,
    ///   and without a password; other errors of the protocol.
    public func removeUser(_ id: User.ID, by user: User.ID) async throws {
        try await require(user, toChange: id)
        guard let password = await session.takeProof() else { throw TravelError.forbidden(.user(id)) }
        do {
            _ = try await session.answer(
                to: ServerRequest(.deleteAccount).with { $0.body = try JSONCoding.data(for: PasswordRecord(password)) })
        } catch TravelError.signedOut {
            // Either the session has ended, or the account is gone: this request was repeated after a lost answer.
            guard try await isGone(id) else { throw TravelError.signedOut }
        }
        try await session.forget(id)
    }

    private func isGone(_ id: User.ID) async throws -> Bool {
        do {
            _ = try await user(id)
            return false
        } catch TravelError.notFound {
            return true
        }
    }

    /// Checks that `user` is signed in, and is the one to change.
    private func require(_ user: User.ID, toChange id: User.ID) async throws {
        try await require(user)
        guard user != id else { return }
        // Someone who does not exist is not found.
        _ = try await self.user(id)
        throw TravelError.forbidden(.user(id))
    }
}

extension RemoteTravelStore: ModerationRepository {
    @discardableResult
    public func report(_ trip: Trip.ID, by user: User.ID, at time: Date) async throws -> Bool {
        try await require(user)
        return try await session.answer(to: lookup(.report, trip)).status == 201
    }

    @discardableResult
    public func block(_ author: User.ID, by user: User.ID) async throws -> Bool {
        try await require(user)
        let request = ServerRequest(.block, Route.block.target(author.description))
        return try await session.answer(to: request).status == 201
    }

    public func unblock(_ author: User.ID, by user: User.ID) async throws {
        try await require(user)
        _ = try await session.answer(to: ServerRequest(.unblock, Route.unblock.target(author.description)))
    }

    public func blocked(by user: User.ID) async throws -> [User] {
        try await value([UserRecord].self, of: ServerRequest(.blocked), viewer: user).map(\.user)
    }
}
