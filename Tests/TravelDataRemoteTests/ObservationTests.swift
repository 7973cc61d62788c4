import Foundation
import Synchronization
import TestConcurrency
import Testing
import TravelDataRemote
import TravelDomainTesting
import TravelJSON

@testable import TravelDataRemote

@Suite("Observation of a server", .limitedConcurrency)
struct ObservationTests {
    private static let trip = Trip.ID(seed: 1)

    private func observe(_ world: RemoteWorld, viewer: User.ID? = nil) -> any AsyncSequence<Trip, any Error>
        & Sendable
    {
        world.trips.observeTrip(Self.trip, viewer: viewer)
    }

    /// Sends a number of likes as one event.
    private static func send(_ likes: Int, _ connection: TestServer.Connection) {
        do { connection.event(id: "\(likes)", ViewedTripRecord(try viewedTrip(likes: likes))) } catch {
            connection.close()
        }
    }

    @Test("the values of the server arrive, and the end of the iteration ends the connection")
    func values() async throws {
        let (next, ended) = (DispatchSemaphore(value: 0), Signal())
        let world = try RemoteWorld { _, connection in
            connection.beginEvents()
            connection.send(": heartbeat\n\n")
            for likes in 0..<3 {
                Self.send(likes, connection)
                next.wait()
            }
            connection.waitForEnd()
            ended.send()
        }
        defer { world.server.stop() }
        var likes: [Int] = []
        for try await trip in observe(world) {
            likes.append(trip.likeCount)
            next.signal()
            if likes.count == 3 { break }
        }
        #expect(likes == [0, 1, 2])
        await ended.wait()
        let request = try #require(world.server.requests.first)
        #expect(request.target == "/v1/trips/\(Self.trip)/summary")
        #expect(request.header("Accept") == "text/event-stream")
        #expect(request.header("Last-Event-ID") == nil)
        #expect(world.server.requests.count == 1)
    }

    @Test("a lost connection is opened again with the last value, and no value is missing or repeated")
    func reconnection() async throws {
        let world = try RemoteWorld { request, connection in
            if request.number == 2 {
                connection.answer(
                    .unavailable(.init("Busy.", cause: .busy, canRetry: true)), headers: ["Connection": "close"])
                return connection.close()
            }
            if request.number == 3 { return connection.close() }
            connection.beginEvents()
            Self.send(request.number, connection)
            // In the middle of another one.
            connection.send("id: x\nevent: value\ndata: {")
            connection.close()
        }
        defer { world.server.stop() }
        var likes: [Int] = []
        for try await trip in observe(world) {
            likes.append(trip.likeCount)
            if likes.count == 4 { break }
        }
        #expect(likes == [0, 1, 4, 5])
        #expect(world.server.requests.prefix(6).map { $0.header("Last-Event-ID") } == [nil, "0", "1", "1", "1", "4"])
        #expect(
            world.clock.sleeps.prefix(4) == [.milliseconds(250), .milliseconds(250), .milliseconds(500), .seconds(1)])
    }

    @Test("events that arrive byte by byte are complete")
    func bytes() async throws {
        let world = try RemoteWorld { _, connection in
            connection.beginEvents()
            do {
                let json = String(
                    decoding: try JSONCoding.data(for: ViewedTripRecord(viewedTrip(likes: 7))), as: UTF8.self)
                for byte in ": hi\r\n\r\nid: 7\r\nevent: value\r\ndata: \(json)\r\n\r\n".utf8 {
                    connection.send(Data([byte]))
                }
            } catch {}
            connection.waitForEnd()
        }
        defer { world.server.stop() }
        for try await trip in observe(world) {
            #expect(trip.likeCount == 7)
            break
        }
    }

    @Test(
        "a problem ends the observation with the error of the domain",
        arguments: [
            TravelError.notFound(.trip(trip)),
            .unavailable(.init("The disk is full.", cause: .diskFull, canRetry: false)),
        ])
    func problem(expected: TravelError) async throws {
        let world = try RemoteWorld { _, connection in
            connection.beginEvents()
            Self.send(1, connection)
            connection.event("problem", id: "2", Problem(expected))
            connection.waitForEnd()
        }
        defer { world.server.stop() }
        await #expect(throws: expected) {
            for try await trip in observe(world) { #expect(trip.likeCount == 1) }
        }
        #expect(world.server.requests.count == 1)
    }

    @Test("a refused request ends the observation before its first value")
    func refused() async throws {
        let world = try RemoteWorld { _, connection in connection.answer(.notFound(.trip(Self.trip))) }
        defer { world.server.stop() }
        await #expect(throws: TravelError.notFound(.trip(Self.trip))) { for try await _ in observe(world) {} }
    }

    @Test("a server that has never answered ends the observation after three attempts")
    func unreachable() async throws {
        let world = try RemoteWorld.unreachable()
        await #expect(throws: TravelError.unreachable) { for try await _ in observe(world) {} }
        #expect(world.clock.sleeps.count == 2)
    }

    @Test("an answer that is not a stream, and a value that is not one, end the observation")
    func garbage() async throws {
        let world = try RemoteWorld { _, connection in connection.answer(200, Data("{}".utf8)) }
        defer { world.server.stop() }
        await #expect(throws: TravelError.unreadable) { for try await _ in observe(world) {} }
        let other = try RemoteWorld { _, connection in
            connection.beginEvents()
            connection.event(id: "1", ["a": 1])
            connection.waitForEnd()
        }
        defer { other.server.stop() }
        await #expect(throws: TravelError.unreadable) { for try await _ in observe(other) {} }
    }

    @Test("an observation renews an expired token once")
    func renewal() async throws {
        let world = try RemoteWorld { request, connection in
            do {
                if request.target == "/v1/sessions/refresh" {
                    return connection.answer(200, json: SignedInRecord(try .sample(1)))
                }
                guard try request.header("Authorization") == "Bearer \(SignedIn.sample(1).access.text)" else {
                    return connection.answer(.signedOut)
                }
            } catch { return connection.close() }
            connection.beginEvents()
            Self.send(1, connection)
            connection.event("problem", id: "2", Problem(.signedOut))
            connection.close()
        }
        defer { world.server.stop() }
        var likes: [Int] = []
        for try await trip in observe(world, viewer: RemoteWorld.me) {
            likes.append(trip.likeCount)
            break
        }
        #expect(likes == [1])
        #expect(world.server.requests.prefix(3).map(\.method) == ["GET", "POST", "GET"])
    }

    @Test("an observation whose new token is refused as well ends, and renews it no more")
    func refusedToken() async throws {
        let world = try RemoteWorld { request, connection in
            do {
                guard request.method == "POST" else { return connection.answer(.signedOut) }
                // Another renewal has no answer.
                guard request.number == 1 else { return connection.close() }
                connection.answer(200, json: SignedInRecord(try .sample(1)))
            } catch { connection.close() }
        }
        defer { world.server.stop() }
        await #expect(throws: TravelError.signedOut) {
            for try await _ in observe(world, viewer: RemoteWorld.me) {}
        }
        #expect(world.server.requests.map(\.method) == ["GET", "POST", "GET"])
    }

    @Test("a slow consumer receives the latest value")
    func slowConsumer() async throws {
        let (next, sent) = (DispatchSemaphore(value: 0), Signal())
        let world = try RemoteWorld { _, connection in
            connection.beginEvents()
            Self.send(0, connection)
            next.wait()
            for likes in 1...1_000 { Self.send(likes, connection) }
            sent.send()
            connection.waitForEnd()
        }
        defer { world.server.stop() }
        var received: [Int] = []
        for try await trip in observe(world) {
            if received.isEmpty {
                next.signal()
                await sent.wait()
            }
            received.append(trip.likeCount)
            if trip.likeCount == 1_000 { break }
        }
        #expect(received.first == 0 && received.last == 1_000)
        #expect(received == received.sorted())
        #expect(received.count <= 1_000)
    }

    @Test("cancelling the task ends the observation and its connection")
    func cancellation() async throws {
        let (arrived, ended) = (Signal(), Signal())
        let world = try RemoteWorld { _, connection in
            connection.beginEvents()
            arrived.send()
            connection.waitForEnd()
            ended.send()
        }
        defer { world.server.stop() }
        let sequence = observe(world)
        let task = Task { for try await _ in sequence {} }
        await arrived.wait()
        task.cancel()
        try await task.value
        await ended.wait()
    }

    @Test("more observations than a host has ordinary connections are open at once")
    func manyObservations() async throws {
        let world = try RemoteWorld { _, connection in
            connection.beginEvents()
            Self.send(1, connection)
            connection.waitForEnd()
        }
        defer { world.server.stop() }
        let (stream, arrived) = AsyncStream<Void>.makeStream()
        await withThrowingTaskGroup { group in
            for _ in 0..<30 {
                let sequence = observe(world)
                group.addTask { for try await _ in sequence { arrived.yield() } }
            }
            var count = 0
            for await _ in stream {
                count += 1
                if count == 30 { break }
            }
            group.cancelAll()
        }
    }
}
