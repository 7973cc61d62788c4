import Dispatch
import Foundation
import TestConcurrency
import Testing
import TravelDataRemote
import TravelDomainTesting
import TravelJSON

@testable import TravelDataRemote

@Suite("Answers that are cut or damaged", .limitedConcurrency)
struct CutAnswerTests {
    /// What a server or a proxy sends before it closes the connection, and the cause of the outage that follows.
    private static let answers: [(sent: String, cause: TravelError.Outage.Cause)] = [
        ("HTTP/1.1 200 OK\r\nDate: Sat", .unreachable),
        ("HTTP/1.1 2", .unreachable),
        ("HTTP/1.1 200 OK\r\n", .unreachable),
        ("", .unreachable),
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", .unreachable),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", .invalidAddress),
        ("garbage", .invalidAddress),
        ("<html>", .invalidAddress),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", .unreachable),
        ("HTTP/1.1 999 X\r\n\r\n", .unreachable),
        ("HTTP/1.1 100 Continue\r\n\r\n", .unreachable),
        ("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", .invalidAddress),
        (
            "HTTP/1.1 200 OK\r\nTraveline-Interface: 1\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
                + "Content-Length: 3\r\n\r\nabc", .unreadableAnswer
        ),
    ]

    @Test("an answer that ends inside its head or its body is an outage", arguments: answers.indices)
    func cutAnswers(index: Int) async throws {
        let (sent, cause) = Self.answers[index]
        let world = try RemoteWorld { _, connection in
            connection.send(sent)
            connection.close()
        }
        defer { world.server.stop() }
        for id in [nil, RemoteWorld.me] {
            let error = await #expect(throws: TravelError.self) {
                try await world.trips.trip(Trip.ID(seed: 1), viewer: id)
            }
            guard case .unavailable(let outage)? = error else { return }
            #expect(outage.cause == cause, "\(sent)")
        }
        // A write that may be repeated, and an observation.
        await #expect(throws: TravelError.self) {
            try await world.trips.setLiked(true, trip: Trip.ID(seed: 1), by: RemoteWorld.me)
        }
        await #expect(throws: TravelError.self) {
            for try await _ in world.trips.observeTrip(Trip.ID(seed: 1), viewer: nil) {}
        }
    }

    @Test("each of 10,000 cut and changed answers is an answer or an outage", arguments: UInt64(1)...10)
    func fuzz(seed: UInt64) async throws {
        let body = try JSONCoding.data(for: ViewedTripRecord(viewedTrip()))
        let whole =
            Data(
                ("HTTP/1.1 200 OK\r\nDate: Sat, 28 Nov 2026 12:00:00 GMT\r\nTraveline-Interface: 1\r\n"
                    + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\nETag: \"1-abc\"\r\n\r\n").utf8
            ) + body
        let world = try RemoteWorld { request, connection in
            var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(request.number))
            var sent = whole
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: 0..<sent.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: sent[index] = UInt8.random(in: 0...255, using: &random)
                case 1: sent.remove(at: index)
                case 2: sent.insert(contentsOf: "\r\n".utf8, at: index)
                default: sent.insert(UInt8.random(in: 0...255, using: &random), at: index)
                }
            }
            connection.send(sent.prefix(Int.random(in: 0...sent.count * 5 / 4, using: &random)))
            connection.close()
        }
        defer { world.server.stop() }
        var answers = 0
        while world.server.requests.count < 1_000 {
            do {
                _ = try await world.trips.trip(Trip.ID(seed: 1), viewer: nil)
                answers += 1
            } catch is TravelError {
                // No other error, and no end of the process.
            }
        }
        #expect(answers > 0)
    }

    @Test("an answer after one that only confirms the head is the answer, and its trailer is no header")
    func severalHeads() async throws {
        let body = try JSONCoding.data(for: ViewedTripRecord(viewedTrip(likes: 4)))
        let world = try RemoteWorld { _, connection in
            connection.send("HTTP/1.1 103 Early Hints\r\nTraveline-Interface: 9\r\nLink: </style.css>\r\n\r\n")
            connection.send(
                "HTTP/1.1 200 OK\r\nTraveline-Interface: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + String(body.count, radix: 16) + "\r\n")
            connection.send(body)
            connection.send("\r\n0\r\nTraveline-Interface: 2\r\n\r\n")
        }
        defer { world.server.stop() }
        #expect(try await world.trips.trip(Trip.ID(seed: 1), viewer: nil) == viewedTrip(likes: 4))
    }
}
