#if Server
import Foundation
import Synchronization
import TestReporting
import TestConcurrency
import Testing

@testable import TravelServer

@Suite("The HTTP server limits", .limitedConcurrency)
struct HTTPLimitTests {
    @Test("the time of a head, however its bytes trickle, while others are served")
    func slowHead() async throws {
        try await withServer({ $0.idle = .milliseconds(300) }, handler: echo) { server, port in
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
        try await withServer({ $0.request = .milliseconds(300) }, handler: echoBody) { server, port in
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

    @Test("the time of a body, which is longer for one of which much has arrived")
    func longBody() async throws {
        try await withServer {
            $0.request = .milliseconds(300)
            $0.slowestBody = 1
        } handler: {
            try await echoBody($0)
        } _: { server, port in
            let slow = try RawClient(port: port)
            let body = String(repeating: "x", count: 999)
            await slow.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n\(body)")
            // Several looks of the monitor after the limit of a short body.
            try await Task.sleep(for: .milliseconds(1_500))
            await slow.send("y")
            #expect(await slow.receiveToEnd().hasSuffix("xy"))
            #expect(server.counts.cutOff == 0)
        }
    }

    @Test("the time of an answer that the client does not read")
    func slowReader() async throws {
        try await withServer {
            $0.request = .milliseconds(300)
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
            } catch HTTPRefusal.tooManyAnswers {
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
        try await withServer({ $0.idle = .seconds(5) }, handler: echo) { _, port in
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
        try await withServer({ $0.connectionsPerAddress = 5 }, handler: echo) { server, port in
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

@Suite("The memory of the HTTP server", .runsAlone(within: .seconds(300)))
struct HTTPMemoryTests {
    @Test("random bytes leave it flat, and others are answered afterwards")
    func randomBytes() async throws {
        let count = ProcessInfo.processInfo.environment["RANDOM_REQUESTS"].flatMap { Int($0) } ?? 10_000
        try await withServer {
            $0.connectionsPerAddress = 0
            // The library sometimes misses the end of a client whose last bytes it has just read.
            $0.idle = .milliseconds(100)
        } handler: {
            try await echoBody($0)
        } _: { server, port in
            let pieces = [
                "GET ", "PUT ", "/", " HTTP/1.1\r\n", "\r\n", "\r\n\r\n", "Host: h\r\n", "Content-Length: ", "5", "%00",
                ":", "\0", "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "ffffffffffffffff\r\n",
            ]
            func send(_ numbers: Range<Int>) async throws {
                for number in numbers {
                    var generator = SeededGenerator(seed: UInt64(number))
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
            // Most of them wait for the idle limit.
            let clients = 64
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<clients {
                    group.addTask {
                        let size = (count - 1_000) / clients
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
        let count = ProcessInfo.processInfo.environment["SLOW_CLIENTS"].flatMap { Int($0) } ?? 60
        try await withServer {
            $0.connectionsPerAddress = 0
            $0.idle = .seconds(3)
            $0.request = .seconds(3)
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

/// The resident memory of this process in bytes; 0 where it is not known.
func residentMemory() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    return (status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
}
#endif
