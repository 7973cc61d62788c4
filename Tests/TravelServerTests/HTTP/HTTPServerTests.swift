#if Server
import Foundation
import Synchronization
import TestConcurrency
import Testing

@testable import TravelServer

/// A server that is stopped after a test.
func withServer(
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
    _ body: (HTTPServer, Int) async throws -> Void
) async throws {
    var configuration = ServerConfiguration(port: 0)
    configuration.look = .milliseconds(20)
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

/// Whether `condition` becomes true within some seconds.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<500 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return false
}

/// Answers with the method, the path and the query.
@Sendable func echo(_ request: HTTPRequest) async throws -> HTTPResponse {
    if request.isMalformed { return HTTPResponse(400) }
    let query = request.query.map { "\($0.name)=\($0.value ?? "-")" }.joined(separator: ";")
    return HTTPResponse(200, body: Array("\(request.method) \(request.path) \(query)".utf8))
}

/// Answers with the body, at most 1,000 bytes.
@Sendable func echoBody(_ request: HTTPRequest) async throws -> HTTPResponse {
    do {
        return HTTPResponse(200, body: try await request.readBody(1_000))
    } catch is HTTPRefusal {
        return HTTPResponse(413)
    }
}

@Suite("The HTTP server answers", .limitedConcurrency)
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
            "Content-Length: +1", "Transfer-Encoding: gzip, chunked", "Host: two", "Content-Length : 1",
            "Content-Length\t: 1", "Transfer-Encoding : chunked", "A: b\rContent-Length: 1",
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
                let texts = [
                    ("192.0.2.1:4711", "192.0.2.1"), ("[2001:db8::7]:4711", "2001:db8::7"),
                    ("[2001:db8::7]", "2001:db8::7"), ("192.0.2.9, 192.0.2.1:1", "192.0.2.1"),
                ]
                for (text, address) in texts {
                    let client = await ask(port, headers: ["X-Forwarded-For: \(text)"])?.text
                    #expect(client == (isBehindProxy ? address : "127.0.0.1"), "\(text)")
                }
                for text in [
                    "nonsense", "192.0.2.1:", "192.0.2.1:x", "192.0.2.1:65536", "[192.0.2.1]:1", "[2001:db8::7", "[]:1",
                    "[2001:db8::7]4711", "192.0.2.1:+1", ":1",
                ] {
                    #expect(await ask(port, headers: ["X-Forwarded-For: \(text)"])?.text == "127.0.0.1", "\(text)")
                }
            }
        }
    }

    @Test("an error when the port is taken")
    func takenPort() async throws {
        try await withServer(handler: echo) { _, port in
            let error = ServerStartError("Cannot listen on 127.0.0.1:\(port): Address already in use.")
            #expect(throws: error) {
                try HTTPServer(ServerConfiguration(port: port), handler: echo).start()
            }
        }
    }

    @Test("an error when the certificate is none")
    func badCertificate() {
        var configuration = ServerConfiguration(port: 0)
        configuration.tls = ServerConfiguration.TLS(certificate: "no certificate", key: "no key")
        let error = ServerStartError(
            "The certificate or its key is not in PEM format, or they do not match.")
        #expect(throws: error) {
            try HTTPServer(configuration, handler: echo).start()
        }
    }
}

@Suite("The HTTP server stops", .limitedConcurrency)
struct HTTPStopTests {
    @Test("after the requests under way, ends its streams, and answers new requests with 503")
    func graceful() async throws {
        let (go, signal) = AsyncStream<Void>.makeStream()
        let server = HTTPServer(ServerConfiguration(port: 0)) { request in
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
        let late = try RawClient(port: port)
        await late.send("GET /late HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(await late.receiveToEnd().hasPrefix("HTTP/1.1 503"))
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
        let server = HTTPServer(ServerConfiguration(port: 0)) { _ in
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
            let server = HTTPServer(ServerConfiguration(port: 0)) { request in
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
        let server = HTTPServer(ServerConfiguration(port: 0), handler: echo)
        _ = try server.start()
        #expect(throws: ServerStartError("The server has been started already.")) { try server.start() }
        async let first: Void = server.stop()
        async let second: Void = server.stop()
        _ = await (first, second)
        #expect(throws: ServerStartError("The server has been started already.")) { try server.start() }
        await HTTPServer(ServerConfiguration(port: 0), handler: echo).stop()
    }
}
#endif
