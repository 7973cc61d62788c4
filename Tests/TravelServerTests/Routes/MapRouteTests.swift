#if Server
import CZlib
import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

@Suite("The map of a trip over HTTP", .limitedConcurrency)
struct MapRouteTests {
    private static let pages = WebPages(picture: { ($0.format.mediaType, $0.bytes) })

    /// A trip with places, and its author.
    private struct Scene {
        let mina: ServerWorld.Account
        let trip: RecordedTrip
        let key = LinkKey()
        var path: String { "/trips/\(trip.id)/map.png" }

        init(_ world: ServerWorld, _ entries: [TimelineEntry], _ level: Audience.Level = .everyone) async throws {
            mina = try await world.signUp("Mina")
            trip = try world.trip(1, by: mina.user).with(timeline: entries)
                .with(Audience.onlyMe.changed(to: level, newKey: key))
            let stored = try await world.put(trip, token: mina.access)
            #expect(stored.status == 201, "\(stored.text)")
        }
    }

    private static func entry(_ latitude: Double, _ longitude: Double, minute: Int = 0) throws -> TimelineEntry {
        try TimelineEntry(
            day: 1, time: TimeOfDay(minutesSinceMidnight: minute), title: Title("Harbour"), text: EntryText("x"),
            place: Place(name: "x", coordinate: Coordinate(latitude: latitude, longitude: longitude)))
    }

    private static func entries() throws -> [TimelineEntry] {
        [try entry(35.18, 129.08), try entry(33.59, 130.4, minute: 1)]
    }

    /// The pixels of a file, decoded by the library.
    private static func decoded(_ file: [UInt8]) throws -> (width: Int, height: Int, pixels: [UInt8]) {
        #expect(Array(file.prefix(8)) == RouteRequest.picture)
        func number(_ bytes: some Collection<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        var chunks: [String: [UInt8]] = [:]
        var rest = file.dropFirst(8)
        while !rest.isEmpty {
            let count = number(rest.prefix(4))
            let content = Array(rest.dropFirst(4).prefix(count + 4))
            #expect(number(rest.dropFirst(count + 8).prefix(4)) == Int(crc32(0, content, UInt32(content.count))))
            chunks[String(decoding: content.prefix(4), as: UTF8.self)] = Array(content.dropFirst(4))
            rest = rest.dropFirst(count + 12)
        }
        let (head, data) = (try #require(chunks["IHDR"]), try #require(chunks["IDAT"]))
        #expect(chunks["IEND"] == [] && head.suffix(5) == [8, 2, 0, 0, 0])
        let (width, height) = (number(head.prefix(4)), number(head.dropFirst(4).prefix(4)))
        var size = UInt((width * 3 + 1) * height)
        var rows = [UInt8](repeating: 0, count: Int(size))
        #expect(uncompress(&rows, &size, data, UInt(data.count)) == Z_OK && Int(size) == rows.count)
        var pixels: [UInt8] = []
        var before = [UInt8](repeating: 0, count: width * 3)
        for y in 0..<height {
            let row = rows[y * (width * 3 + 1)..<(y + 1) * (width * 3 + 1)]
            #expect(row.first == 0 || row.first == 2)
            if row.first == 0 { before = Array(row.dropFirst()) } else { before = zip(row.dropFirst(), before).map(&+) }
            pixels += before
        }
        return (width, height, pixels)
    }

    @Test("is a picture of the land, the sea and the places, which a browser asks for again only when it has changed")
    func picture() async throws {
        try await withWorld(pages: Self.pages) { world in
            let scene = try await Scene(world, Self.entries())
            let reply = try await world.ask("GET", scene.path, headers: ["Accept-Encoding: gzip"])
            #expect(reply.status == 200 && reply.headers["content-type"] == "image/png")
            #expect(
                reply.headers["cache-control"] == "public, max-age=3600" && reply.headers["content-encoding"] == nil)
            #expect(reply.headers["x-robots-tag"] == nil)
            let (width, height, pixels) = try Self.decoded(reply.body)
            #expect(width == 1_200 && height == 630)
            let colors = Set(stride(from: 0, to: pixels.count, by: 3).map { pixels[$0..<$0 + 3].map(\.self) })
            // Sea, land, and the first day.
            for color: [UInt8] in [[0xCF, 0xE2, 0xEF], [0xF4, 0xF1, 0xE8], [0x0B, 0x62, 0xB8]] {
                #expect(colors.contains(color), "\(color)")
            }
            let tag = try #require(reply.headers["etag"])
            let known = try await world.ask("GET", scene.path, headers: ["If-None-Match: \(tag)"])
            #expect(known.status == 304 && known.body.isEmpty && known.headers["etag"] == tag)
            let head = try await world.ask("HEAD", scene.path)
            #expect(head.headers["content-length"] == "\(reply.body.count)")
            let changed = try scene.trip.with(timeline: [Self.entry(33.4, 126.5)])
            #expect(try await world.put(changed, token: scene.mina.access, header: "If-Match: \"1\"").status == 200)
            let after = try await world.ask("GET", scene.path, headers: ["If-None-Match: \(tag)"])
            #expect(after.status == 200 && after.headers["etag"] != tag)
        }
    }

    @Test("is there for those who see the page of the trip", arguments: Audience.Level.allCases)
    func audience(level: Audience.Level) async throws {
        try await withWorld(pages: Self.pages) { world in
            let scene = try await Scene(world, Self.entries(), level)
            for query in ["", "?key=\(LinkKey().text)", "?key=\(scene.key.text)"] {
                for token in [nil, scene.mina.access] {
                    let page = try await world.ask("GET", "/trips/\(scene.trip.id)\(query)", token: token)
                    let map = try await world.ask("GET", scene.path + query, token: token)
                    let isSeen = level == .everyone || level == .byLink && query.hasSuffix(scene.key.text)
                    #expect(page.status == (isSeen ? 200 : 404) && map.status == page.status, "\(query)")
                    guard isSeen, level == .byLink else { continue }
                    #expect(map.headers["cache-control"] == "private, no-cache")
                    #expect(map.headers["x-robots-tag"] == "noindex")
                }
            }
        }
    }

    @Test("is not found for a trip without positions; a position that is the author's alone is not drawn")
    func positions() async throws {
        try await withWorld(pages: Self.pages) { world in
            let mina = try await world.signUp("Mina")
            let position = try Coordinate(latitude: 35.18, longitude: 129.08)
            for (seed, isShown) in [(UInt64(1), false), (2, true)] {
                let image = TripImage.ID()
                let picture = Picture(image, position: isShown ? .shown(position) : .mineOnly(position))
                let kept = try await world.ask(
                    "PUT", "/v1/images/\(image)", token: mina.access, body: RouteRequest.picture)
                #expect(kept.status == 204)
                let trip = try world.trip(seed, by: mina.user).with(timeline: [
                    TimelineEntry(
                        day: 1, time: TimeOfDay("09:30"), title: Title("Home"), text: EntryText("x"),
                        pictures: [picture])
                ])
                #expect(try await world.put(trip, token: mina.access).status == 201)
                for token in [nil, mina.access] {
                    let map = try await world.ask("GET", "/trips/\(trip.id)/map.png", token: token)
                    #expect(map.status == (isShown ? 200 : 404))
                    let page = try await world.ask("GET", "/trips/\(trip.id)", token: token)
                    #expect(page.status == 200)
                }
            }
        }
    }

    @Test("the pages of a server name it where it is")
    func preview() async throws {
        let pages = WebPages(
            at: SiteOrigin("https://trips.example.org"), picture: { ($0.format.mediaType, $0.bytes) })
        try await withWorld(pages: pages) { world in
            let scene = try await Scene(world, Self.entries(), .byLink)
            let page = try await world.ask("GET", "/trips/\(scene.trip.id)?key=\(scene.key.text)").text
            let address = "/trips/\(scene.trip.id)/map.png?key=\(scene.key.text)"
            #expect(page.contains("<meta property=\"og:image\" content=\"https://trips.example.org\(address)\""))
            #expect(try await world.ask("GET", address).status == 200)
        }
    }

    @Test("is kept in a bounded memory, from which what was not wanted for longest goes first")
    func kept() {
        let maps = KeptMaps(limit: 100)
        var drawn: [Int] = []
        func map(_ appearance: Int, _ size: Int = 40) -> Int? {
            maps.map(KeptMaps.Key(trip: Trip.ID(seed: 1), appearance: appearance)) {
                drawn.append(appearance)
                return size == 0 ? nil : Data(count: size)
            }?.count
        }
        #expect(map(1) == 40 && map(2) == 40 && map(1) == 40)
        #expect(map(3) == 40 && maps.count == 2)
        #expect(map(1) == 40 && drawn == [1, 2, 3])
        #expect(map(2) == 40 && drawn == [1, 2, 3, 2] && maps.count == 2)
        // One that does not fit, and none.
        #expect(map(4, 101) == 101 && map(5, 0) == nil && maps.count == 2)
        #expect(map(1) == 40 && drawn == [1, 2, 3, 2, 4, 5])
    }
}
#endif
