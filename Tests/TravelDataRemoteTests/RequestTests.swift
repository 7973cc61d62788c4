import Dispatch
import Foundation
import TestConcurrency
import Testing
import TravelDataRemote
import TravelDomainTesting
import TravelJSON

@testable import TravelDataRemote

@Suite("Requests to a server", .limitedConcurrency)
struct RequestTests {
    private static let trip = Trip.ID(seed: 1)

    /// The error of a lookup, whose answers are those of `handler`.
    private func error(
        in world: RemoteWorld, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TravelError? {
        await #expect(throws: TravelError.self, sourceLocation: sourceLocation) {
            try await world.trips.trip(Self.trip, viewer: nil)
        }
    }

    private func cause(of error: TravelError?) -> TravelError.Outage.Cause? {
        if case .unavailable(let outage) = error { outage.cause } else { nil }
    }

    @Test("the value in the answer is returned, and the request names the interface and what it accepts")
    func answer() async throws {
        let world = try RemoteWorld { _, connection in
            do { connection.answer(200, json: ViewedTripRecord(try viewedTrip(likes: 3))) } catch {
                connection.close()
            }
        }
        defer { world.server.stop() }
        #expect(try await world.trips.trip(Self.trip, viewer: nil) == viewedTrip(likes: 3))
        let request = try #require(world.server.requests.first)
        #expect((request.method, request.target) == ("GET", "/v1/trips/\(Self.trip)/summary"))
        #expect(request.header("Traveline-Interface") == "1")
        #expect(request.header("Accept") == "application/json")
        #expect(request.header("Authorization") == nil)
    }

    @Test(
        "the error of the server is thrown",
        arguments: [
            TravelError.notFound(.trip(.init(seed: 1))), .forbidden(.user(.init(seed: 2))),
            .refused(.image(.init(seed: 3))), .conflict(.entry(.init(seed: 4))),
            .invalid(.init(.title, .tooLong(maximum: 60))), .wrongCredentials,
            .unavailable(.init("The disk is full.", cause: .diskFull, canRetry: false)),
        ])
    func errors(expected: TravelError) async throws {
        let world = try RemoteWorld { _, connection in connection.answer(expected) }
        defer { world.server.stop() }
        #expect(await error(in: world) == expected)
        #expect(world.server.requests.count == 1)
    }

    @Test("a request is sent three times, with growing pauses, while the server has an outage that may end")
    func retries() async throws {
        let outage = TravelError.unavailable(.init("The database rests.", cause: .busy, canRetry: true))
        let world = try RemoteWorld { _, connection in connection.answer(outage) }
        defer { world.server.stop() }
        #expect(await error(in: world) == outage)
        #expect(world.server.requests.count == 3)
        #expect(world.clock.sleeps == [.milliseconds(250), .milliseconds(500)])
    }

    @Test("the second attempt succeeds")
    func secondAttempt() async throws {
        let world = try RemoteWorld { request, connection in
            if request.number == 0 { return connection.close() }
            do { connection.answer(200, json: ViewedTripRecord(try viewedTrip())) } catch { connection.close() }
        }
        defer { world.server.stop() }
        #expect(try await world.trips.trip(Self.trip, viewer: nil) == viewedTrip())
    }

    @Test("the pause is as long as the server asks for, unless that is too long to wait")
    func retryAfter() async throws {
        let outage = TravelError.unavailable(.init("The database rests.", cause: .busy, canRetry: true))
        let world = try RemoteWorld { request, connection in
            connection.answer(outage, headers: ["Retry-After": request.number == 0 ? "2" : "60"])
        }
        defer { world.server.stop() }
        #expect(await error(in: world) == outage)
        #expect(world.clock.sleeps == [.seconds(2)])
    }

    @Test("the pause is as long as a proxy asks for")
    func retryAfterOfProxy() async throws {
        let world = try RemoteWorld { _, connection in
            connection.send("HTTP/1.1 503 Busy\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n")
            connection.close()
        }
        defer { world.server.stop() }
        #expect(cause(of: await error(in: world)) == .unreachable)
        #expect(world.clock.sleeps == [.seconds(3), .seconds(3)])
    }

    @Test("pauses double up to a minute, and vary by half")
    func pauses() async throws {
        let clock = RecordingClock()
        for failures in 1...10 {
            try await Pauses(clock: clock, random: { 0 }).sleep(after: failures, atLeast: nil)
        }
        let quarters = [1, 2, 4, 8, 16, 32, 64, 128, 240, 240].map { Duration.milliseconds(125) * $0 }
        #expect(clock.sleeps == quarters)
    }

    @Test("an answer that is cut off in its body is asked for again")
    func cutBody() async throws {
        let world = try RemoteWorld { request, connection in
            do {
                let body = try JSONCoding.data(for: ViewedTripRecord(viewedTrip()))
                if request.number > 0 { return connection.answer(200, body) }
                connection.send(
                    "HTTP/1.1 200 OK\r\nTraveline-Interface: 1\r\nContent-Length: \(body.count)\r\n\r\n")
                connection.send(body.prefix(body.count / 2))
            } catch {}
            connection.close()
        }
        defer { world.server.stop() }
        #expect(try await world.trips.trip(Self.trip, viewer: nil) == viewedTrip())
        #expect(world.server.requests.count == 2)
    }

    @Test("an address without a server is unreachable, after three attempts")
    func unreachable() async throws {
        let world = try RemoteWorld.unreachable()
        #expect(await error(in: world) == .unreachable)
        #expect(world.clock.sleeps.count == 2)
    }

    @Test("a server that says nothing is unreachable after the timeout")
    func silence() async throws {
        let world = try RemoteWorld(timeout: 0.2) { _, connection in connection.waitForEnd() }
        defer { world.server.stop() }
        #expect(await error(in: world) == .unreachable)
    }

    @Test("a server that sends a few bytes in each timeout is unreachable")
    func trickle() async throws {
        let clock = GatedClock()
        let sent = Signal()
        let world = try RemoteWorld(timeout: 600, timeoutClock: clock) { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTraveline-Interface: 1\r\nContent-Length: 9\r\n\r\n{")
            sent.send()
            connection.waitForEnd()
        }
        defer { world.server.stop() }
        async let error = error(in: world)
        for _ in 0..<3 {
            await sent.wait()
            clock.wake()
        }
        #expect(await error == .unreachable)
        #expect(world.server.requests.count == 3)
    }

    @Test("a long answer may take many timeouts while it arrives")
    func slowAnswer() async throws {
        let clock = GatedClock()
        let sent = Signal()
        let end = DispatchSemaphore(value: 0)
        // More than the buffers of a connection hold, so that what was sent has begun to arrive.
        let half = Data(repeating: UInt8(ascii: "?"), count: 16 << 20)
        let world = try RemoteWorld(timeout: 600, timeoutClock: clock) { _, connection in
            connection.send(
                "HTTP/1.1 200 OK\r\nTraveline-Interface: 1\r\nContent-Length: \(half.count + 1)\r\n\r\n")
            connection.send(half)
            sent.send()
            end.wait()
            connection.send("?")
        }
        defer { world.server.stop() }
        async let error = error(in: world)
        await clock.asleep.wait()
        await sent.wait()
        clock.wake()
        await clock.asleep.wait()
        end.signal()
        #expect(await error == .unreadable)
        #expect(world.server.requests.count == 1)
    }

    @Test("another program at the address is recognised")
    func otherServers() async throws {
        func cause(_ answer: String) async throws -> TravelError.Outage.Cause? {
            let world = try RemoteWorld { _, connection in
                connection.send(answer)
                connection.close()
            }
            defer { world.server.stop() }
            return self.cause(of: await error(in: world))
        }
        #expect(try await cause("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi") == .invalidAddress)
        #expect(try await cause("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n") == .invalidAddress)
        for status in ["408 Request Timeout", "429 Too Many Requests", "502 Bad Gateway"] {
            #expect(try await cause("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n") == .unreachable)
        }
        #expect(
            try await cause("HTTP/1.1 200 OK\r\nTraveline-Interface: 2\r\nContent-Length: 2\r\n\r\n{}") == .otherVersion
        )
        #expect(try await cause("\u{1}\u{2}garbage\r\n\r\n") == .invalidAddress)
    }

    @Test(
        "an answer that refuses this request for good is distinguished from one of a server that cannot answer, or of another program"
    )
    func refusals() async throws {
        func cause(_ answer: String, _ body: String = "") async throws -> TravelError.Outage.Cause? {
            let world = try RemoteWorld { _, connection in
                connection.send("\(answer)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
                connection.close()
            }
            defer { world.server.stop() }
            return self.cause(of: await error(in: world))
        }
        let ours = "\r\nTraveline-Interface: 1\r\nContent-Type: application/problem+json"
        func problem(_ status: Int, _ cause: String) -> String {
            "{\"status\":\(status),\"title\":\"No\",\"detail\":\"No.\",\"cause\":\"\(cause)\"}"
        }
        #expect(try await cause("HTTP/1.1 413 Large\(ours)", problem(413, "bodyTooLarge")) == .requestTooLarge)
        #expect(try await cause("HTTP/1.1 400 Bad\(ours)", problem(400, "malformed")) == .requestRefused)
        #expect(try await cause("HTTP/1.1 402 Pay\(ours)", problem(402, "ofALaterVersion")) == .requestRefused)
        #expect(try await cause("HTTP/1.1 429 Many\(ours)", problem(429, "tooManyRequests")) == .serverBusy)
        #expect(try await cause("HTTP/1.1 500 Fault\(ours)", problem(500, "internalError")) == .serverFailure)
        #expect(try await cause("HTTP/1.1 400 Bad\r\nTraveline-Interface: 1") == .requestRefused)
        #expect(try await cause("HTTP/1.1 426 Upgrade\r\nTraveline-Interface: 1") == .serverFailure)
        // A limit of a proxy.
        #expect(try await cause("HTTP/1.1 413 Large\r\nServer: nginx", "<html>") == .requestTooLarge)
        // A network that wants a sign-in first.
        for status in ["200 OK", "403 Forbidden", "404 Not Found", "511 Network Authentication Required"] {
            let cause = try await cause("HTTP/1.1 \(status)\r\nContent-Type: text/html", "<html>Welcome")
            #expect(cause == (status.hasPrefix("5") ? .unreachable : .invalidAddress))
        }
    }

    @Test("a body that is not the value is an outage", arguments: ["", "{}", "[", "{\"id\":1}", "\u{FFFD}"])
    func garbage(body: String) async throws {
        let world = try RemoteWorld { _, connection in connection.answer(200, Data(body.utf8)) }
        defer { world.server.stop() }
        #expect(await error(in: world) == .unreadable)
    }

    @Test("a redirection is not followed, so that the token stays with its server")
    func redirection() async throws {
        let other = try RemoteWorld { _, connection in connection.answer(200) }
        defer { other.server.stop() }
        let world = try RemoteWorld { _, connection in
            connection.send(
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: \(other.server.address)/v1\r\nContent-Length: 0\r\n\r\n")
        }
        defer { world.server.stop() }
        let error = await #expect(throws: TravelError.self) {
            try await world.trips.trip(Self.trip, viewer: RemoteWorld.me)
        }
        #expect(error == .moved)
        #expect(other.server.requests.isEmpty)
    }

    @Test("a cookie of the server is not sent back, and an answer is not taken from a cache")
    func noState() async throws {
        let world = try RemoteWorld { request, connection in
            do {
                connection.answer(
                    200, json: ViewedTripRecord(try viewedTrip(likes: request.number)),
                    headers: ["Set-Cookie": "a=b; Path=/", "Cache-Control": "max-age=3600"])
            } catch { connection.close() }
        }
        defer { world.server.stop() }
        for likes in 0..<3 { #expect(try await world.trips.trip(Self.trip, viewer: nil).likeCount == likes) }
        #expect(world.server.requests.allSatisfy { $0.header("Cookie") == nil })
    }

    @Test("cancelling a task cancels its request")
    func cancellation() async throws {
        let (arrived, ended) = (Signal(), Signal())
        let world = try RemoteWorld { _, connection in
            arrived.send()
            connection.waitForEnd()
            ended.send()
        }
        defer { world.server.stop() }
        let task = Task { try await world.trips.trip(Self.trip, viewer: nil) }
        await arrived.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await ended.wait()
        #expect(world.server.requests.count == 1)
    }

    @Test("a task that is cancelled already sends nothing")
    func cancelledBefore() async throws {
        let world = try RemoteWorld { _, connection in connection.answer(200) }
        defer { world.server.stop() }
        let (gate, opened) = (Signal(), Signal())
        let task = Task {
            opened.send()
            await gate.wait()
            return try await world.trips.trip(Self.trip, viewer: nil)
        }
        await opened.wait()
        task.cancel()
        gate.send()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a hundred requests at once are answered, each with its own answer")
    func manyAtOnce() async throws {
        let world = try RemoteWorld { request, connection in
            let seed = request.target.split(separator: "/").last.flatMap { User.ID($0) }
            do {
                for candidate in 0..<100 as Range<UInt64> where User.ID(seed: candidate) == seed {
                    return connection.answer(200, json: UserRecord(try User(seed: candidate)))
                }
            } catch {}
            connection.close()
        }
        defer { world.server.stop() }
        let users = try await withThrowingTaskGroup(of: (UInt64, User).self) { group in
            for seed in 0..<100 as Range<UInt64> {
                group.addTask { (seed, try await world.trips.user(User.ID(seed: seed))) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(users.count == 100)
        for (seed, user) in users { #expect(user.id == User.ID(seed: seed)) }
    }

    @Test("a certificate that is not trusted is distinguished from a lost connection")
    func certificates() {
        func error(_ code: URLError.Code, _ words: String = "") -> TravelError {
            let error = URLError(code, userInfo: [NSLocalizedDescriptionKey: words])
            return ServerConnection.failure(error).error
        }
        #expect(error(.serverCertificateUntrusted) == .notSecure)
        #expect(error(.secureConnectionFailed) == .notSecure)
        // The sentences of libcurl.
        #expect(error(.unknown, "SSL certificate problem: self-signed certificate") == .notSecure)
        #expect(error(.unknown, "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number") == .notSecure)
        #expect(error(.unknown, "error:0A000126:SSL routines::unexpected eof while reading") == .unreachable)
        #expect(error(.unknown, "transfer closed with 7 bytes remaining to read") == .unreachable)
        #expect(error(.notConnectedToInternet) == .unreachable)
    }
}
