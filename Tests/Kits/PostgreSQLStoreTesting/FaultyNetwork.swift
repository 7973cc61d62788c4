#if PostgreSQL
import Foundation
public import PostgreSQLStore
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A relay between a database and an own server that loses connections, and holds back or slows down bytes, as a
/// network does.
///
/// ```swift
/// let network = try FaultyNetwork(to: server)
/// let database = try await Database.open(network.location)
/// network.cut(afterSending: 200)    // Bytes to the server, from now on.
/// ```
///
/// `@unchecked Sendable`: all variables are in `state`. A descriptor is shut down only under its lock, while it is in
/// `sockets` or is the listener, and closed only after it has been removed there: the system gives its number to
/// the next file that any thread of the process opens.
public final class FaultyNetwork: @unchecked Sendable {
    /// How to connect to the server through the relay.
    public let location: Database.Location
    private let folder: String
    private let target: String
    private let listener: Int32
    private let state = Mutex(State())

    private struct State {
        var remaining = Int.max
        var isHolding = false
        var bytesPerSecond: Int?
        var isClosed = false
        /// Whether the thread that accepts connections still owns the listener.
        var isListening = true
        var sockets: Set<Int32> = []
        var forgotten: Set<Int32> = []
    }

    /// Relays to a server of this process.
    ///
    /// - Throws: `PostgreSQLServer.StartError` for an engine of the environment, and when the system cannot listen.
    public init(to server: PostgreSQLServer) throws {
        guard let target = server.folder else {
            throw PostgreSQLServer.StartError(description: "the relay needs a server of this process")
        }
        self.target = target + "/.s.PGSQL.5432"
        folder = "\(FileManager.default.temporaryDirectory.path())/net-\(UInt32.random(in: 0 ... .max))"
        location = .parameters(["host": folder, "user": "postgres", "dbname": "postgres"])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = Self.unixSocket()
        let listener = listener
        let isListening = Self.withAddress("\(folder)/.s.PGSQL.5432") { bind(listener, $0, $1) } == 0
        guard isListening, listen(listener, 100) == 0 else {
            throw PostgreSQLServer.StartError(description: "the system cannot listen in \(folder)")
        }
        Thread.detachNewThread { [self] in acceptConnections() }
    }

    /// Cuts all connections after this number of bytes has been sent to the server from now on; 0 cuts them at
    /// once. New connections are relayed again once the others have been cut.
    public func cut(afterSending count: Int) {
        state.withLock { state in
            state.remaining = count > 0 ? count : .max
            guard count <= 0 else { return }
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Cuts each of the present connections when a client sends on it, as a firewall does that has forgotten them.
    public func forget() {
        state.withLock { $0.forgotten = $0.sockets }
    }

    /// Holds back all bytes without closing a connection, as if the server had vanished, or relays them again.
    public func hold(_ isHolding: Bool) {
        state.withLock { $0.isHolding = isHolding }
    }

    /// Relays this number of bytes per second on each connection, in either direction; nil is no limit.
    public func slow(to bytesPerSecond: Int?) {
        state.withLock { $0.bytesPerSecond = bytesPerSecond }
    }

    /// Cuts all connections, and accepts no more.
    public func close() {
        state.withLock { state in
            state.isClosed = true
            state.isHolding = false
        }
        cut(afterSending: 0)
        state.withLock { state in
            if state.isListening { shutdown(listener, Int32(SHUT_RDWR)) }
        }
        // Without the socket file no client can connect. An error leaves only files in the temporary directory.
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func acceptConnections() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = Self.unixSocket()
            let isConnected = Self.withAddress(target) { connect(server, $0, $1) } == 0
            guard isConnected, !state.withLock({ $0.isClosed }) else {
                Self.close(client)
                Self.close(server)
                continue
            }
            state.withLock { $0.sockets.formUnion([client, server]) }
            Thread.detachNewThread { [self] in relay(client, server) }
        }
        state.withLock { $0.isListening = false }
        Self.close(listener)
    }

    /// Relays in both directions until one of them ends.
    private func relay(_ client: Int32, _ server: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if state.withLock({ $0.isHolding }) {
                usleep(1000)
                continue
            }
            var sockets = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&sockets, 2, 20) >= 0 else { break }
            if state.withLock({ $0.isHolding }) { continue }
            var isOver = false
            // 50 portions a second.
            let portion = state.withLock { $0.bytesPerSecond }.map { max($0 / 50, 1) }
            if portion != nil { usleep(20_000) }
            for (index, socket) in sockets.enumerated() where socket.revents != 0 {
                let count = read(socket.fd, &buffer, portion ?? buffer.count)
                let allowed = index == 0 ? take(count, of: client) : count
                isOver =
                    count <= 0 || !Self.send(buffer, allowed, to: index == 0 ? server : client) || allowed < count
            }
            if isOver { break }
        }
        state.withLock { state in
            state.sockets.subtract([client, server])
            state.forgotten.subtract([client, server])
        }
        Self.close(client)
        Self.close(server)
    }

    /// Returns how many of the bytes of a client may be sent to the server.
    private func take(_ count: Int, of client: Int32) -> Int {
        state.withLock { state in
            guard !state.forgotten.contains(client) else { return 0 }
            let allowed = min(max(count, 0), state.remaining)
            if state.remaining != .max { state.remaining -= allowed }
            if allowed < count { state.remaining = .max }
            return allowed
        }
    }

    private static func send(_ bytes: [UInt8], _ count: Int, to socket: Int32) -> Bool {
        var sent = 0
        while sent < count {
            let step = bytes.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                Darwin.send(socket, buffer.baseAddress! + sent, count - sent, 0)
                #else
                Glibc.send(socket, buffer.baseAddress! + sent, count - sent, Int32(MSG_NOSIGNAL))
                #endif
            }
            guard step > 0 else { return false }
            sent += step
        }
        return true
    }

    private static func unixSocket() -> Int32 {
        #if canImport(Darwin)
        socket(AF_UNIX, SOCK_STREAM, 0)
        #else
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #endif
    }

    private static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
        Darwin.close(descriptor)
        #else
        Glibc.close(descriptor)
        #endif
    }

    private static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
#endif
