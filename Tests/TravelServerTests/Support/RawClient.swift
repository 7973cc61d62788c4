#if Server
import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connection to a server that sends and receives bytes as they are. Its functions wait on threads of their own.
final class RawClient: Sendable {
    private let socket: Int32

    struct Failure: Error {
        let call: String
        let code: Int32
    }

    /// Connects to a port of this machine, from `address`, one of 127.0.0.0/8.
    init(port: Int, from address: String = "127.0.0.1") throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        socket = Self.newSocket(kind)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var local = Self.address(address, 0)
        var remote = Self.address("127.0.0.1", port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &local) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
        }
        guard code == 0 else { throw Failure(call: "bind", code: errno) }
        let result = withUnsafePointer(to: &remote) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        guard result == 0 else { throw Failure(call: "connect", code: errno) }
    }

    deinit {
        _ = close(socket)
    }

    private static func newSocket(_ kind: Int32) -> Int32 {
        #if canImport(Darwin)
        Darwin.socket(AF_INET, kind, 0)
        #elseif canImport(Glibc)
        Glibc.socket(AF_INET, kind, 0)
        #else
        Musl.socket(AF_INET, kind, 0)
        #endif
    }

    private static func address(_ host: String, _ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        inet_pton(AF_INET, host, &address.sin_addr)
        return address
    }

    /// Makes the buffer for what arrives small, so that the server notices a client that does not read.
    func useSmallBuffer() {
        var size: Int32 = 4_096
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends bytes; returns whether the server took them.
    @discardableResult
    func send(_ bytes: some Sequence<UInt8> & Sendable) async -> Bool {
        await elsewhere { [socket] in
            var rest = Array(bytes)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Self.send(socket, $0) }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    @discardableResult
    func send(_ text: String) async -> Bool {
        await send(Array(text.utf8))
    }

    private static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.send(socket, bytes.baseAddress, bytes.count, 0)
        #elseif canImport(Glibc)
        Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
        Musl.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #endif
    }

    /// Receives what is there, waiting for the first byte; `nil` when the server has closed the connection.
    func receive() async -> [UInt8]? {
        await elsewhere { [socket] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &bytes, bytes.count, 0)
            return count > 0 ? Array(bytes.prefix(count)) : nil
        }
    }

    /// Receives until the server closes the connection.
    func receiveToEnd() async -> String {
        var all: [UInt8] = []
        while let bytes = await receive() { all += bytes }
        return String(decoding: all, as: UTF8.self)
    }

    /// Receives until the text contains `marker`, or the connection ends.
    func receive(until marker: String) async -> String {
        var all = ""
        while !all.contains(marker), let bytes = await receive() { all += String(decoding: bytes, as: UTF8.self) }
        return all
    }

    func half() {
        shutdown(socket, Int32(SHUT_WR))
    }
}

/// Runs `body` on a thread outside of the cooperative pool, which the server needs.
func elsewhere<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}

/// A request of a client that closes the connection after the answer.
struct Reply: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Reads an answer with its length, or to the end.
    init?(_ bytes: [UInt8]) {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) }) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        self.status = status
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 {
                headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        self.headers = headers
        body = Array(bytes[(end + 4)...])
    }
}

/// Sends one request on a connection of its own, and returns the answer; `nil` when there is none.
func ask(
    _ port: Int, _ method: String = "GET", _ target: String = "/", headers: [String] = [], body: [UInt8]? = nil,
    from address: String = "127.0.0.1"
) async -> Reply? {
    // A connection that is refused is one without an answer.
    guard let client = try? RawClient(port: port, from: address) else { return nil }
    let head =
        ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
        + (body.map { ["Content-Length: \($0.count)"] } ?? [])
    await client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
    var all: [UInt8] = []
    while let bytes = await client.receive() { all += bytes }
    return Reply(all)
}
#endif
