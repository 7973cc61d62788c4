#if Server
import Dispatch
import Foundation

/// The answer to a request.
struct HTTPAnswer {
    let headers: [String]
    let body: ArraySlice<UInt8>
}

/// A connection to a server of this machine.
final class LocalSocket {
    private let port: Int
    private let socket: Int32

    /// Connects from an address of this machine, of which there are many: a server limits the connections of each.
    init(port: Int, from host: UInt32 = 1) throws {
        self.port = port
        #if canImport(Glibc) || canImport(Musl)
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var on: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout.size(ofValue: on)))
        guard call(bind, (127 << 24 | host, 0)), call(connect, (127 << 24 | 1, port)) else {
            throw ServerBenchmarks.Failure("no connection to port \(port): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(socket) }

    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ place: (host: UInt32, port: Int)
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = place.host.bigEndian
        address.sin_port = in_port_t(place.port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    func send(_ bytes: [UInt8]) throws {
        guard Foundation.send(socket, bytes, bytes.count, 0) == bytes.count else {
            throw ServerBenchmarks.Failure("a request cannot be sent: \(String(cString: strerror(errno)))")
        }
    }

    /// Receives bytes behind the first `count` of a buffer; returns the number of bytes with them.
    func receive(into buffer: inout [UInt8], behind count: Int) throws -> Int {
        let received = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress! + count, $0.count - count, 0) }
        guard received > 0 else {
            let reason = received == 0 ? "" : ": \(String(cString: strerror(errno)))"
            throw ServerBenchmarks.Failure("port \(port) has closed a connection\(reason)")
        }
        return count + received
    }
}

/// A connection that asks one question again and again.
///
/// It expects every answer to be as long as the first one: the same bytes are served in each round.
final class KeptConnection {
    private let socket: LocalSocket
    private let request: [UInt8]
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    private var length: Int?

    init(port: Int, target: String, headers: [String] = [], from host: UInt32 = 1) throws {
        let lines = ["GET \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers
        request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        socket = try LocalSocket(port: port, from: host)
    }

    func send() throws { try socket.send(request) }

    private func receive(behind count: Int) throws -> Int { try socket.receive(into: &buffer, behind: count) }

    /// Waits for the next bytes.
    func wait() throws {
        _ = try receive(behind: 0)
    }

    /// Sends the request, and receives the answer.
    func exchange() throws {
        try send()
        var count = 0
        while count < length ?? 1 { count = try receive(behind: count) }
        if length == nil {
            let answer = try answer(&count)
            length = count
            guard answer.headers.count > 1 else { throw ServerBenchmarks.Failure("an answer without a head") }
        }
        guard count == length, buffer.starts(with: "HTTP/1.1 200 ".utf8) else {
            throw ServerBenchmarks.Failure("an answer differs from the first one")
        }
    }

    /// The answer to the request.
    func answer() throws -> HTTPAnswer {
        try send()
        var count = try receive(behind: 0)
        return try answer(&count)
    }

    /// The answer that begins with the first bytes of the buffer.
    private func answer(_ count: inout Int) throws -> HTTPAnswer {
        while true {
            let text = String(decoding: buffer[..<count], as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
                let name = "content-length: "
                guard let field = lines.first(where: { $0.lowercased().hasPrefix(name) }),
                    let bodyLength = Int(field.dropFirst(name.count))
                else { throw ServerBenchmarks.Failure("an answer without a length: \(lines[0])") }
                let start = text.utf8.distance(from: text.startIndex, to: end.upperBound)
                while count < start + bodyLength { count = try receive(behind: count) }
                return HTTPAnswer(headers: Array(lines.dropFirst()), body: buffer[start..<start + bodyLength])
            }
            count = try receive(behind: count)
        }
    }
}

/// Connections that load a server, each on a thread of its own.
struct Load {
    let port: Int
    let target: String
    var headers: [String] = []
    var connections = 16

    /// Asks again as soon as an answer has arrived, and returns the nanoseconds for each request.
    func unlimited(seconds: Double) async throws -> Double {
        let duration = UInt64(seconds * 1e9)
        let start = Report.Clock.wall.now
        let counts = try await onThreads { _, connection in
            var count = 0
            while Report.Clock.wall.now - start < duration {
                try connection.exchange()
                count += 1
            }
            return [count]
        }
        return Double(Report.Clock.wall.now - start) / Double(counts.reduce(0, +))
    }

    /// Asks in equal intervals, whether or not the server keeps up, and returns the nanoseconds of each answer from the
    /// moment at which it should have been asked for.
    func steady(nanosecondsEach: Double, seconds: Double) async throws -> [Int] {
        let (start, interval) = (Report.Clock.wall.now, nanosecondsEach * Double(connections))
        return try await onThreads { index, connection in
            var times: [Int] = []
            while true {
                let due = Double(index) * nanosecondsEach + Double(times.count) * interval
                guard due < seconds * 1e9 else { return times }
                let now = Double(Report.Clock.wall.now - start)
                if now < due { Thread.sleep(forTimeInterval: (due - now) / 1e9) }
                try connection.exchange()
                times.append(Int(Double(Report.Clock.wall.now - start) - due))
            }
        }
    }

    private func onThreads(
        _ work: @escaping @Sendable (_ index: Int, KeptConnection) throws -> [Int]
    ) async throws -> [Int] {
        let (port, target, headers) = (port, target, headers)
        return try await withThrowingTaskGroup(of: [Int].self) { group in
            for index in 0..<connections {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(
                                with: Result {
                                    try work(index, try KeptConnection(port: port, target: target, headers: headers))
                                })
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}
#endif
