#if Server
import Foundation
import Synchronization
import TestConcurrency
import Testing

@testable import TravelServer

@Suite("The HTTP server reads a body", .limitedConcurrency)
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
        try await withServer({ $0.maximumBody = 5_000 }, handler: echoBody) { _, port in
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
        try await withServer({ $0.maximumBody = 100_000 }, handler: echoBody) { _, port in
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
            } catch HTTPRefusal.tooManyBodies {
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

    @Test("in part: frees its memory when the client has gone")
    func clientGoes() async throws {
        try await withServer(handler: echoBody) { server, port in
            for _ in 0..<10 {
                let client = try RawClient(port: port)
                let body = String(repeating: "x", count: 500)
                // Closed at once, so that the server often finds the end together with the bytes.
                await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 900\r\n\r\n\(body)")
            }
            #expect(try await eventually { server.counts.acceptedConnections == 10 })
            #expect(try await eventually { server.counts.requestsUnderWay == 0 && server.bodies.reserved == 0 })
        }
    }

    @Test("of a client that closes its side, and still gets the answer")
    func halfClosed() async throws {
        try await withServer(handler: echoBody) { _, port in
            let client = try RawClient(port: port)
            await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabcde")
            client.half()
            #expect(await client.receive(until: "abcde").hasSuffix("abcde"))
        }
    }
}

@Suite("The HTTP server streams", .limitedConcurrency)
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
            $0.keepAlive = .milliseconds(50)
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
#endif
