import Dispatch
import Foundation
import Synchronization
import TravelDomainTesting
import TravelJSON

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// An HTTP server on a loopback port, whose answers are what a test writes, byte by byte.
///
/// Each connection has a thread, so that a handler may block it.
final class TestServer: Sendable {
    struct Request: Sendable {
        /// 0 for the first request that the server has received.
        let number: Int
        let method: String
        /// The path and the query.
        let target: String
        let headers: [String: String]
        let body: Data

        func header(_ name: String) -> String? { headers[name.lowercased()] }
    }

    typealias Handler = @Sendable (Request, Connection) -> Void

    let port: UInt16
    private let listener: Int32
    private let log = Mutex<[Request]>([])
    private let open = Mutex<(sockets: Set<Int32>, isStopped: Bool)>(([], false))

    /// The requests so far, in the order in which their heads arrived.
    var requests: [Request] { log.withLock { $0 } }

    init(_ handler: @escaping Handler) throws {
        #if canImport(Glibc) || canImport(Musl)
        let type = Int32(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        listener = socket(AF_INET, type, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            // Closed by the thread that accepts: another server could have the number of the descriptor before it notices.
            defer { close(listener) }
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { return }
                let isStopped = open.withLock { open in
                    if !open.isStopped { open.sockets.insert(socket) }
                    return open.isStopped
                }
                if isStopped {
                    close(socket)
                    return
                }
                #if canImport(Darwin)
                var yes: Int32 = 1
                setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
                #endif
                Thread.detachNewThread { [self] in
                    serve(socket, handler)
                    _ = open.withLock { $0.sockets.remove(socket) }
                    close(socket)
                }
            }
        }
    }

    var address: String { "http://127.0.0.1:\(port)" }

    /// Ends all connections, and accepts no others.
    func stop() {
        let wasStopped = open.withLock { open in
            defer { open.isStopped = true }
            for socket in open.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            return open.isStopped
        }
        if !wasStopped { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    private func serve(_ socket: Int32, _ handler: Handler) {
        let connection = Connection(socket: socket)
        while let head = connection.readHead() {
            var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
            let first = lines.removeFirst().split(separator: " ")
            guard first.count == 3 else { return }
            var headers: [String: String] = [:]
            for line in lines {
                guard let colon = line.firstIndex(of: ":") else { continue }
                headers[line[..<colon].lowercased()] =
                    line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
            if headers["expect"] != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
            guard let body = connection.read(headers["content-length"].flatMap { Int($0) } ?? 0) else { return }
            let request = log.withLock { log in
                let request = Request(
                    number: log.count, method: String(first[0]), target: String(first[1]), headers: headers, body: body)
                log.append(request)
                return request
            }
            connection.endsAfterAnswer = headers["connection"]?.lowercased() == "close"
            handler(request, connection)
            if connection.isClosed { return }
        }
    }

    /// A connection of a client, used by its thread only.
    final class Connection {
        private let socket: Int32
        private var buffer = Data()
        private(set) var isClosed = false
        /// Whether the client has asked for that.
        fileprivate(set) var endsAfterAnswer = false

        fileprivate init(socket: Int32) {
            self.socket = socket
        }

        func send(_ text: String) { send(Data(text.utf8)) }

        func send(_ bytes: Data) {
            #if canImport(Darwin)
            let flags: Int32 = 0
            #else
            let flags = Int32(MSG_NOSIGNAL)
            #endif
            var rest = bytes
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { systemSend(socket, $0.baseAddress, $0.count, flags) }
                guard count > 0 else {
                    isClosed = true
                    return
                }
                rest = rest.dropFirst(count)
            }
        }

        /// Ends the connection after what was sent.
        func close() {
            shutdown(socket, Int32(SHUT_RDWR))
            isClosed = true
        }

        /// Returns when the client ends the connection.
        func waitForEnd() {
            while read(1) != nil {}
            isClosed = true
        }

        fileprivate func readHead() -> String? {
            while true {
                if let end = buffer.range(of: Data("\r\n\r\n".utf8)) {
                    let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                    buffer = Data(buffer[end.upperBound...])
                    return head
                }
                guard receive() else { return nil }
            }
        }

        fileprivate func read(_ count: Int) -> Data? {
            while buffer.count < count { guard receive() else { return nil } }
            let bytes = Data(buffer.prefix(count))
            buffer = Data(buffer.dropFirst(count))
            return bytes
        }

        private func receive() -> Bool {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &bytes, bytes.count, 0)
            guard count > 0 else { return false }
            buffer.append(contentsOf: bytes[..<count])
            return true
        }
    }
}

// A method of the same name would shadow the C function.
private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(socket, bytes, count, flags)
}

extension TestServer.Connection {
    /// Sends an answer of the interface with a body of that type.
    func answer(
        _ status: Int, _ body: Data = Data(), type: String = InterfaceHeader.json, headers: [String: String] = [:]
    ) {
        var head = "HTTP/1.1 \(status) Status\r\n\(InterfaceHeader.version): 1\r\n"
        if endsAfterAnswer { head += "Connection: close\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if status != 204 { head += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n" }
        send(Data((head + "\r\n").utf8) + body)
        if endsAfterAnswer { close() }
    }

    func answer(_ status: Int, json: some Encodable, headers: [String: String] = [:]) {
        do { answer(status, try JSONCoding.data(for: json), headers: headers) } catch { close() }
    }

    func answer(_ error: TravelError, headers: [String: String] = [:]) {
        answer(Problem(error), headers: headers)
    }

    func answer(_ problem: Problem, headers: [String: String] = [:]) {
        do {
            answer(
                problem.status, try JSONCoding.data(for: problem), type: Problem.mediaType, headers: headers)
        } catch {
            close()
        }
    }

    /// Begins a stream of events, which ends with the connection.
    func beginEvents() {
        send(
            "HTTP/1.1 200 OK\r\n\(InterfaceHeader.version): 1\r\nContent-Type: \(InterfaceHeader.eventStream)\r\n"
                + "Cache-Control: no-store\r\nConnection: close\r\n\r\n")
    }

    func event(_ type: String = "value", id: String, _ value: some Encodable) {
        do {
            let json = String(decoding: try JSONCoding.data(for: value), as: UTF8.self)
            send("id: \(id)\nevent: \(type)\ndata: \(json)\n\n")
        } catch {
            close()
        }
    }
}
