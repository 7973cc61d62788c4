import Dispatch
import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataRemote
import TravelDomainTesting
import TravelJSON

@testable import TravelDataRemote

@Suite("Writes to a server", .limitedConcurrency)
struct StoreTests {
    private static let trip = Trip.ID(seed: 1)
    private static let me = RemoteWorld.me

    /// A trip by the user of seed 1 that shows an image, and the image.
    private func tripWithImage() throws -> (RecordedTrip, TripImage) {
        let image = try TripImage(seed: 7, size: 100_000)
        let trip = try TripBuilder(seed: 1).with {
            $0.timeline = [try TimelineEntry(seed: 1, title: "바다", text: "파도", image: image.id)]
        }.build()
        return (trip, image)
    }

    @Test("a trip is added after the images that it shows, with the token")
    func add() async throws {
        let world = try RemoteWorld { request, connection in connection.answer(request.number == 0 ? 204 : 201) }
        defer { world.server.stop() }
        let (trip, image) = try tripWithImage()
        try await world.trips.add([trip], images: [image, TripImage(seed: 8)])
        let requests = world.server.requests
        try #require(requests.count == 2)
        #expect((requests[0].method, requests[0].target) == ("PUT", "/v1/images/\(image.id)"))
        #expect(requests[0].body == image.bytes)
        #expect(requests[0].header("Content-Type") == "image/png")
        #expect((requests[1].method, requests[1].target) == ("PUT", "/v1/trips/\(trip.id)"))
        #expect(requests[1].header("If-None-Match") == "*")
        #expect(requests[1].header("Authorization") == "Bearer \(try SignedIn.sample().access.text)")
        #expect(try JSONCoding.value(RecordedTripRecord.self, in: requests[1].body).trip == trip)
    }

    @Test("a request has a second more for each 16 KiB of its body")
    func longBody() async throws {
        let clock = GatedClock()
        let answers = DispatchSemaphore(value: 0)
        let world = try RemoteWorld(timeout: 600, timeoutClock: clock) { _, connection in
            answers.wait()
            connection.answer(403)
        }
        defer { world.server.stop() }
        let (trip, image) = try tripWithImage()
        let adding = Task { try await world.trips.add([trip], images: [image]) }
        await clock.asleep.wait()
        answers.signal()
        await #expect(throws: TravelError.self) { try await adding.value }
        #expect(world.server.requests.map(\.body.count) == [100_000])
        let seconds: Double = 600 + 100_000 / 16_384
        #expect(clock.sleeps == [.seconds(seconds)])
    }

    @Test("a trip that exists is a conflict, but not when it is the repeat of a request without an answer")
    func addTwice() async throws {
        let trip = try TripBuilder(seed: 1).build()
        let world = try RemoteWorld { request, connection in
            if request.number == 1 { connection.close() } else { connection.answer(200) }
        }
        defer { world.server.stop() }
        await #expect(throws: TravelError.conflict(.trip(Self.trip))) {
            try await world.trips.add([trip], images: [])
        }
        try await world.trips.add([trip], images: [])
        #expect(world.server.requests.count == 3)
    }

    @Test("an edit replaces the version that it has read")
    func update() async throws {
        let stored = Mutex(try TripBuilder(seed: 1).build())
        let world = try RemoteWorld { request, connection in
            do {
                if request.method == "GET" {
                    connection.answer(
                        200, json: DetailsRecord(TripDetails(trip: try viewedTrip(), timeline: [], track: nil)))
                } else {
                    let new = try JSONCoding.value(RecordedTripRecord.self, in: request.body).trip
                    let revision = try stored.withLock { stored in
                        stored = try new.revision(of: stored)
                        return stored
                    }
                    connection.answer(200, json: RecordedTripRecord(revision))
                }
            } catch { connection.close() }
        }
        defer { world.server.stop() }
        let changed = try await world.trips.update(Self.trip, by: Self.me) { trip throws(TravelError) in
            var content = trip.content
            content.title = try Title("제주")
            return try trip.with(content)
        }
        #expect(changed?.content.title.text == "제주")
        #expect(changed?.version.number == 2)
        #expect(world.server.requests.last?.header("If-Match") == "\"1\"")
    }

    /// A server whose trip someone else changes between each read and the first replacement.
    private func raced() throws -> RemoteWorld {
        try RemoteWorld { request, connection in
            do {
                let now = try TripBuilder(seed: 1).with { $0.version = try #require(TripVersion(number: 5)) }
                    .build()
                switch (request.method, request.header("If-Match")) {
                case ("GET", _):
                    connection.answer(
                        200, json: DetailsRecord(TripDetails(trip: try viewedTrip(), timeline: [], track: nil)))
                case (_, "\"5\""): connection.answer(200, json: RecordedTripRecord(now))
                default: connection.answer(.outdated(now))
                }
            } catch { connection.close() }
        }
    }

    @Test("an edit of any version begins again with the trip that someone else has changed")
    func race() async throws {
        let world = try raced()
        defer { world.server.stop() }
        let versions = Mutex<[Int]>([])
        try await world.trips.update(Self.trip, by: Self.me) { trip in
            versions.withLock { $0.append(trip.version.number) }
            return trip
        }
        #expect(versions.withLock(\.self) == [1, 5])
    }

    @Test("an edit of one version throws the trip that someone else has changed")
    func outdated() async throws {
        let world = try raced()
        defer { world.server.stop() }
        let error = await #expect(throws: TravelError.self) {
            try await world.trips.update(Self.trip, expecting: .first, by: Self.me, adding: []) { $0 }
        }
        guard case .outdated(let trip) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(trip.version.number == 5)
    }

    @Test("pictures that a server has lost before their trip arrived are sent again, once")
    func lostPictures() async throws {
        for isLostForever in [false, true] {
            let image = try TripImage(seed: 1)
            let world = try RemoteWorld { request, connection in
                if request.target.hasPrefix("/v1/images/") { return connection.answer(204) }
                if request.number < 2 || isLostForever { return connection.answer(.notFound(.image(image.id))) }
                do {
                    let trip = try TripBuilder(seed: 1).with { $0.thumbnail = image.id }.build()
                    connection.answer(201, json: RecordedTripRecord(trip))
                } catch { connection.close() }
            }
            defer { world.server.stop() }
            let trip = try TripBuilder(seed: 1).with { $0.thumbnail = image.id }.build()
            if isLostForever {
                await #expect(throws: TravelError.notFound(.image(image.id))) {
                    try await world.trips.add([trip], images: [image])
                }
            } else {
                try await world.trips.add([trip], images: [image])
            }
            let (picture, whole) = ("/v1/images/\(image.id)", "/v1/trips/\(trip.id)")
            #expect(world.server.requests.map(\.target) == [picture, whole, picture, whole])
        }
    }

    @Test("the removal of a trip succeeds when only its answer was lost")
    func removal() async throws {
        let world = try RemoteWorld { request, connection in
            do {
                switch (request.method, request.number) {
                case ("GET", 0):
                    connection.answer(
                        200, json: DetailsRecord(TripDetails(trip: try viewedTrip(), timeline: [], track: nil)))
                case ("DELETE", 1): connection.close()
                default: connection.answer(.notFound(.trip(Self.trip)))
                }
            } catch { connection.close() }
        }
        defer { world.server.stop() }
        #expect(try await world.trips.update(Self.trip, by: Self.me) { _ in nil } == nil)
        await #expect(throws: TravelError.notFound(.trip(Self.trip))) {
            try await world.trips.update(Self.trip, by: Self.me) { _ in nil }
        }
    }

    @Test("a report and a block say whether they are new")
    func news() async throws {
        let world = try RemoteWorld { request, connection in connection.answer(request.number % 2 == 0 ? 201 : 200) }
        defer { world.server.stop() }
        #expect(try await world.trips.report(Self.trip, by: Self.me))
        #expect(try await !world.trips.report(Self.trip, by: Self.me))
        #expect(try await world.trips.block(.init(seed: 2), by: Self.me))
        #expect(try await !world.trips.block(.init(seed: 2), by: Self.me))
    }

    @Test("a call for someone else is forbidden, and one for a user while nobody is signed in is signed out")
    func otherUsers() async throws {
        let other = User.ID(seed: 2)
        let world = try RemoteWorld { _, connection in connection.close() }
        defer { world.server.stop() }
        await #expect(throws: TravelError.forbidden(.user(other))) {
            try await world.trips.setLiked(true, trip: Self.trip, by: other)
        }
        await #expect(throws: TravelError.forbidden(.user(other))) {
            try await world.trips.trip(Self.trip, viewer: other)
        }
        let trip = try TripBuilder(seed: 2).build()
        for trips in [[trip], [try TripBuilder(seed: 1).build(), trip]] {
            await #expect(throws: TravelError.forbidden(.user(trip.author.id))) {
                try await world.trips.add(trips, images: [])
            }
        }
        let nobody = try RemoteWorld(isSignedIn: false) { _, connection in connection.close() }
        defer { nobody.server.stop() }
        await #expect(throws: TravelError.signedOut) {
            try await nobody.trips.setLiked(true, trip: Self.trip, by: Self.me)
        }
        #expect(world.server.requests.isEmpty && nobody.server.requests.isEmpty)
    }

    @Test("titles are asked for with the text as it was typed")
    func titles() async throws {
        let world = try RemoteWorld { _, connection in connection.answer(200, json: ["부산 100% & 바다"]) }
        defer { world.server.stop() }
        let text = try #require(Keyword("100% & 바다?=+"))
        #expect(try await world.trips.titles(containing: text, viewer: nil, limit: 3).map(\.text) == ["부산 100% & 바다"])
        let target = try #require(world.server.requests.first?.target)
        let items = URLComponents(string: target)?.queryItems
        #expect(items?.first { $0.name == "text" }?.value == text.text)
        #expect(items?.first { $0.name == "limit" }?.value == "3")
    }

    @Test("any nickname can be asked for", arguments: ["Mina", "a/b c?#", "..", "%2F%2e", "민지 +&"])
    func nicknames(text: String) async throws {
        let world = try RemoteWorld { _, connection in connection.answer(200, json: TakenRecord(true)) }
        defer { world.server.stop() }
        let nickname = try Nickname(text)
        #expect(try await world.trips.isTaken(nickname, exceptBy: nil))
        let parts = try #require(world.server.requests.first).target.split(separator: "/")
        #expect(parts.prefix(2) == ["v1", "nicknames"] && parts.count == 3)
        let asked = try Nickname(#require(parts.last?.removingPercentEncoding))
        #expect(asked.folded == nickname.folded)
    }

    @Test("an edit that repeats an entry is a conflict, and is not sent")
    func repeatedEntry() async throws {
        let (trip, _) = try tripWithImage()
        let world = try RemoteWorld { _, connection in
            do {
                connection.answer(
                    200, json: DetailsRecord(TripDetails(trip: try viewedTrip(), timeline: [], track: nil)))
            } catch { connection.close() }
        }
        defer { world.server.stop() }
        let entry = trip.timeline[0]
        await #expect(throws: TravelError.conflict(.entry(entry.id))) {
            try await world.trips.update(Self.trip, by: Self.me) { trip throws(TravelError) in
                try RecordedTrip(
                    id: trip.id, author: trip.author, createdAt: trip.createdAt, content: trip.content,
                    timeline: [entry, entry])
            }
        }
        #expect(world.server.requests.map(\.method) == ["GET"])
    }
}
