#if Server
import Foundation
internal import TravelDomain
internal import TravelJSON

/// One request for a route, by someone or by nobody.
struct Call: Sendable {
    let application: Application
    let request: HTTPRequest
    let route: Route
    /// The arguments in the path.
    let arguments: [String]
    /// The session of the token; `nil` for nobody.
    let user: TokenSession?

    var stores: ServerStores { application.stores }
    /// Who asks: the only source of the acting user.
    var session: any SessionRepository { user ?? SignedOutSession() as any SessionRepository }
    var useCases: UseCases {
        UseCases(store: trips, session: session, review: application.review, now: application.now)
    }
    var viewer: User.ID? { user?.device.user }
    /// The key of the link that the request follows; a text that is no key opens nothing, as a wrong one does.
    var key: LinkKey? { route.query.contains("key") ? value("key").flatMap { LinkKey($0) } : nil }
    /// The store as whoever asks sees it.
    var trips: any TravelStore { key.map(stores.trips.following) ?? stores.trips }

    /// The longest bodies in bytes.
    private static let smallBody = 65_536
    private static let tripBody = 16 << 20

    func answer() async throws -> HTTPResponse {
        switch route {
        case .signUp: try await signUp()
        case .signIn: try await signIn()
        case .refresh: try await refresh()
        case .signOut: try await signOut()
        case .me: try json(UserRecord(await stores.trips.user(requireUser())))
        case .rename: try await rename()
        case .deleteAccount: try await deleteAccount()
        case .changePassword: try await changePassword()
        case .setAvatar: try await setAvatar()
        case .removeAvatar: try json(UserRecord(await changeAvatar(nil)))
        case .user: try json(UserRecord(await stores.trips.user(id())))
        case .nickname: try await nickname()
        case .blocked:
            try json(await useCases.blockedAuthors().map(UserRecord.init))
        case .block: try await block()
        case .unblock: try await unblock()
        case .trips: try await trips()
        case .titles: try await titles()
        case .trip: try await trip()
        case .summary: try await summary()
        case .timeline: try await timeline()
        case .track: try await track()
        case .putTrip: try await putTrip()
        case .removeTrip: try await removeTrip()
        case .like: try await like(true)
        case .unlike: try await like(false)
        case .report:
            HTTPResponse(try await useCases.reportTrip(id()) ? 201 : 200)
        case .putImage: try await putImage()
        case .image: try await image()
        case .health: try await health()
        case .metrics: try metrics()
        case .home: try await home()
        case .tripPage: try await tripPage()
        case .mapOfPage: try await mapOfPage()
        case .pictureOfPage: try await pictureOfPage()
        case .style: try style()
        case .icon: try icon()
        case .favicon: try favicon()
        }
    }

    // MARK: Parts of requests and answers

    /// The ID in the path. Another text is the ID of nothing.
    func id<Entity>() throws -> Identifier<Entity> {
        guard let id = arguments.first.flatMap({ Identifier<Entity>($0) }) else {
            throw RequestError(
                .malformed, 400, "The URL has no valid ID, such as 6f1c2c1e-8d5b-4a53-9c9e-0b1f6a7f3f10.")
        }
        return id
    }

    func requireUser() throws -> User.ID {
        guard let viewer else { throw TravelError.signedOut }
        return viewer
    }

    private func body<Record: Decodable>(_ type: Record.Type = Record.self, limit: Int = smallBody) async throws
        -> Record
    {
        try JSONCoding.value(type, in: Data(await request.readBody(limit)))
    }

    func value(_ name: String) -> String? {
        request.query.first { $0.name == name }?.value
    }

    private func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw TravelError.invalid(
                .init(name == "day" ? .day : .limit, .outOfRange("\(range.lowerBound)…\(range.upperBound)")))
        }
        return number
    }

    private func json(
        _ value: some Encodable, status: Int = 200, headers: [(name: String, value: String)] = []
    ) throws -> HTTPResponse {
        let bytes = try JSONCoding.bytes(for: value)
        try request.reserveAnswer(bytes.count)
        return HTTPResponse(status, headers: [("Content-Type", InterfaceHeader.json)] + headers, body: bytes)
    }

    /// The answer to a read, whose tag tells a client whether it has it already.
    private func fresh(
        _ value: some Encodable, trip: TripTag? = nil
    ) throws -> HTTPResponse {
        var response = try json(value)
        guard case .bytes(let bytes) = response.body else { return response }
        let digest = EntityTag.digest(of: bytes)
        let tag = trip?.text(answer: digest) ?? digest
        if let trip { response.headers.append((InterfaceHeader.tripVersion, "\(trip.version)")) }
        response.headers += [
            ("Vary", "Authorization, Accept, Accept-Encoding"), ("ETag", "\"\(tag)\""),
            ("Cache-Control", "private, no-cache"),
        ]
        return response
    }

    /// Bytes that never change at their address, or the part of them that the client wants.
    func part(of data: Data, type: String, cache: String) throws -> HTTPResponse {
        let bytes = Array(data)
        let tag = EntityTag.digest(of: bytes)
        var response = HTTPResponse(
            200,
            headers: [
                ("Content-Type", type), ("ETag", "\"\(tag)\""), ("Accept-Ranges", "bytes"), ("Cache-Control", cache),
            ])
        if request.condition?.matches(tag) == true {
            response.status = 304
            return response
        }
        // A part of another version would not fit to what the client has.
        let isSame = request.headers["if-range"].map { $0 == "\"\(tag)\"" } ?? true
        switch isSame ? HTTPRange(request.headers["range"], of: bytes.count) : .whole {
        case .whole:
            try request.reserveAnswer(bytes.count)
            response.body = .bytes(bytes)
        case .part(let range):
            try request.reserveAnswer(range.count)
            response.status = 206
            response.headers.append(
                ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"))
            response.body = .bytes(Array(bytes[range]))
        case .unsatisfiable:
            throw RequestError(
                .rangeNotSatisfiable, 416, "The range is not satisfiable: there are \(bytes.count) bytes.",
                headers: [("Content-Range", "bytes */\(bytes.count)")])
        }
        return response
    }

    // MARK: Observing

    private var observes: Bool { request.observes(route) }

    /// An answer that sends each value as an event, until the client goes, its token expires, or its session ends. It
    /// throws an error of the domain after it has sent its description.
    private func events<Value: Equatable & Sendable, Record: Encodable & SendableMetatype>(
        _ values: any AsyncSequence<Value, any Error> & Sendable, _ record: @escaping @Sendable (Value) -> Record
    ) -> HTTPResponse {
        let known = request.headers["last-event-id"]
        let (rendered, address) = (application.rendered, RenderedEvents.Address(request))
        let send = { @Sendable (stream: HTTPStream) in
            do {
                try await rendered.sharing(address, of: Value.self) { slot in
                    try await Self.send(values, record, slot, known: known, to: stream)
                }
            } catch HTTPRefusal.tooManyAnswers {
                try await Self.end(stream, with: Application.tooManyAnswers)
            } catch let error as TravelError {
                try await Self.end(stream, with: error)
            }
        }
        return HTTPResponse(
            streaming: [
                ("Content-Type", InterfaceHeader.eventStream), ("Cache-Control", "no-store"),
                // Proxies pass events on at once.
                ("X-Accel-Buffering", "no"),
            ], keepAlive: Array(":\n\n".utf8)
        ) { [self] stream in
            guard let device = user?.device else { return try await send(stream) }
            let hasSession = try await application.observations.observing(as: device) { session in
                // It may have ended just before.
                guard try await isSignedIn(device) else { return false }
                return try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await send(stream)
                        return true
                    }
                    group.addTask {
                        let rest = device.tokens.accessExpiresAt.timeIntervalSince(application.now())
                        try await Task.sleep(for: .seconds(max(0, rest)))
                        return true
                    }
                    group.addTask {
                        for await _ in session {}
                        return false
                    }
                    // The first of them ends the others.
                    defer { group.cancelAll() }
                    return try await group.next() ?? true
                }
            }
            if !hasSession { try await Self.end(stream, with: .signedOut) }
        }
    }

    /// Whether the access token of the request is still that of a device.
    private func isSignedIn(_ device: SignedInDevice) async throws -> Bool {
        try await stores.accounts.device(withAccess: device.tokens.access) != nil
    }

    /// Sends the description of an error, and throws the error.
    private static func end(_ stream: HTTPStream, with error: TravelError) async throws {
        let problem = try JSONCoding.bytes(for: Problem(Application.forClients(error)))
        try await stream.write(event("problem", id: nil, problem))
        throw error
    }

    private static func send<Value: Equatable & Sendable, Record: Encodable & SendableMetatype>(
        _ values: some AsyncSequence<Value, any Error> & Sendable, _ record: (Value) -> Record,
        _ slot: RenderedEvents.Slot<Value>, known: String?, to stream: HTTPStream
    ) async throws {
        // The head is sent with the first bytes.
        try await stream.write(Array(":\n\n".utf8))
        var last = known
        for try await value in values {
            let event = try slot.event(for: value) {
                let data = try JSONCoding.bytes(for: record(value))
                let id = EntityTag.digest(of: data)
                return RenderedEvents.Event(id: id, bytes: Self.event("value", id: id, data))
            }
            if event.id != last { try await stream.write(event.bytes) }
            last = event.id
        }
    }

    /// An event (HTML Standard, section 9.2). JSON of this interface has no line breaks.
    private static func event(_ name: String, id: String?, _ data: [UInt8]) -> [UInt8] {
        Array("\(id.map { "id: \($0)\n" } ?? "")event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }

    // MARK: Accounts

    /// The address that limits of attempts are for.
    var network: String { SocketAddress.network(of: request.client) }

    /// Makes an attempt with a password for an account, if there were not too many.
    private func limited<Value>(_ account: String, _ attempt: () async throws -> Value) async throws -> Value {
        try await refusing { try await application.attempts.limiting(account, from: network, attempt) }
    }

    private func refusing<Value>(_ attempt: () async throws -> Value) async throws -> Value {
        do {
            return try await attempt()
        } catch let error as TooManyAttempts {
            throw RequestError(
                .tooManyRequests, 429, error.description, headers: [("Retry-After", "\(error.seconds)")])
        }
    }

    private func signUp() async throws -> HTTPResponse {
        let record = try await body(SignUpRecord.self)
        try await refusing { try application.attempts.beginSignUp(from: network) }
        let signUp = SignUp(application.access, policy: application.signUp)
        let signedIn = try await signUp(record.nickname, record.password, invitation: record.invitation)
        application.attempts.signedIn(record.nickname.folded, from: network)
        return try json(SignedInRecord(signedIn), status: 201)
    }

    private func signIn() async throws -> HTTPResponse {
        let record = try await body(CredentialsRecord.self)
        return try await limited(record.nickname.folded) {
            let signedIn = try await SignInWithPassword(application.access)(record.nickname, record.password)
            application.attempts.signedIn(record.nickname.folded, from: network)
            return try json(SignedInRecord(signedIn))
        }
    }

    private func refresh() async throws -> HTTPResponse {
        let record = try await body(RefreshRecord.self)
        return try json(SignedInRecord(await RenewSession(application.access)(record.refresh, next: record.next)))
    }

    private func signOut() async throws -> HTTPResponse {
        try await useCases.signOut()
        return HTTPResponse(204)
    }

    private func rename() async throws -> HTTPResponse {
        let record = try await body(NicknameRecord.self)
        return try json(UserRecord(await useCases.changeNickname(record.nickname)))
    }

    private func deleteAccount() async throws -> HTTPResponse {
        let record = try await body(PasswordRecord.self)
        return try await limited(requireUser().description) {
            let identity = PasswordIdentity(application.access, session: session, password: record.password)
            let user = try requireUser()
            try await useCases.deleteAccount(confirmedBy: identity)()
            application.observations.end(of: user)
            return HTTPResponse(204)
        }
    }

    private func changePassword() async throws -> HTTPResponse {
        let record = try await body(PasswordChangeRecord.self)
        return try await limited(requireUser().description) {
            let change = ChangePassword(application.access, session: session)
            return try json(SignedInRecord(await change(from: record.old, to: record.new)))
        }
    }

    // MARK: People

    private func picture(_ id: TripImage.ID) async throws -> TripImage {
        try TripImage(id: id, bytes: Data(await request.readBody(TripImage.maximumSize)))
    }

    private func setAvatar() async throws -> HTTPResponse {
        guard let id = request.headers[InterfaceHeader.imageID.lowercased()].flatMap({ TripImage.ID($0) }) else {
            throw RequestError(.malformed, 400, "The header Image-ID is missing, or is not the ID of a picture.")
        }
        let image = try await picture(id)
        try await checkQuota(adding: [image])
        return try json(UserRecord(await changeAvatar(image)))
    }

    private func changeAvatar(_ image: TripImage?) async throws -> User {
        try await useCases.changeAvatar(image)
    }

    private func nickname() async throws -> HTTPResponse {
        let nickname = try Nickname(arguments.first ?? "")
        return try json(TakenRecord(await stores.trips.isTaken(nickname, exceptBy: viewer)))
    }

    private func block() async throws -> HTTPResponse {
        HTTPResponse(try await useCases.blockAuthor(id()) ? 201 : 200)
    }

    private func unblock() async throws -> HTTPResponse {
        try await useCases.unblockAuthor(id())
        return HTTPResponse(204)
    }

    // MARK: Trips

    private func trips() async throws -> HTTPResponse {
        let text = request.query.map { "\($0.name)=\(($0.value ?? "").percentEncoded)" }.joined(separator: "&")
        let query = try TripQuery(text: text, viewer: viewer)
        try checkLikes(query.criteria)
        if observes { return events(stores.trips.observe(query), PageRecord.init) }
        return try fresh(PageRecord(await stores.trips.search(query)))
    }

    /// What someone likes is shown to nobody else.
    func checkLikes(_ criteria: TripCriteria) throws {
        guard let liker = criteria.likedBy, liker != viewer, !application.showsLikesOfOthers else { return }
        throw TravelError.forbidden(.user(liker))
    }

    private func titles() async throws -> HTTPResponse {
        guard let text = value("text") else {
            throw RequestError(.malformed, 400, "The query has no text: add ?text=.")
        }
        let limit = try number("limit", in: TripQuery.limits) ?? SuggestKeywords.limit
        guard let keyword = Keyword(text) else { return try fresh([String]()) }
        let titles = try await stores.trips.titles(containing: keyword, viewer: viewer, limit: limit)
        return try fresh(titles.map(\.text))
    }

    private func trip() async throws -> HTTPResponse {
        if observes {
            let trip = try await trips.trip(id(), viewer: viewer)
            return events(useCases.showTrip(trip.id), DetailsRecord.init)
        }
        let details = try await trips.details(of: id(), viewer: viewer)
        let content = try details.recorded.contentDigest
        return try fresh(DetailsRecord(details), trip: TripTag(details.trip.version, content: content))
    }

    private func summary() async throws -> HTTPResponse {
        let trip = try await trips.trip(id(), viewer: viewer)
        if observes { return events(trips.observeTrip(trip.id, viewer: viewer), ViewedTripRecord.init) }
        return try fresh(ViewedTripRecord(trip), trip: TripTag(trip.version, content: nil))
    }

    private func timeline() async throws -> HTTPResponse {
        let day = try number("day", in: 1...1_000_000)
        let trip: Trip.ID = try id()
        if observes {
            _ = try await trips.trip(trip, viewer: viewer)
            return events(trips.observeTimeline(of: trip, day: day, viewer: viewer)) {
                $0.map(EntryRecord.init)
            }
        }
        let entries = try await trips.timeline(of: trip, viewer: viewer)
        return try fresh(entries.filter { day == nil || $0.day == day }.map(EntryRecord.init))
    }

    private func track() async throws -> HTTPResponse {
        let track = try await trips.track(of: id(), viewer: viewer)
        return try fresh(track.map(TrackRecord.init))
    }

    private func like(_ isLiked: Bool) async throws -> HTTPResponse {
        try await useCases.likeTrip(isLiked, trip: id())
        return HTTPResponse(204)
    }

    /// The version that the client expects; `nil` for any.
    private func expectedTrip() throws -> TripTag? {
        guard let header = request.headers.list("if-match") else {
            throw RequestError(
                .versionRequired, 428, "Send the version that you have seen: If-Match: \"3\", or * for any.")
        }
        if header == InterfaceHeader.any { return nil }
        guard let tag = TripTag(header) else {
            throw RequestError(.malformed, 400, "The header If-Match is not a version such as \"3\".")
        }
        return tag
    }

    private func putTrip() async throws -> HTTPResponse {
        let user = try requireUser()
        let id: Trip.ID = try id()
        let isNew = request.headers["if-none-match"] != nil
        guard !isNew || request.headers["if-none-match"] == InterfaceHeader.any && request.headers["if-match"] == nil
        else {
            throw RequestError(
                .malformed, 400, "Send If-None-Match: * to add a trip, or If-Match with its version to replace it.")
        }
        let expected = isNew ? nil : try expectedTrip()
        guard isNew || expected != nil else {
            throw RequestError(.versionRequired, 428, "Send the version to replace: If-Match: \"3\".")
        }
        let record = try await body(RecordedTripRecord.self, limit: Self.tripBody)
        let trip = record.trip
        guard trip.id == id else {
            throw RequestError(.malformed, 400, "The trip in the body has a different ID than the URL.")
        }
        if let level = value("audience") {
            guard record.hasAudience, level == trip.content.audience.level.rawValue else {
                throw RequestError(.malformed, 400, "The trip in the body has a different audience than the URL.")
            }
        }
        let images = try await application.staged.images(trip.images, of: user)
        // Whoever has gone does not see whether the trip was stored.
        try Task.checkCancellation()
        let adds = isNew ? try await !isOwn(id) : false
        try await checkQuota(adding: images, trips: adds ? 1 : 0)
        let (stored, wasAdded) = try await useCases.publishTrip(
            trip, replacing: expected?.version, adding: images, keepingAudience: !record.hasAudience,
            keepingPictures: !record.hasPictures
        ) {
            expected?.matches($0) ?? true
        }
        await application.staged.remove(images.map(\.id), of: user)
        return try json(
            RecordedTripRecord(stored), status: wasAdded ? 201 : 200,
            headers: [("ETag", stored.version.entityTag), (InterfaceHeader.tripVersion, "\(stored.version)")])
    }

    /// Whether the user has recorded that trip, as when an answer was lost.
    private func isOwn(_ id: Trip.ID) async throws -> Bool {
        do {
            return try await stores.trips.trip(id, viewer: viewer).isMine
        } catch TravelError.notFound {
            return false
        }
    }

    /// Refuses what goes beyond the quota of the user.
    private func checkQuota(adding pictures: [TripImage], trips: Int = 0) async throws {
        do {
            try await application.accountQuota.check(requireUser(), adding: pictures, trips: trips)
        } catch let error as QuotaExceeded {
            throw RequestError(.quotaExceeded, 403, error.description)
        }
    }

    private func removeTrip() async throws -> HTTPResponse {
        let expected = try expectedTrip()
        try await useCases.deleteTrip(id(), expecting: expected?.version) {
            expected?.matches($0) ?? true
        }
        return HTTPResponse(204)
    }

    // MARK: Pictures

    private func putImage() async throws -> HTTPResponse {
        let user = try requireUser()
        let image = try await picture(id())
        try await application.review.review(image)
        try await application.staged.keep(image, for: user)
        return HTTPResponse(204)
    }

    private func image() async throws -> HTTPResponse {
        // Whoever shows a token or a key may see more than everyone does, and may lose it.
        let isForEveryone = viewer == nil && key == nil
        return try await picture(in: nil, cache: isForEveryone ? "private, max-age=3600" : "private, no-cache")
    }

    /// The picture of the path in a size: without metadata, except for its author.
    func picture(in size: PictureSize?, cache: String) async throws -> HTTPResponse {
        try await application.pictures.withPicture(
            id(), in: size, of: trips, viewer: viewer, for: network, keepingMetadata: true
        ) { type, bytes in
            try part(of: bytes, type: type, cache: cache)
        }
    }

    // MARK: The server

    private func health() async throws -> HTTPResponse {
        _ = try await stores.trips.search(TripQuery(TripCriteria(), viewer: nil, limit: 1))
        return try json(["status": "ok"])
    }

    private func metrics() throws -> HTTPResponse {
        // They are for the machine of the server, not for the clients of a proxy on it, even if the server is not told
        // of the proxy.
        let isLocal = SocketAddress(host: request.client, port: 0)?.isLoopback == true
        let isForwarded = ["forwarded", "via", "x-forwarded-for"].contains { request.headers.count(of: $0) > 0 }
        guard isLocal, !isForwarded else { throw RequestError.nothingHere }
        return HTTPResponse(
            200, headers: [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")],
            body: Array(application.metrics.text(application.connectionCounts).utf8))
    }
}

extension HTTPRequest {
    /// Whether it asks for an observation.
    func observes(_ route: Route) -> Bool {
        method == "GET" && route.isObservable && headers.acceptsEvents
    }
}

extension HTTPHeaders {
    /// Whether the client accepts a stream of events, and does not prefer JSON (RFC 9110, section 12.5.1).
    var acceptsEvents: Bool {
        // Few requests name it, and all of them are asked.
        guard list("accept")?.lowercased().contains(InterfaceHeader.eventStream) == true else { return false }
        let weights = weights("accept")
        func weight(_ type: String) -> Double { weights.last { $0.item == type }?.weight ?? 0 }
        let events = weight(InterfaceHeader.eventStream)
        return events > 0 && events >= weight("application/json")
    }
}
#endif
