#if Server
import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting

@testable import TravelServer

@Suite("Pictures as others see them over HTTP", .limitedConcurrency)
struct ShownPictureTests {
    /// Pages that strip pictures by putting a word before them, and make smaller ones of a word.
    private final class Pages: TripPages {
        private let plain = PlainPages()
        /// The conversions so far, by what they made.
        let made = Mutex<[String]>([])
        /// Called by each conversion; whether it succeeds.
        let conversion: @Sendable () async -> Bool
        private let canShare: Bool

        init(canShare: Bool = true, conversion: @escaping @Sendable () async -> Bool = { true }) {
            self.canShare = canShare
            self.conversion = conversion
        }

        var languages: [String] { plain.languages }
        var contentSecurityPolicy: String { plain.contentSecurityPolicy }
        var style: Data? { nil }
        func search(_ query: String) -> (criteria: TripCriteria, cursor: TripCursor?)? { plain.search(query) }
        func list(_ page: TripPage, query: String, language: String) -> Data {
            plain.list(page, query: query, language: language)
        }
        func trip(_ details: TripDetails, language: String) -> Data { plain.trip(details, language: language) }
        func notFound(language: String) -> Data { plain.notFound(language: language) }

        func picture(_ image: TripImage) -> (mediaType: String, bytes: Data)? {
            canShare ? ("image/png", Data("stripped".utf8)) : nil
        }

        func conversion(of image: TripImage, to size: PictureSize?) -> (@Sendable () async -> Data?)? {
            // A picture of a certain size stands for one that is small enough.
            guard image.bytes.count != Self.small.count, size != nil || !canShare else { return nil }
            let name = size?.rawValue ?? "converted"
            return { [self] in
                made.withLock { $0.append(name) }
                return await conversion() ? Data(name.utf8) : nil
            }
        }

        static let small = RouteRequest.picture + [1]
        var count: Int { made.withLock { $0.count } }
    }

    /// A public trip with a picture.
    private struct Scene {
        let mina: ServerWorld.Account
        let trip: RecordedTrip
        let image: TripImage.ID
        let key = LinkKey()
        var page: String { "/images/\(image)" }

        init(_ world: ServerWorld, bytes: [UInt8] = RouteRequest.picture, _ level: Audience.Level = .everyone)
            async throws
        {
            mina = try await world.signUp("Mina")
            image = TripImage.ID()
            try await world.ask("PUT", "/v1/images/\(image)", token: mina.access, body: bytes)
            trip = try world.trip(1, by: mina.user, image: image)
                .with(Audience.onlyMe.changed(to: level, newKey: key))
            #expect(try await world.put(trip, token: mina.access).status == 201)
        }
    }

    @Test("a page's picture is made once in each size, kept in the store, and the original stays")
    func sizes() async throws {
        let pages = Pages()
        try await withWorld(pages: pages) { world in
            let scene = try await Scene(world)
            for _ in 1...2 {
                for name in ["small", "middle"] {
                    let reply = try await world.ask("GET", scene.page + "?size=\(name)")
                    #expect(reply.status == 200 && reply.text == name)
                    #expect(reply.headers["content-type"] == "image/jpeg")
                    #expect(reply.headers["cache-control"] == "public, max-age=3600")
                    let tag = try #require(reply.headers["etag"])
                    let known = try await world.ask(
                        "GET", scene.page + "?size=\(name)", headers: ["If-None-Match: \(tag)"])
                    #expect(known.status == 304)
                    let part = try await world.ask("GET", scene.page + "?size=\(name)", headers: ["Range: bytes=1-2"])
                    #expect(part.status == 206 && part.text == String(name.dropFirst().prefix(2)))
                }
            }
            #expect(pages.made.withLock { $0 } == ["small", "middle"])
            let kept = try await world.store.picture(scene.image, in: .small, viewer: nil)
            #expect(kept == .kept(Data("small".utf8)))
            let whole = try await world.ask("GET", scene.page)
            #expect(whole.text == "stripped" && whole.headers["content-type"] == "image/png")
            let original = try await world.ask("GET", "/v1/images/\(scene.image)", token: scene.mina.access)
            #expect(original.body == RouteRequest.picture)
            for name in ["original", "large", "", "SMALL"] {
                #expect(try await world.ask("GET", scene.page + "?size=\(name)").status == 400)
            }
        }
    }

    @Test("without a converter, for a small picture and for one that cannot be decoded, each size is the whole picture")
    func wholePictures() async throws {
        let cases: [(pages: any TripPages, bytes: [UInt8])] = [
            (PlainPages(), RouteRequest.picture), (Pages(), Pages.small),
            (Pages(conversion: { false }), RouteRequest.picture),
        ]
        for (pages, bytes) in cases {
            try await withWorld(pages: pages) { world in
                let scene = try await Scene(world, bytes: bytes)
                let whole = try await world.ask("GET", scene.page)
                for size in PictureSize.allCases {
                    let reply = try await world.ask("GET", scene.page + "?size=\(size)")
                    #expect(reply.status == 200 && reply.body == whole.body)
                    let stored = try await world.store.picture(scene.image, in: size, viewer: nil)
                    #expect(stored == .original(try TripImage(id: scene.image, bytes: Data(bytes)), isMine: false))
                }
            }
        }
    }

    @Test("a picture of a trip that one may not see is not found in any size, also when it is kept")
    func audience() async throws {
        try await withWorld(pages: Pages()) { world in
            let scene = try await Scene(world)
            let sizes = PictureSize.allCases.map { "size=\($0)" } + [""]
            for size in sizes { #expect(try await world.ask("GET", scene.page + "?\(size)").status == 200) }
            for audience in [Audience.byLink(scene.key), .onlyMe] {
                try await world.store.update(scene.trip.id, by: scene.mina.user.id) { trip throws(TravelError) in
                    try trip.with(audience)
                }
                for size in sizes {
                    for query in ["", "&key=\(LinkKey().text)", "&key=\(scene.key.text)"] {
                        let reply = try await world.ask("GET", scene.page + "?\(size)\(query)")
                        let isSeen = audience != .onlyMe && query.hasSuffix(scene.key.text)
                        #expect(reply.status == (isSeen ? 200 : 404), "\(audience) \(size) \(query)")
                        if isSeen { #expect(reply.headers["cache-control"] == "private, no-cache") }
                        // A page does not know who asks.
                        let own = try await world.ask("GET", scene.page + "?\(size)", token: scene.mina.access)
                        #expect(own.status == 404)
                    }
                }
            }
        }
    }

    @Test("many requests at once make a picture once")
    func atOnce() async throws {
        let pages = Pages()
        try await withWorld(pages: pages) {
            $0.conversionsAtOnce = 1
        } _: { world in
            let scene = try await Scene(world)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<12 { group.addTask { try await world.ask("GET", scene.page + "?size=small").text } }
                for try await text in group { #expect(text == "small") }
            }
            #expect(pages.count == 1)
        }
    }

    @Test("conversions wait for each other, while pages and whole pictures are answered")
    func turns() async throws {
        let isOpen = Atomic(false)
        let pages = Pages(conversion: {
            while !isOpen.load(ordering: .sequentiallyConsistent) { try? await Task.sleep(for: .milliseconds(5)) }
            return true
        })
        try await withWorld(pages: pages) {
            $0.conversionsAtOnce = 2
        } _: { world in
            let scene = try await Scene(world)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await world.ask("GET", scene.page + "?size=small").status } }
                #expect(try await eventually { world.server.application.conversions.waitingCount == 18 })
                #expect(pages.count == 2)
                #expect(try await world.ask("GET", "/trips/\(scene.trip.id)").status == 200)
                #expect(try await world.ask("GET", scene.page).text == "stripped")
                isOpen.store(true, ordering: .sequentiallyConsistent)
                for try await status in group { #expect(status == 200) }
            }
            #expect(pages.count == 2)
        }
    }

    @Test("a picture that is removed while it is made smaller leaves nothing behind")
    func removedMeanwhile() async throws {
        let begun = Atomic(false)
        let isOpen = Atomic(false)
        let pages = Pages(conversion: {
            begun.store(true, ordering: .sequentiallyConsistent)
            while !isOpen.load(ordering: .sequentiallyConsistent) { try? await Task.sleep(for: .milliseconds(5)) }
            return true
        })
        try await withWorld(pages: pages) { world in
            let scene = try await Scene(world)
            async let reply = world.ask("GET", scene.page + "?size=small")
            #expect(try await eventually { begun.load(ordering: .sequentiallyConsistent) })
            try await world.store.update(scene.trip.id, by: scene.mina.user.id) { _ in nil }
            isOpen.store(true, ordering: .sequentiallyConsistent)
            // It was there when it was asked for.
            #expect(try await reply.status == 200)
            #expect(try await world.ask("GET", scene.page + "?size=small").status == 404)
            // Another picture with its ID has no part of it.
            let again = try TripImage(id: scene.image, bytes: Data(RouteRequest.picture))
            try await world.store.add([scene.trip], images: [again])
            let stored = try await world.store.picture(scene.image, in: .small, viewer: nil)
            #expect(stored == .original(again, isMine: false))
        }
    }

    @Test("a picture that the store has no room for is shown all the same")
    func noRoom() async throws {
        let pages = Pages()
        try await withWorld(pages: pages) { world in
            let scene = try await Scene(world)
            let full = TravelError.unavailable(.init("The disk is full.", cause: .diskFull, canRetry: true))
            try await world.failing(.keepPicture, with: full) {
                for _ in 1...2 {
                    let reply = try await world.ask("GET", scene.page + "?size=small")
                    #expect(reply.text == "small")
                }
            }
            #expect(pages.count == 2)
            _ = try await world.ask("GET", scene.page + "?size=small")
            #expect(try await world.ask("GET", scene.page + "?size=small").text == "small" && pages.count == 3)
        }
    }

    @Test("the interface gives the bytes that were sent to their author only, also of a picture of a person")
    func metadata() async throws {
        try await withWorld(pages: Pages()) { world in
            let scene = try await Scene(world, .byLink)
            let jun = try await world.signUp("Jun")
            let avatar = TripImage.ID()
            try await world.ask(
                "PUT", "/v1/me/avatar", token: scene.mina.access, headers: ["Image-ID: \(avatar)"],
                body: RouteRequest.picture)
            for (target, query) in [
                ("/v1/images/\(scene.image)", "?key=\(scene.key.text)"), ("/v1/images/\(avatar)", ""),
            ] {
                let own = try await world.ask("GET", target, token: scene.mina.access)
                #expect(own.status == 200 && own.body == RouteRequest.picture)
                for token in [nil, jun.access] {
                    for method in ["GET", "HEAD"] {
                        let reply = try await world.ask(method, target + query, token: token)
                        #expect(reply.status == 200 && reply.headers["content-type"] == "image/png")
                        #expect(method == "HEAD" || reply.text == "stripped")
                        #expect(reply.headers["etag"] != own.headers["etag"])
                    }
                    // The tag of the author's bytes, and a range of them, are those of others' answer.
                    let tag = try #require(own.headers["etag"])
                    let part = try await world.ask(
                        "GET", target + query, token: token, headers: ["Range: bytes=0-3", "If-Range: \(tag)"])
                    #expect(part.status == 200 && part.text == "stripped")
                }
            }
        }
    }

    @Test("a picture from which nothing can remove its metadata is for its author only; one that must be converted is")
    func unshareable() async throws {
        for (succeeds, status) in [(true, 200), (false, 404)] {
            let pages = Pages(canShare: false, conversion: { succeeds })
            try await withWorld(pages: pages) { world in
                let scene = try await Scene(world)
                for target in ["/v1/images/\(scene.image)", scene.page] {
                    let reply = try await world.ask("GET", target)
                    #expect(reply.status == status, "\(target)")
                    if succeeds { #expect(reply.text == "converted") }
                }
                let own = try await world.ask("GET", "/v1/images/\(scene.image)", token: scene.mina.access)
                #expect(own.body == RouteRequest.picture)
            }
        }
    }
}
#endif
