#if Server
import Foundation
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDataRemote
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

@Suite("Who sees a trip over HTTP", .limitedConcurrency)
struct AudienceRouteTests {
    /// A trip with a picture, its author, and someone else.
    private struct Scene {
        let world: ServerWorld
        let mina: ServerWorld.Account
        let jun: ServerWorld.Account
        let trip: RecordedTrip
        let image: TripImage.ID
        let key = LinkKey()

        init(_ world: ServerWorld, _ level: Audience.Level) async throws {
            self.world = world
            mina = try await world.signUp("Mina")
            jun = try await world.signUp("Jun")
            image = TripImage.ID()
            try await world.ask("PUT", "/v1/images/\(image)", token: mina.access, body: RouteRequest.picture)
            let audience = Audience.onlyMe.changed(to: level, newKey: key)
            trip = try world.trip(1, by: mina.user, image: image).with(audience)
            #expect(try await world.put(trip, token: mina.access).status == 201)
        }

        func share(_ audience: Audience) async throws {
            try await world.store.update(trip.id, by: mina.user.id) { trip throws(TravelError) in
                try trip.with(audience)
            }
        }

        func request(_ route: Route) throws -> RouteRequest {
            try RouteRequest(route, trip, image: image, name: "1", refresh: mina.refresh)
        }
    }

    /// Who asks: with the token of someone, and with a key.
    private enum Asker: CaseIterable {
        case nobody, wrongKey, formerKey, noKey, rightKey, other, otherWithKey, owner

        var hasRightKey: Bool { self == .rightKey || self == .otherWithKey }
    }

    /// The routes that read or change one trip, or a picture of it.
    private static let routes: [Route] = [
        .trip, .summary, .timeline, .track, .image, .tripPage, .mapOfPage, .pictureOfPage, .like, .unlike, .report,
        .putTrip, .removeTrip,
    ]

    /// What the asker gets if the trip is there for them, or 404.
    private func status(_ route: Route, _ asker: Asker, _ level: Audience.Level) -> Int {
        let isSignedIn = [.other, .otherWithKey, .owner].contains(asker)
        guard route.access != .user || isSignedIn else { return 401 }
        // Pages know nobody; edits take no key.
        let isOwner = asker == .owner && route.access != .everyone
        let takesKey = route.query.contains("key")
        if !takesKey, asker != .nobody, asker != .other, asker != .owner { return 400 }
        // The body names another author than the token: it is the same answer whether the trip is there.
        if route == .putTrip, !isOwner { return 403 }
        guard isOwner || level == .everyone || (level == .byLink && takesKey && asker.hasRightKey) else { return 404 }
        return switch route {
        case .like, .unlike: 204
        case .report: isOwner ? 403 : 201
        case .putTrip: isOwner ? 200 : 403
        case .removeTrip: isOwner ? 204 : 403
        default: 200
        }
    }

    @Test(
        "is decided on every route by the audience, the token and the key", arguments: Audience.Level.allCases, routes)
    func table(level: Audience.Level, route: Route) async throws {
        for asker in Asker.allCases {
            try await withWorld(pages: PlainPages()) { world in
                let scene = try await Scene(world, level)
                let request = try scene.request(route)
                let key: String? =
                    switch asker {
                    case .nobody, .other, .owner: nil
                    case .wrongKey: LinkKey().text
                    case .noKey: "abc"
                    case .rightKey, .otherWithKey: scene.key.text
                    case .formerKey: scene.key.text
                    }
                if asker == .formerKey, level == .byLink { try await scene.share(.byLink(LinkKey())) }
                let token: String? =
                    switch asker {
                    case .other, .otherWithKey: scene.jun.access
                    case .owner: scene.mina.access
                    default: nil
                    }
                let reply = try await world.ask(
                    route.method.rawValue, request.target + (key.map { "?key=\($0)" } ?? ""), token: token,
                    headers: request.headers, body: request.body)
                #expect(reply.status == status(route, asker, level), "\(asker): \(reply.text)")
                guard reply.status == 404, route.access != .everyone else { return }
                #expect(reply.cause == "notFound")
                #expect(!reply.text.contains("Trip 1") && !reply.text.contains("Mina"), "\(reply.text)")
            }
        }
    }

    @Test(
        "lists, titles and pages of trips have public ones, and those of who asks", arguments: Audience.Level.allCases)
    func lists(level: Audience.Level) async throws {
        try await withWorld(pages: PlainPages()) { world in
            let scene = try await Scene(world, level)
            let author = scene.mina.user.id
            for target in ["/v1/trips", "/v1/trips?author=\(author)", "/v1/titles?text=Trip", "/"] {
                for token in [nil, scene.jun.access, scene.mina.access] {
                    let reply = try await world.ask("GET", target, token: token)
                    let isOwner = token == scene.mina.access && target != "/"
                    #expect(reply.text.contains("Trip 1") == (isOwner || level == .everyone), "\(target)")
                }
            }
        }
    }

    @Test("who lost access gets 404 for what they have, also by its tag")
    func conditionalRequests() async throws {
        try await withWorld(pages: PlainPages()) { world in
            let scene = try await Scene(world, .byLink)
            let query = "?key=\(scene.key.text)"
            let targets = [
                "/v1/trips/\(scene.trip.id)", "/v1/trips/\(scene.trip.id)/summary",
                "/v1/trips/\(scene.trip.id)/timeline", "/v1/trips/\(scene.trip.id)/track",
                "/v1/images/\(scene.image)", "/trips/\(scene.trip.id)", "/images/\(scene.image)",
            ]
            var tags: [String: String] = [:]
            for target in targets {
                let reply = try await world.ask("GET", target + query)
                #expect(reply.status == 200)
                #expect(reply.headers["cache-control"] == "private, no-cache", "\(target)")
                let tag = try #require(reply.headers["etag"])
                tags[target] = tag
                let known = try await world.ask("GET", target + query, headers: ["If-None-Match: \(tag)"])
                #expect(known.status == 304, "\(target)")
            }
            try await scene.share(.onlyMe)
            for (target, tag) in tags {
                for headers in [["If-None-Match: \(tag)"], ["If-None-Match: *"], ["Range: bytes=0-3"], []] {
                    let reply = try await world.ask("GET", target + query, headers: headers)
                    #expect(reply.status == 404, "\(target) \(headers)")
                }
            }
        }
    }

    @Test("pictures are for shared caches only if their trip is public, and pages of links are for no search engine")
    func caches() async throws {
        try await withWorld(pages: PlainPages()) { world in
            let scene = try await Scene(world, .everyone)
            let (page, picture) = ("/trips/\(scene.trip.id)", "/images/\(scene.image)")
            #expect(try await world.ask("GET", picture).headers["cache-control"] == "public, max-age=3600")
            #expect(try await world.ask("GET", page).headers["cache-control"] == "public, no-cache")
            try await scene.share(.byLink(scene.key))
            for target in [page, picture] {
                #expect(try await world.ask("GET", target).status == 404)
                let reply = try await world.ask("GET", "\(target)?key=\(scene.key.text)")
                #expect(reply.status == 200)
                #expect(reply.headers["cache-control"] == "private, no-cache")
                #expect(target == picture || reply.headers["x-robots-tag"] == "noindex")
            }
        }
    }

    @Test("an ID of a picture, of an avatar or of another trip's link opens no picture of a private trip")
    func pictures() async throws {
        try await withWorld(pages: PlainPages()) { world in
            let scene = try await Scene(world, .onlyMe)
            let other = try world.trip(2, by: scene.mina.user).with(Audience.byLink(scene.key))
            try await world.put(other, token: scene.mina.access)
            for target in ["/v1/images/\(scene.image)", "/images/\(scene.image)"] {
                for query in ["", "?key=\(scene.key.text)"] {
                    #expect(try await world.ask("GET", target + query).status == 404)
                    #expect(try await world.ask("HEAD", target + query).status == 404)
                }
            }
            let jun = try await world.ask("GET", "/v1/images/\(scene.image)", token: scene.jun.access)
            #expect(jun.status == 404)
            // Nor does it become theirs.
            let stolen = try world.trip(3, by: scene.jun.user, image: scene.image)
            #expect(try await world.put(stolen, token: scene.jun.access).status == 404)
        }
    }

    @Test("observers that run end with not found when access is lost, and keys are in no log")
    func observers() async throws {
        try await withWorld { world in
            let scene = try await Scene(world, .byLink)
            var observers: [RawClient] = []
            for part in ["", "/summary", "/timeline"] {
                for token in [nil, scene.jun.access] {
                    let client = try RawClient(port: world.port)
                    let head =
                        [
                            "GET /v1/trips/\(scene.trip.id)\(part)?key=\(scene.key.text) HTTP/1.1", "Host: h",
                            "Accept: text/event-stream", "Connection: close",
                        ] + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
                    await client.send(head.joined(separator: "\r\n") + "\r\n\r\n")
                    // What arrives together is received together.
                    #expect(await client.receive(until: "event: value").contains("200 OK"))
                    observers.append(client)
                }
            }
            try await scene.share(.byLink(LinkKey()))
            for observer in observers {
                let end = await observer.receiveToEnd()
                #expect(end.contains("event: problem") && end.contains("\"cause\":\"notFound\""), "\(end)")
            }
            #expect(!world.log.all.contains { $0.contains(scene.key.text) })
        }
    }

    @Test("a client that does not know of audiences keeps that of the trip, and its new trips are public")
    func earlierClients() async throws {
        for level in Audience.Level.allCases {
            try await withWorld { world in
                let scene = try await Scene(world, level)
                var content = scene.trip.content
                content.title = try Title("Other title")
                content.audience = .everyone
                let edited = try scene.trip.with(content)
                for version in [1, 1] {
                    let reply = try await world.ask(
                        "PUT", "/v1/trips/\(scene.trip.id)", token: scene.mina.access,
                        headers: ["Content-Type: application/json", "If-Match: \"\(version)\""],
                        body: try body(edited))
                    #expect(reply.status == 200, "\(reply.text)")
                }
                let stored = try await world.store.trip(scene.trip.id, viewer: scene.mina.user.id)
                #expect(stored.content.audience == scene.trip.content.audience)
                #expect(stored.title.text == "Other title" && stored.version.number == 2)
                let new = try world.trip(2, by: scene.mina.user)
                for status in [201, 200] {
                    let reply = try await world.ask(
                        "PUT", "/v1/trips/\(new.id)", token: scene.mina.access,
                        headers: ["Content-Type: application/json", "If-None-Match: *"], body: try body(new))
                    #expect(reply.status == status)
                }
                #expect(try await world.store.trip(new.id, viewer: nil).content.audience == .everyone)
            }
        }
    }

    @Test(
        "a client that knows of one picture an entry removes or replaces that one only",
        arguments: [nil, "same", "new"])
    func earlierClientsWithPictures(change: String?) async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let images = (0..<4).map { _ in TripImage.ID() }
            for image in images {
                try await world.ask("PUT", "/v1/images/\(image)", token: mina.access, body: RouteRequest.picture)
            }
            let trip = try world.trip(1, by: mina.user, image: images[0])
            let pictures = try images.prefix(3).map { Picture($0, text: try PictureText("Picture")) }
            let several = try trip.saving(try trip.timeline[0].with(pictures: pictures))
            #expect(try await world.put(several, token: mina.access).status == 201)
            let image = change.map { $0 == "same" ? images[0] : images[3] }
            let edited = try trip.saving(try trip.timeline[0].with(pictures: image.map { [Picture($0)] } ?? []))
            let reply = try await world.ask(
                "PUT", "/v1/trips/\(trip.id)", token: mina.access,
                headers: ["Content-Type: application/json", "If-Match: \"1\""], body: try body(edited))
            #expect(reply.status == 200, "\(reply.text)")
            let stored = try await world.store.timeline(of: trip.id, viewer: mina.user.id)[0].pictures
            let first = change.map { $0 == "same" ? [pictures[0]] : [Picture(images[3])] } ?? []
            #expect(stored == first + pictures.dropFirst())
        }
    }

    /// The trip as an earlier client sends it.
    private func body(_ trip: RecordedTrip) throws -> [UInt8] {
        var object = try #require(
            JSONSerialization.jsonObject(with: JSONCoding.data(for: RecordedTripRecord(trip))) as? [String: Any])
        object["audience"] = nil
        object["timeline"] = (object["timeline"] as? [[String: Any]])?.map { entry in
            entry.filter { $0.key != "pictures" }
        }
        return Array(try JSONSerialization.data(withJSONObject: object))
    }

    @Test("the audience in the address is that of the body, because an earlier server refuses it there")
    func audienceInTheAddress() async throws {
        try await withWorld { world in
            let mina = try await world.signUp("Mina")
            let trip = try world.trip(1, by: mina.user).with(Audience.onlyMe)
            for (query, status) in [("audience=everyone", 400), ("audience=", 400), ("audience=me", 201)] {
                let reply = try await world.ask(
                    "PUT", "/v1/trips/\(trip.id)?\(query)", token: mina.access,
                    headers: ["Content-Type: application/json", "If-None-Match: *"],
                    body: Array(try JSONCoding.data(for: RecordedTripRecord(trip))))
                #expect(reply.status == status, "\(query): \(reply.text)")
            }
        }
    }
}
#endif
