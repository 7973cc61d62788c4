#if Server
import Foundation
import TestConcurrency
import Testing
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Compressed answers", .limitedConcurrency)
struct CompressionTests {
    @Test(
        "are for clients that accept gzip, and do not prefer the bytes as they are",
        arguments: [
            ("gzip", true), ("GZip", true), ("x-gzip", true), ("deflate, gzip;q=0.1, br", true), ("*", true),
            ("gzip ; q=1.0", true), ("identity;q=0.5, gzip;q=0.5", true), ("*;q=0.5, identity;q=0.1", true),
            ("", false), ("identity", false), ("br, deflate", false), ("gzip;q=0", false), ("gzip;q=0.000", false),
            ("*;q=0", false), ("gzip;q=0, *", false), ("identity, gzip;q=0.5", false), ("gzip;q=none", false),
            ("gzipped", false), (";q=1", false), (",,", false), ("gzip;q=2", false), ("gzip;q=nan, *;q=0", false),
            ("gzip;q=none, *", true), ("identity;q=1e0, gzip;q=0.5", true), ("identity;q=-1, gzip;q=0.33333", true),
        ])
    func accepted(header: String, isCompressed: Bool) {
        var headers = HTTPHeaders()
        headers.add("Accept-Encoding", header)
        #expect((ContentCoding(acceptedBy: headers) == .gzip) == isCompressed)
    }

    private static let gzip = "Accept-Encoding: gzip"

    /// A trip whose timeline is long enough, and a picture in it.
    private static func world(
        _ body: (ServerWorld, ServerWorld.Account, RecordedTrip, _ image: TripImage.ID) async throws -> Void
    ) async throws {
        try await withWorld(pages: LongPages()) { world in
            let author = try await world.signUp("Mina")
            let image = TripImage.ID()
            let picture = RouteRequest.picture + [UInt8](repeating: 0, count: 4_096)
            let kept = try await world.ask("PUT", "/v1/images/\(image)", token: author.access, body: picture)
            #expect(kept.status == 204)
            let short = try world.trip(1, by: author.user, image: image)
            let entries = try (1...20).map { number in
                try TimelineEntry(
                    day: 1, time: TimeOfDay("09:30"), title: Title("Harbour \(number)"), text: EntryText("비가 왔다 <&>"))
            }
            let trip = try short.with(timeline: entries)
            let stored = try await world.put(trip, token: author.access)
            #expect(stored.status == 201)
            // Only reads are compressed; answers with tokens are none.
            #expect(stored.body.count > HTTPResponse.shortestCompressed)
            let again = try await world.ask(
                "PUT", "/v1/trips/\(trip.id)", token: author.access,
                headers: ["Content-Type: application/json", "If-None-Match: *", gzip],
                body: Array(try JSONCoding.data(for: RecordedTripRecord(trip))))
            #expect(again.status == 200 && again.headers["content-encoding"] == nil)
            try await body(world, author, trip, image)
        }
    }

    @Test("are the bytes of the others when they are decoded by another program")
    func decoded() async throws {
        try await Self.world { world, author, trip, _ in
            for target in ["/v1/trips/\(trip.id)", "/v1/trips/\(trip.id)/timeline", "/", "/trips/\(trip.id)"] {
                let plain = try await world.ask("GET", target)
                let compressed = try await world.ask("GET", target, headers: [Self.gzip])
                #expect(plain.headers["content-encoding"] == nil)
                #expect(compressed.headers["content-encoding"] == "gzip")
                #expect(compressed.headers["content-length"] == "\(compressed.body.count)")
                #expect(compressed.body.count < plain.body.count / 2)
                #expect(await gunzip(compressed.body) == plain.body)
                for reply in [plain, compressed] {
                    #expect(reply.headers["vary"]?.hasSuffix("Accept-Encoding") == true, "\(target)")
                }
                let head = try await world.ask("HEAD", target, headers: [Self.gzip])
                #expect(head.headers["content-length"] == compressed.headers["content-length"])
                #expect(head.headers["etag"] == compressed.headers["etag"])
                #expect(head.headers["content-encoding"] == "gzip")
            }
        }
    }

    @Test("are decoded by a URLSession")
    func client() async throws {
        try await Self.world { world, _, trip, _ in
            let target = "/v1/trips/\(trip.id)"
            let plain = try await world.ask("GET", target)
            let url = try #require(URL(string: "http://127.0.0.1:\(world.port)\(target)"))
            let (data, response) = try await URLSession.shared.data(from: url)
            #expect(Array(data) == plain.body)
            #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "ETag")?.hasSuffix("-gzip\"") == true)
        }
    }

    @Test("have a tag of their own, which is valid for the trip in either form")
    func tags() async throws {
        try await Self.world { world, author, trip, _ in
            let target = "/v1/trips/\(trip.id)"
            let plain = try #require(await world.ask("GET", target).headers["etag"])
            let compressed = try #require(await world.ask("GET", target, headers: [Self.gzip]).headers["etag"])
            #expect(plain != compressed)
            func read(_ tags: String, _ headers: String...) async throws -> Reply {
                try await world.ask("GET", target, headers: ["If-None-Match: \(tags)"] + headers)
            }
            for (tags, known) in [(plain, plain), (compressed, compressed), ("\"x\", W/\(compressed)", compressed)] {
                let reply = try await read(tags, Self.gzip)
                #expect(reply.status == 304 && reply.body.isEmpty)
                #expect(reply.headers["etag"] == known)
                #expect(reply.headers["vary"]?.hasSuffix("Accept-Encoding") == true)
                #expect(reply.headers["content-encoding"] == nil)
            }
            #expect(try await read(plain).status == 304)
            // A client that does not accept gzip cannot use the form that it names.
            #expect(try await read(compressed).status == 200)
            let outdated = compressed.replacingOccurrences(of: "\"1-", with: "\"2-")
            #expect(try await read(outdated, Self.gzip).headers["content-encoding"] == "gzip")

            func remove(_ target: String, _ tag: String) async throws -> Int {
                try await world.ask("DELETE", target, token: author.access, headers: ["If-Match: \(tag)"]).status
            }
            #expect(try await remove(target, outdated) == 412)
            #expect(try await remove(target, compressed) == 204)
            let other = try world.trip(2, by: author.user)
            #expect(try await world.put(other, token: author.access).status == 201)
            let tag = try #require(await world.ask("GET", "/v1/trips/\(other.id)").headers["etag"])
            #expect(try await remove("/v1/trips/\(other.id)", tag) == 204)
        }
    }

    @Test("are no pictures, no parts of them, no streams, and no short texts")
    func others() async throws {
        try await Self.world { world, author, trip, image in
            for (target, headers, status) in [
                ("/v1/images/\(image)", [], 200), ("/v1/images/\(image)", ["Range: bytes=0-2047"], 206),
                ("/images/\(image)", [], 200), ("/style.css", [], 200), ("/v1/me", [], 200), ("/healthz", [], 200),
                ("/v1/trips/\(TripImage.ID())", [], 404),
            ] {
                let reply = try await world.ask(
                    "GET", target, token: author.access, headers: headers + [Self.gzip])
                #expect(reply.status == status, "\(target)")
                #expect(reply.headers["content-encoding"] == nil, "\(target)")
            }
            let observer = try RawClient(port: world.port)
            await observer.send(
                "GET /v1/trips/\(trip.id) HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n\(Self.gzip)\r\n\r\n")
            let events = await observer.receive(until: "event: value")
            #expect(events.contains("event: value"))
            #expect(!events.lowercased().contains("content-encoding"))
        }
    }

    /// Pages that are worth compressing.
    private struct LongPages: TripPages {
        private let plain = PlainPages()
        private let rest = String(repeating: "<p>and so on</p>", count: 200)

        var languages: [String] { plain.languages }
        var contentSecurityPolicy: String { plain.contentSecurityPolicy }
        var style: Data? { Data(rest.utf8) }

        func search(_ query: String) -> (criteria: TripCriteria, cursor: TripCursor?)? { plain.search(query) }
        func list(_ page: TripPage, query: String, language: String) -> Data {
            plain.list(page, query: query, language: language) + Data(rest.utf8)
        }
        func trip(_ details: TripDetails, language: String) -> Data {
            plain.trip(details, language: language) + Data(rest.utf8)
        }
        func notFound(language: String) -> Data { plain.notFound(language: language) }
        func picture(_ image: TripImage) -> (mediaType: String, bytes: Data)? { plain.picture(image) }
    }
}

/// The bytes that the system's `gzip` decodes; `nil` when it fails.
private func gunzip(_ bytes: [UInt8]) async -> [UInt8]? {
    await elsewhere {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc"]
        process.standardInput = input
        process.standardOutput = output
        do {
            // Less than what a pipe holds, and before the program runs: to write when it has failed would end this process.
            try input.fileHandleForWriting.write(contentsOf: Data(bytes))
            try input.fileHandleForWriting.close()
            try process.run()
        } catch {
            return nil
        }
        let decoded = Array(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return process.terminationStatus == 0 ? decoded : nil
    }
}
#endif
