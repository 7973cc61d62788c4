#if Server
import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

/// A request for each route that succeeds for the right user. A new route does not compile before it is here.
struct RouteRequest {
    let target: String
    var headers: [String] = []
    var body: [UInt8]?

    /// The bytes that a picture begins with.
    static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// - Parameters:
    ///   - trip: A stored trip, whose author is the one who asks or someone else.
    ///   - image: A picture of the trip.
    ///   - name: Two characters that are part of no nickname yet.
    init(_ route: Route, _ trip: RecordedTrip, image: TripImage.ID, name: String, refresh: String) throws {
        let (id, author) = ("\(trip.id)", "\(trip.author.id)")
        func json(_ object: [String: String]) throws {
            headers.append("Content-Type: application/json")
            body = Array(try JSONSerialization.data(withJSONObject: object))
        }
        switch route {
        case .me, .signOut, .removeAvatar, .blocked, .trips, .health, .metrics, .home, .style, .icon, .favicon:
            target = route.target()
        case .trip, .summary, .timeline, .track, .like, .unlike, .report, .tripPage, .mapOfPage:
            target = route.target(id)
        case .user, .block, .unblock: target = route.target(author)
        case .nickname: target = route.target("Nobody")
        case .titles: target = route.target() + "?text=Trip"
        case .image, .pictureOfPage: target = route.target("\(image)")
        case .signUp:
            target = route.target()
            try json(["nickname": "New \(name)", "password": "open sesame"])
        case .signIn:
            target = route.target()
            try json(["nickname": trip.author.nickname.text, "password": "open sesame"])
        case .refresh:
            target = route.target()
            try json(["refreshToken": refresh])
        case .rename:
            target = route.target()
            try json(["nickname": "Other \(name)"])
        case .deleteAccount:
            target = route.target()
            try json(["password": "open sesame"])
        case .changePassword:
            target = route.target()
            try json(["old": "open sesame", "new": "close sesame"])
        case .setAvatar:
            target = route.target()
            headers = ["Image-ID: \(TripImage.ID())"]
            body = Self.picture
        case .putImage:
            target = route.target("\(TripImage.ID())")
            body = Self.picture
        case .putTrip:
            target = route.target(id)
            headers = ["Content-Type: application/json", "If-Match: \"1\""]
            body = Array(try JSONCoding.data(for: RecordedTripRecord(trip)))
        case .removeTrip:
            target = route.target(id)
            headers = ["If-Match: *"]
        }
    }
}

/// Pages of a few words.
struct PlainPages: TripPages {
    let languages = ["en", "ko"]
    let contentSecurityPolicy = "default-src 'none'"
    let style: Data? = Data("body {}".utf8)
    let icon: Data? = Data("<svg/>".utf8)

    func search(_ query: String) -> (criteria: TripCriteria, cursor: TripCursor?)? {
        TripCriteria(text: query).map { ($0, nil) }
    }

    func list(_ page: TripPage, query: String, language: String) -> Data {
        Data("\(language): \(page.trips.map(\.title.text))".utf8)
    }

    func trip(_ details: TripDetails, language: String) -> Data {
        Data("\(language): \(details.trip.title)".utf8)
    }
    func map(of details: TripDetails) -> Data? { Data("map".utf8) }
    func notFound(language: String) -> Data { Data("\(language): nothing".utf8) }
    func picture(_ image: TripImage) -> (mediaType: String, bytes: Data)? { ("image/png", image.bytes) }
}

@Suite("Every route", .limitedConcurrency)
struct EveryRouteTests {
    /// A trip with a picture, of its author.
    private struct Scene {
        let author: ServerWorld.Account
        let trip: RecordedTrip
        let image: TripImage.ID

        init(_ world: ServerWorld) async throws {
            author = try await world.signUp("Mina")
            image = TripImage.ID()
            #expect(
                try await world.ask(
                    "PUT", "/v1/images/\(image)", token: author.access, body: RouteRequest.picture
                ).status == 204)
            trip = try world.trip(1, by: author.user, image: image)
            #expect(try await world.put(trip, token: author.access).status == 201)
        }

        func request(_ route: Route, name: String = "1", refresh: String? = nil) throws -> RouteRequest {
            try RouteRequest(route, trip, image: image, name: name, refresh: refresh ?? author.refresh)
        }
    }

    private func ask(
        _ world: ServerWorld, _ route: Route, _ request: RouteRequest, token: String? = nil, headers: [String] = []
    ) async throws -> Reply {
        try await world.ask(
            route.method.rawValue, request.target, token: token, headers: request.headers + headers,
            body: request.body)
    }

    /// What the valid token of one user gets for a request that is about another user.
    private func status(forOthers route: Route) -> Int {
        switch route {
        case .me, .rename, .changePassword, .setAvatar, .removeAvatar, .blocked: 200  // Their own.
        case .signOut, .deleteAccount, .putImage, .unblock: 204
        case .block, .report: 201
        case .like, .unlike: 204
        case .putTrip, .removeTrip: 403
        case .user, .nickname, .trips, .titles, .trip, .summary, .timeline, .track, .image: 200
        case .signUp: 201
        case .signIn, .refresh, .health, .metrics, .home, .tripPage, .mapOfPage, .pictureOfPage, .style, .icon: 200
        case .favicon: 308
        }
    }

    @Test("acts for the user of the token alone: what belongs to another one stays as it is", arguments: Route.allCases)
    func others(route: Route) async throws {
        try await withWorld(pages: PlainPages()) { world in
            let scene = try await Scene(world)
            let mina = scene.author
            let jun = try await world.signUp("Jun")
            let isMina = [
                "X-User: \(mina.user.id)", "X-Forwarded-User: \(mina.user.id)", "X-Admin: true",
                "Cookie: user=\(mina.user.id); token=\(mina.access)",
            ]
            let before = try await world.ask("GET", "/v1/trips/\(scene.trip.id)", token: mina.access)
            let reply = try await ask(
                world, route, scene.request(route, refresh: jun.refresh), token: jun.access, headers: isMina)
            #expect(reply.status == status(forOthers: route), "\(reply.text)")
            // The like of someone else is theirs.
            try await world.ask("DELETE", "/v1/trips/\(scene.trip.id)/like", token: jun.access)
            let after = try await world.ask("GET", "/v1/trips/\(scene.trip.id)", token: mina.access)
            #expect(after.text == before.text)
            let me = try await world.ask("GET", "/v1/me", token: mina.access)
            #expect(try me.json()["nickname"] as? String == "Mina")
            #expect(try me.json()["avatar"] == nil)
            #expect(try await world.ask("GET", "/v1/me/blocked", token: mina.access).text == "[]")
            let signIn = try await world.ask(
                "POST", "/v1/sessions", json: ["nickname": "Mina", "password": "open sesame"])
            #expect(signIn.status == 200)
        }
    }

    @Test("that needs the store is 503 with Retry-After while it cannot answer, and the reason is in the log alone")
    func outage() async throws {
        try await withWorld(pages: PlainPages()) {
            $0.attempts.accountsPerAddress = 1_000
        } _: { world in
            let scene = try await Scene(world)
            for (number, route) in Route.allCases.enumerated() {
                let user = try await world.signUp("User \(number)")
                let lines = world.log.all.count
                try await world.failing(
                    with: .unavailable(.init("/srv/trips.sqlite is full.", cause: .diskFull, canRetry: true))
                ) {
                    let request = try scene.request(route, name: "\(number)", refresh: user.refresh)
                    let token = route == .putTrip || route == .removeTrip ? scene.author.access : user.access
                    let reply = try await ask(world, route, request, token: token)
                    switch route {
                    // They need the accounts alone, or nothing.
                    case .signUp, .signIn, .refresh, .signOut, .changePassword, .putImage, .metrics, .style, .icon,
                        .favicon:
                        #expect(reply.status < 400, "\(route): \(reply.text)")
                    default:
                        #expect(reply.status == 503, "\(route): \(reply.text)")
                        #expect(reply.headers["retry-after"] == "5")
                        #expect(try await eventually { world.log.all.count > lines })
                        #expect(world.log.all.last?.contains("disk full: ") == true)
                        #expect(world.log.all.last?.contains("trips.sqlite") == true)
                        #expect(!reply.text.contains("trips.sqlite") && !reply.text.contains("disk"), "\(reply.text)")
                    }
                }
            }
        }
    }

    @Test("leaves no reference to the stores when the server has stopped")
    func releasedStores() async throws {
        struct Reference {
            weak var store: InMemoryTripRepository?
        }
        func stopped() async throws -> Reference {
            let world = try ServerWorld()
            #expect(try await world.ask("GET", "/v1/trips").status == 200)
            await world.server.drain()
            return Reference(store: world.store)
        }
        let reference = try await stopped()
        #expect(try await eventually { reference.store == nil })
    }

    @Test("is 503 with Retry-After and a problem while the server stops")
    func stopping() async throws {
        let world = try ServerWorld(pages: PlainPages()) {
            // Connections stay until the end.
            $0.look = .seconds(3_600)
            $0.grace = .seconds(60)
        }
        let scene = try await Scene(world)
        let probes = [try RawClient(port: world.port), try RawClient(port: world.port)]
        let connections = try Route.allCases.map { ($0, try RawClient(port: world.port)) }
        for connection in probes + connections.map(\.1) {
            await connection.send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await connection.receive(until: "}").contains("200"))
        }
        // A request under way keeps the server from its end.
        let upload = try RawClient(port: world.port)
        await upload.send(
            """
            PUT /v1/images/\(TripImage.ID()) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(scene.author.access)\r
            Expect: 100-continue\r\nContent-Length: 8\r\nConnection: close\r\n\r\n
            """)
        #expect(await upload.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
        async let drained: Void = world.server.drain()
        // A request on the way when the drain begins is answered with 200, and its connection closed.
        #expect(
            try await eventually {
                for probe in probes {
                    await probe.send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
                    if await probe.receive(until: "}").contains("503") { return true }
                }
                return false
            })
        for (route, connection) in connections {
            let target = try scene.request(route).target
            await connection.send("\(route.method.rawValue) \(target) HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
            let text = await connection.receiveToEnd()
            let reply = try #require(Reply(Array(text.utf8)), "\(route): \(text)")
            #expect(reply.status == 503, "\(route)")
            #expect(reply.headers["retry-after"] == "5")
            #expect(reply.headers["content-type"] == Problem.mediaType)
            #expect(try reply.json()["request"] as? String == reply.headers["request-id"])
            #expect(reply.cause == "unavailable")
        }
        await upload.send(RouteRequest.picture)
        #expect(await upload.receiveToEnd().hasPrefix("HTTP/1.1 204"))
        await drained
    }

    @Test("has a problem for a request that does not reach it, with the identity of the request")
    func refusals() async throws {
        try await withWorld(pages: PlainPages()) { world in
            let scene = try await Scene(world)
            for route in Route.allCases {
                let target = try scene.request(route).target
                let separator = target.contains("?") ? "&" : "?"
                let long = String(repeating: "x", count: 9_000)
                for (target, header, status, cause) in [
                    (target, "Host: other", 400, "malformed"),
                    ("\(target)\(separator)x=\(long)", "", 414, "targetTooLong"),
                    (target, "X-1: \(long)\r\nX-2: \(long)", 431, "headersTooLarge"),
                ] {
                    let reply = try await world.ask(
                        route.method.rawValue, target, headers: header.isEmpty ? [] : [header])
                    #expect(reply.status == status, "\(route)")
                    #expect(reply.headers["content-type"] == Problem.mediaType)
                    #expect(try reply.json()["request"] as? String == reply.headers["request-id"])
                    #expect(reply.cause == cause)
                }
            }
            #expect(
                world.log.all.contains { $0.contains("\"status\":431") && $0.contains("\"route\":null") })
        }
    }
}
#endif
