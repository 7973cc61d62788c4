#if Server
import Foundation
import Synchronization
import TestTurns
import Testing

@testable import TravelServer

/// A server that is stopped after a test.
func withServer(
    _ configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
    _ body: (HTTPServer, Int) async throws -> Void
) async throws {
    var configuration = HTTPServer.Configuration()
    configuration.limits.look = .milliseconds(20)
    configure(&configuration)
    let server = HTTPServer(configuration, handler: handler)
    let port = try server.start()
    do {
        try await body(server, port)
    } catch {
        await server.stop(grace: .milliseconds(100))
        throw error
    }
    await server.stop(grace: .milliseconds(100))
    #expect(server.counts.connections == 0)
    #expect(server.counts.requestsUnderWay == 0)
}

/// Answers with the method, the path and the query.
@Sendable private func echo(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.isMalformed { return HTTPResponse(400) }
    let query = request.query.map { "\($0.name)=\($0.value ?? "-")" }.joined(separator: ";")
    return HTTPResponse(200, body: Array("\(request.method) \(request.path) \(query)".utf8))
}

/// Answers with the body, at most 1,000 bytes.
@Sendable private func echoBody(_ request: HTTPRequest) async throws -> HTTPResponse {
    do {
        return HTTPResponse(200, body: try await request.readBody(1_000))
    } catch is HTTPBodyError {
        return HTTPResponse(413)
    }
}

@Suite("The HTTP server answers", .takesTurns(within: .seconds(60)))
struct HTTPServerTests {
    @Test(
        "a request with its decoded path and query",
        arguments: [
            ("/a/b?x=1&y=&z", #"["a", "b"] x=1;y=;z=-"#), ("/", "[] "),
            ("/%EC%A0%9C%EC%A3%BC/a%2Fb?q=%EB%B6%80+%2B&q=2", #"["제주", "a/b"] q=부 +;q=2"#),
            ("//x/", #"["", "x", ""] "#), ("/../etc", #"["..", "etc"] "#), ("http://other/x?y", #"["x"] y=-"#),
        ])
    func targets(target: String, expected: String) async throws {
        try await withServer(handler: echo) { _, port in
            let reply = try #require(await ask(port, "GET", target))
            #expect(reply.status == 200)
            #expect(reply.text == "GET \(expected)")
        }
    }

    @Test(
        "400 for a target that is not percent-encoded UTF-8 without control characters",
        arguments: [
            "/%", "/%2", "/%zz", "/%00", "/%0A", "/%FF", "/?a=%C3%28", "/?%00=1", "*",
        ])
    func malformedTargets(target: String) async throws {
        try await withServer(handler: echo) { _, port in
            #expect(await ask(port, "GET", target)?.status == 400)
        }
    }

    @Test(
        "400 for a head that two programs may read differently",
        arguments: [
            "Content-Length: 1\r\nContent-Length: 1", "Content-Length: 1\r\nTransfer-Encoding: chunked",
            "Content-Length: +1", "Transfer-Encoding: gzip, chunked", "Host: two",
        ])
    func ambiguousHeads(header: String) async throws {
        try await withServer(handler: echoBody) { _, port in
            let client = try RawClient(port: port)
            await client.send("POST / HTTP/1.1\r\nHost: one\r\n\(header)\r\n\r\n1")
            let answer = await client.receiveToEnd()
            // The library refuses some of them itself.
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test("two requests of one connection in their order, even if the second one is faster")
    func pipelining() async throws {
        try await withServer { request in
            if request.path == ["slow"] { try await Task.sleep(for: .milliseconds(50)) }
            return try await echo(request)
        } _: { _, port in
            let client = try RawClient(port: port)
            await client.send(
                "GET /slow HTTP/1.1\r\nHost: h\r\n\r\nGET /fast HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            let text = await client.receiveToEnd()
            let slow = try #require(text.range(of: "slow")).lowerBound
            let fast = try #require(text.range(of: "fast")).lowerBound
            #expect(slow < fast)
        }
    }

    @Test("HEAD with the length of the body, without the body")
    func head() async throws {
        try await withServer(handler: echo) { _, port in
            let reply = try #require(await ask(port, "HEAD", "/abc"))
            #expect(reply.headers["content-length"] == "13")
            #expect(reply.body.isEmpty)
        }
    }

    @Test("500 when the handler throws, and the next request")
    func throwing() async throws {
        struct Fault: Error {}
        try await withServer { request in
            if request.path == ["fault"] { throw Fault() }
            return try await echo(request)
        } _: { _, port in
            let client = try RawClient(port: port)
            await client.send("GET /fault HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 500"))
            await client.send("GET /next HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await client.receive(until: "next").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("many requests at once, some of which end early")
    func stress() async throws {
        try await withServer { request in
            if request.path.first == "yield" { await Task.yield() }
            if request.path.first == "body" { return HTTPResponse(200, body: try await request.readBody(10_000)) }
            return try await echo(request)
        } _: { server, port in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for client in 0..<8 {
                    group.addTask {
                        var answers = 0
                        for number in 0..<60 {
                            switch (client + number) % 4 {
                            case 0: answers += await ask(port, "GET", "/now/\(number)")?.status == 200 ? 1 : 0
                            case 1: answers += await ask(port, "GET", "/yield")?.status == 200 ? 1 : 0
                            case 2:
                                let body = [UInt8](repeating: 7, count: number * 100)
                                answers += await ask(port, "PUT", "/body", body: body)?.body == body ? 1 : 0
                            default:
                                // The client goes in the middle of everything.
                                let rude = try RawClient(port: port)
                                await rude.send("PUT /body HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc")
                                answers += 1
                            }
                        }
                        return answers
                    }
                }
                let answers = try await group.reduce(0, +)
                #expect(answers == 480)
            }
            #expect(server.counts.requests >= 360)
        }
    }

    @Test("the address of the connection, and the last one that a proxy names only behind a proxy")
    func forwarded() async throws {
        for isBehindProxy in [false, true] {
            try await withServer {
                $0.isBehindProxy = isBehindProxy
            } handler: { request in
                HTTPResponse(200, body: Array(request.client.utf8))
            } _: { _, port in
                let header = ["X-Forwarded-For: 192.0.2.1, 2001:db8::7"]
                #expect(await ask(port, headers: header)?.text == (isBehindProxy ? "2001:db8::7" : "127.0.0.1"))
                #expect(await ask(port, headers: ["X-Forwarded-For: nonsense"])?.text == "127.0.0.1")
            }
        }
    }

    @Test("an error when the port is taken")
    func takenPort() async throws {
        try await withServer(handler: echo) { _, port in
            var configuration = HTTPServer.Configuration()
            configuration.address = .loopback(port: UInt16(port))
            #expect(throws: HTTPServer.StartError.cannotListen(code: EADDRINUSE)) {
                try HTTPServer(configuration, handler: echo).start()
            }
        }
    }

    @Test("an error when the certificate is none")
    func badCertificate() {
        var configuration = HTTPServer.Configuration()
        configuration.tls = ("no certificate", "no key")
        #expect(throws: HTTPServer.StartError.cannotUseCertificate) {
            try HTTPServer(configuration, handler: echo).start()
        }
    }
}

@Suite("The HTTP server reads a body", .takesTurns(within: .seconds(60)))
struct HTTPBodyTests {
    @Test("of a known or an unknown length")
    func bodies() async throws {
        try await withServer(handler: echoBody) { _, port in
            let body = Array("0123456789".utf8)
            #expect(await ask(port, "PUT", body: body)?.body == body)
            #expect(await ask(port, "PUT", body: [])?.body == [])
            let client = try RawClient(port: port)
            await client.send(
                "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
            )
            #expect(await client.receiveToEnd().hasSuffix("abcde"))
        }
    }

    @Test("413 for one that is too long, and the connection lives if it was short enough to be dropped")
    func tooLong() async throws {
        try await withServer {
            $0.maximumBody = 5_000
        } handler: {
            try await echoBody($0)
        } _: { _, port in
            let client = try RawClient(port: port)
            let body = String(repeating: "x", count: 2_000)
            await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\n\r\n\(body)")
            #expect(await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 413"))
            await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nok")
            #expect(await client.receive(until: "ok").hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("413 for 10 GB that are announced, before any of them, and the end of the connection")
    func announced() async throws {
        try await withServer(handler: echoBody) { server, port in
            let client = try RawClient(port: port)
            await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 10000000000\r\n\r\n")
            #expect(await client.receiveToEnd().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test("413 for one of unknown length that is too long")
    func chunkedTooLong() async throws {
        try await withServer(handler: echoBody) { _, port in
            let client = try RawClient(port: port)
            let chunk = "7d0\r\n" + String(repeating: "x", count: 2_000) + "\r\n"
            await client.send(
                "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n\(chunk)\(chunk)0\r\n\r\n"
            )
            #expect(await client.receiveToEnd().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test("the end of the connection for one of unknown length that does not end")
    func endless() async throws {
        try await withServer {
            $0.maximumBody = 100_000
        } handler: {
            try await echoBody($0)
        } _: { _, port in
            let client = try RawClient(port: port)
            let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
            await client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
            var sent = 0
            while sent < 1_000, await client.send(chunk) { sent += 1 }
            #expect(sent < 1_000)
        }
    }

    @Test("after 100 Continue, which a refused body does not get")
    func expectContinue() async throws {
        try await withServer(handler: echoBody) { _, port in
            let client = try RawClient(port: port)
            await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(await client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
            await client.send("ok")
            #expect(await client.receive(until: "ok").hasPrefix("HTTP/1.1 200"))
            let refused = try RawClient(port: port)
            await refused.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000\r\nExpect: 100-continue\r\n\r\n")
            #expect(await refused.receiveToEnd().hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test("only while there is memory for those of its client")
    func memory() async throws {
        try await withServer {
            $0.bodyMemory = 4_000
        } handler: { request in
            do {
                return HTTPResponse(200, body: try await request.readBody(1_000))
            } catch HTTPBodyError.busy {
                return HTTPResponse(503)
            }
        } _: { server, port in
            let slow = try RawClient(port: port)
            await slow.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 901\r\n\r\n")
            // What is announced takes no memory.
            let body = [UInt8](repeating: 1, count: 1_000)
            #expect(await ask(port, "PUT", body: body)?.status == 200)
            await slow.send(body.prefix(900))
            #expect(try await eventually { server.bodies.reserved == 900 })
            #expect(await ask(port, "PUT", body: body)?.status == 503)
            #expect(await ask(port, "PUT", body: Array(body.prefix(100)))?.status == 200)
            #if os(Linux)
            #expect(await ask(port, "PUT", body: body, from: "127.0.0.2")?.status == 200)
            #endif
            await slow.send(body.prefix(1))
            #expect(await slow.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(try await eventually { await ask(port, "PUT", body: body)?.status == 200 })
            #expect(try await eventually { server.bodies.reserved == 0 })
        }
    }
}

/// Whether `condition` becomes true within some seconds.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<500 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return false
}

@Suite("The HTTP server limits", .takesTurns(within: .seconds(60)))
struct HTTPLimitTests {
    @Test("the time of a head, however its bytes trickle, while others are served")
    func slowHead() async throws {
        try await withServer {
            $0.limits.idle = .milliseconds(300)
        } handler: {
            try await echo($0)
        } _: { server, port in
            let slow = try RawClient(port: port)
            await slow.send("GET / HTTP/1.1\r\nX: ")
            var sent = 0
            while sent < 500, await slow.send("x") {
                sent += 1
                try await Task.sleep(for: .milliseconds(20))
                if sent == 5 { #expect(await ask(port)?.status == 200) }
            }
            #expect(sent < 500)
            #expect(server.counts.cutOff == 1)
        }
    }

    @Test("the time of a body")
    func slowBody() async throws {
        try await withServer {
            $0.limits.request = .milliseconds(300)
        } handler: {
            try await echoBody($0)
        } _: { server, port in
            let slow = try RawClient(port: port)
            await slow.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n")
            var sent = 0
            while sent < 500, await slow.send("x") {
                sent += 1
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(sent < 500)
            #expect(server.counts.cutOff == 1)
        }
    }

    @Test("the time of an answer that the client does not read")
    func slowReader() async throws {
        try await withServer {
            $0.limits.request = .milliseconds(300)
        } handler: { _ in
            HTTPResponse(200, body: [UInt8](repeating: 1, count: 20 << 20))
        } _: { server, port in
            let slow = try RawClient(port: port)
            slow.useSmallBuffer()
            await slow.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await eventually { server.counts.cutOff == 1 && server.counts.requestsUnderWay == 0 })
        }
    }

    @Test("the memory of answers that their client does not read, so that others get theirs")
    func unreadAnswers() async throws {
        try await withServer {
            $0.answerMemory = 160 << 20
        } handler: { request in
            HTTPResponse(200, body: [UInt8](repeating: 1, count: request.path == ["small"] ? 1_000 : 20 << 20))
        } _: { server, port in
            var slow: [RawClient] = []
            for _ in 0..<2 {
                let client = try RawClient(port: port)
                client.useSmallBuffer()
                await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                slow.append(client)
            }
            #expect(try await eventually { server.answers.reserved == 40 << 20 })
            #expect(await ask(port)?.status == 503)
            #expect(await ask(port, "GET", "/small")?.status == 200)
            #if os(Linux)
            #expect(await ask(port, from: "127.0.0.2")?.body.count == 20 << 20)
            #endif
            slow = []
            #expect(try await eventually { server.answers.reserved == 0 })
            #expect(await ask(port)?.status == 200)
        }
    }

    @Test("the memory of answers that are being produced")
    func answersInProduction() async throws {
        let (go, signal) = AsyncStream<Void>.makeStream()
        try await withServer {
            $0.answerMemory = 4_000
            $0.smallAnswer = 500
        } handler: { request in
            do {
                try request.reserveAnswer(600)
            } catch HTTPAnswerError.busy {
                return HTTPResponse(503)
            }
            if request.path == ["slow"] { for await _ in go { break } }
            return HTTPResponse(200)
        } _: { server, port in
            let slow = try RawClient(port: port)
            await slow.send("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await eventually { server.answers.reserved == 600 })
            #expect(await ask(port)?.status == 503)
            signal.yield()
            #expect(await slow.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(try await eventually { server.answers.reserved == 0 })
            #expect(await ask(port)?.status == 200)
        }
    }

    @Test("the time of a connection without a request, which may have more than one before")
    func idle() async throws {
        try await withServer {
            $0.limits.idle = .seconds(5)
        } handler: {
            try await echo($0)
        } _: { _, port in
            let client = try RawClient(port: port)
            for _ in 0..<3 {
                // Together longer than the limit, and each far from it on a busy machine.
                try await Task.sleep(for: .milliseconds(1_700))
                await client.send("GET /it HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(await client.receive(until: "it").hasPrefix("HTTP/1.1 200"))
            }
            #expect(await client.receive() == nil)
        }
    }

    #if os(Linux)
    @Test("the connections of one address, so that others are served")
    func connectionsPerAddress() async throws {
        try await withServer {
            $0.limits.connectionsPerAddress = 5
        } handler: {
            try await echo($0)
        } _: { server, port in
            var held: [RawClient] = []
            for _ in 0..<20 {
                // The system connects those that the server closes, too.
                held.append(try RawClient(port: port, from: "127.0.0.2"))
            }
            #expect(try await eventually { server.counts.connections == 5 })
            #expect(await ask(port, from: "127.0.0.3")?.status == 200)
            withExtendedLifetime(held) {}
        }
    }
    #endif

    @Test(
        "the head, with the status that says so",
        arguments: [
            ("GET /\(String(repeating: "x", count: 40_000)) HTTP/1.1\r\nHost: h\r\n\r\n", ["414"]),
            ("GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n", ["431", "413"]),
        ])
    func largeHeads(request: String, statuses: [String]) async throws {
        try await withServer(handler: echo) { _, port in
            let client = try RawClient(port: port)
            await client.send(request)
            let answer = await client.receive(until: "\r\n\r\n")
            #expect(statuses.contains { answer.hasPrefix("HTTP/1.1 \($0)") }, "\(answer)")
        }
    }

    @Test("the head in a way that is always answered, however long it is")
    func headsOfEverySize() async throws {
        try await withServer(handler: echo) { _, port in
            // The library waits in vain when a head fills its memory to the last bytes.
            for size in stride(from: 1_000, through: 31_000, by: 1_500) {
                for head in [
                    "GET /\(String(repeating: "x", count: size)) HTTP/1.1\r\nHost: h\r\n",
                    "GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "x", count: size))\r\n",
                    "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: yyyyyy\r\n", count: size / 11),
                ] {
                    let client = try RawClient(port: port)
                    await client.send(head + "Connection: close\r\n\r\n")
                    let answer = await client.receive(until: "\r\n")
                    let status = answer.split(separator: " ").dropFirst().first.map(String.init) ?? "none"
                    #expect(["200", "413", "414", "431"].contains(status), "\(size): \(status)")
                }
            }
        }
    }
}

@Suite("The memory of the HTTP server", .takesTurnsAlone(within: .seconds(300)))
struct HTTPMemoryTests {
    @Test("random bytes leave it flat, and others are answered afterwards")
    func randomBytes() async throws {
        let count = ProcessInfo.processInfo.environment["RANDOM_REQUESTS"].flatMap { Int($0) } ?? 10_000
        try await withServer {
            $0.limits.connectionsPerAddress = 0
            // The library sometimes misses the end of a client whose last bytes it has just read.
            $0.limits.idle = .milliseconds(100)
        } handler: {
            try await echoBody($0)
        } _: { server, port in
            let pieces = [
                "GET ", "PUT ", "/", " HTTP/1.1\r\n", "\r\n", "\r\n\r\n", "Host: h\r\n", "Content-Length: ", "5", "%00",
                ":", "\0", "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "ffffffffffffffff\r\n",
            ]
            func send(_ numbers: Range<Int>) async throws {
                for number in numbers {
                    var generator = SplitMix(state: UInt64(number))
                    var bytes: [UInt8] = []
                    for _ in 0..<Int.random(in: 1...8, using: &generator) {
                        if number % 2 == 0 || Bool.random(using: &generator) {
                            bytes += pieces.randomElement(using: &generator)!.utf8
                        } else {
                            bytes += (0..<20).map { _ in UInt8.random(in: 0...255, using: &generator) }
                        }
                    }
                    let client = try RawClient(port: port)
                    await client.send(bytes)
                    client.half()
                    while await client.receive() != nil {}
                }
            }
            try await send(0..<1_000)
            let before = residentMemory()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<4 {
                    group.addTask {
                        let size = (count - 1_000) / 4
                        try await send(1_000 + part * size..<1_000 + (part + 1) * size)
                    }
                }
                try await group.waitForAll()
            }
            #expect(residentMemory() - before < 16 << 20)
            #expect(await ask(port)?.status == 200)
            #expect(try await eventually { server.counts.requestsUnderWay == 0 })
        }
    }

    @Test("idle and slow clients, and answers that nobody reads leave it flat, while others are answered")
    func slowClients() async throws {
        let count = ProcessInfo.processInfo.environment["SLOW_CLIENTS"].flatMap { Int($0) } ?? 150
        try await withServer {
            $0.limits.connectionsPerAddress = 0
            $0.limits.idle = .seconds(3)
            $0.limits.request = .seconds(3)
            $0.answerMemory = 32 << 20
            $0.bodyMemory = 8 << 20
        } handler: { request in
            switch request.path {
            case ["large"]: return HTTPResponse(200, body: [UInt8](repeating: 1, count: 4 << 20))
            case ["body"]: return try await echoBody(request)
            default: return try await echo(request)
            }
        } _: { server, port in
            #expect(await ask(port)?.status == 200)
            let before = residentMemory()
            let idle = try (0..<count).map { _ in try RawClient(port: port) }
            let slow = try await withThrowingTaskGroup(of: [RawClient].self) { group in
                for opening in [
                    "GET / HTTP/1.1\r\nX: ", "PUT /body HTTP/1.1\r\nHost: h\r\nContent-Length: 900\r\n\r\n",
                    "PUT /body HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n384\r\n",
                    "PUT /body HTTP/1.1\r\nHost: h\r\nContent-Length: 10000000000\r\n\r\n",
                    "GET /large HTTP/1.1\r\nHost: h\r\n\r\n",
                ] {
                    group.addTask {
                        var clients: [RawClient] = []
                        for _ in 0..<count / 10 {
                            let client = try RawClient(port: port)
                            client.useSmallBuffer()
                            await client.send(opening)
                            clients.append(client)
                        }
                        return clients
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let limit = 64 << 20 + (count + slow.count) * 40_000
            for round in 0..<20 {
                for client in slow { await client.send("x") }
                #expect(await ask(port)?.status == 200, "round \(round)")
                #expect(await ask(port, "PUT", "/body", body: [1, 2, 3])?.body == [1, 2, 3], "round \(round)")
                #expect(residentMemory() - before < limit, "round \(round)")
            }
            // None of them holds its connection for long.
            #expect(try await eventually { server.counts.connections == 0 })
            #expect(server.bodies.reserved == 0 && server.answers.reserved == 0)
            withExtendedLifetime(idle) {}
        }
    }
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// The resident memory of this process in bytes; 0 where it is not known.
func residentMemory() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    return (status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
}

@Suite("The HTTP server streams", .takesTurns(within: .seconds(60)))
struct HTTPStreamTests {
    @Test("bytes as they come, and ends with the producer")
    func streaming() async throws {
        let (values, continuation) = AsyncStream<String>.makeStream()
        try await withServer { _ in
            HTTPResponse(streaming: [], keepAlive: Array(":\n\n".utf8)) { stream in
                for await value in values { try await stream.write(Array(value.utf8)) }
            }
        } _: { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            for number in 1...20 {
                continuation.yield("value \(number).")
                #expect(await client.receive(until: "value \(number).").contains("value \(number)."))
            }
            continuation.finish()
            #expect(await client.receiveToEnd().hasSuffix("0\r\n\r\n"))
        }
    }

    @Test("a sign of life when nothing else is sent")
    func keepAlive() async throws {
        try await withServer {
            $0.limits.keepAlive = .milliseconds(50)
        } handler: { _ in
            HTTPResponse(streaming: [], keepAlive: Array(":alive\n\n".utf8)) { _ in
                try await Task.sleep(for: .seconds(30))
            }
        } _: { _, port in
            let client = try RawClient(port: port)
            await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            for _ in 0..<3 { #expect(await client.receive(until: ":alive").contains(":alive")) }
        }
    }

    @Test("to nobody: the producer is cancelled when the client goes")
    func clientGoes() async throws {
        let ended = Atomic(0)
        try await withServer { request in
            if request.path == ["wait"] {
                defer { ended.add(1, ordering: .relaxed) }
                try await Task.sleep(for: .seconds(30))
            }
            return HTTPResponse(streaming: [], keepAlive: []) { stream in
                defer { ended.add(1, ordering: .relaxed) }
                try await stream.write(Array("begin".utf8))
                try await Task.sleep(for: .seconds(30))
            }
        } _: { server, port in
            for target in ["/", "/wait"] {
                var client: RawClient? = try RawClient(port: port)
                await client?.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
                if target == "/" {
                    _ = await client?.receive(until: "begin")
                } else {
                    #expect(try await eventually { server.counts.requestsUnderWay == 1 })
                }
                client = nil
                #expect(try await eventually { server.counts.requestsUnderWay == 0 })
            }
            #expect(ended.load(ordering: .relaxed) == 2)
            #expect(server.counts.abandoned == 2)
        }
    }

    @Test("not faster than the client reads")
    func backPressure() async throws {
        let written = Atomic(0)
        try await withServer { _ in
            HTTPResponse(streaming: [], keepAlive: []) { stream in
                while true {
                    try await stream.write([UInt8](repeating: 1, count: 1 << 20))
                    written.add(1, ordering: .relaxed)
                }
            }
        } _: { _, port in
            let client = try RawClient(port: port)
            client.useSmallBuffer()
            await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = await client.receive()
            try await Task.sleep(for: .milliseconds(200))
            #expect(written.load(ordering: .relaxed) < 20)
        }
    }
}

@Suite("The HTTP server stops", .takesTurns(within: .seconds(60)))
struct HTTPStopTests {
    @Test("after the requests under way, and its streams end")
    func graceful() async throws {
        let (go, signal) = AsyncStream<Void>.makeStream()
        let server = HTTPServer(HTTPServer.Configuration()) { request in
            if request.path == ["stream"] {
                return HTTPResponse(streaming: [], keepAlive: []) { stream in
                    try await stream.write(Array("begin".utf8))
                    try await Task.sleep(for: .seconds(30))
                }
            }
            for await _ in go { break }
            return HTTPResponse(200, body: Array("done".utf8))
        }
        let port = try server.start()
        let streaming = try RawClient(port: port)
        await streaming.send("GET /stream HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = await streaming.receive(until: "begin")
        let waiting = try RawClient(port: port)
        await waiting.send("GET /wait HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try await eventually { server.counts.requestsUnderWay == 2 })
        async let stop: Void = server.stop(grace: .seconds(10))
        #expect(await streaming.receiveToEnd().hasSuffix("0\r\n\r\n"))
        signal.yield()
        let answer = await waiting.receiveToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("done"), "\(answer)")
        await stop
        #expect(throws: RawClient.Failure.self) { _ = try RawClient(port: port) }
        #expect(server.counts.requestsUnderWay == 0)
    }

    @Test("although a handler ignores its cancellation, and answers it with 503")
    func stuck() async throws {
        let (never, _) = AsyncStream<Void>.makeStream()
        let server = HTTPServer(HTTPServer.Configuration()) { _ in
            await Task { for await _ in never {} }.value
            return HTTPResponse(200)
        }
        let port = try server.start()
        let client = try RawClient(port: port)
        await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try await eventually { server.counts.requestsUnderWay == 1 })
        await server.stop(grace: .milliseconds(50))
        let answer = await client.receiveToEnd()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 503"))
    }

    @Test("under load, again and again")
    func underLoad() async throws {
        for _ in 0..<20 {
            let server = HTTPServer(HTTPServer.Configuration()) { request in
                if request.path == ["stream"] {
                    return HTTPResponse(streaming: [], keepAlive: []) { stream in
                        while true { try await stream.write(Array("more".utf8)) }
                    }
                }
                return HTTPResponse(200, body: try await request.readBody(100))
            }
            let port = try server.start()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        // Connections fail once the server has stopped.
                        guard let client = try? RawClient(port: port) else { return }
                        let head = number % 2 == 0 ? "GET /stream" : "PUT /body"
                        await client.send("\(head) HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n")
                        while await client.receive() != nil {}
                    }
                }
                group.addTask {
                    _ = try? await eventually { server.counts.requests > 3 }
                    await server.stop(grace: .zero)
                }
            }
            #expect(server.counts.connections == 0)
        }
    }

    @Test("once, if several stop it, and before it has started")
    func twice() async throws {
        let server = HTTPServer(HTTPServer.Configuration(), handler: echo)
        _ = try server.start()
        #expect(throws: HTTPServer.StartError.isStarted) { try server.start() }
        async let first: Void = server.stop()
        async let second: Void = server.stop()
        _ = await (first, second)
        #expect(throws: HTTPServer.StartError.isStarted) { try server.start() }
        await HTTPServer(HTTPServer.Configuration(), handler: echo).stop()
    }
}

@Suite("The forms of HTTP")
struct HTTPMessageTests {
    @Test(
        "a range selects bytes as RFC 9110 says, and anything else selects all",
        arguments: [
            (nil, .whole), ("bytes=0-4", .part(0..<5)), ("bytes=5-", .part(5..<10)), ("bytes=-3", .part(7..<10)),
            ("bytes=-30", .part(0..<10)), ("bytes=8-100", .part(8..<10)), ("bytes=10-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=4-2", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole),
            ("items=0-1", .whole), ("bytes=0-1,3-4", .whole), ("bytes=0-99999999999999999999", .part(0..<10)),
            ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-9223372036854775807", .part(0..<10)),
        ] as [(String?, HTTPRange)])
    func ranges(header: String?, expected: HTTPRange) {
        #expect(HTTPRange(header, of: 10) == expected)
    }

    @Test("a thousand ranges select all")
    func manyRanges() {
        let header = "bytes=" + (0..<1_000).map { "\($0)-\($0)" }.joined(separator: ",")
        #expect(HTTPRange(header, of: 10_000) == .whole)
        #expect(HTTPRange("bytes=0-", of: 0) == .unsatisfiable)
    }

    @Test(
        "a condition is a list of tags, or any",
        arguments: [
            ("*", .any), ("\"a\"", .tags(["a"])), ("W/\"a\", \"b,c\"", nil), ("W/\"a\", \"b\"", .tags(["a", "b"])),
            ("a", nil),
            ("", nil), ("\"", nil),
        ] as [(String, HTTPCondition?)])
    func conditions(header: String, expected: HTTPCondition?) {
        #expect(HTTPCondition(header) == expected)
    }

    @Test("an address is one of a machine, and says whether only this machine reaches it")
    func addresses() {
        #expect(SocketAddress(host: "127.0.0.9", port: 80)?.isLoopback == true)
        #expect(SocketAddress(host: "::1", port: 80)?.isLoopback == true)
        #expect(SocketAddress(host: "localhost", port: 80)?.host == "127.0.0.1")
        #expect(SocketAddress(host: "0.0.0.0", port: 80)?.isLoopback == false)
        #expect(SocketAddress(host: "example.org", port: 80) == nil)
        #expect(SocketAddress(host: "127.0.0.1", port: 65_536) == nil)
    }
}
#endif
