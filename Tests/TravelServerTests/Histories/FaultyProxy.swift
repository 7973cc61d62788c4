#if Server
import Foundation
import Synchronization
import TestReporting

/// A TCP proxy on this machine between one client and a server, whose faults follow from a seed.
final class FaultyProxy: Sendable {
    enum Quality: Sendable {
        case perfect
        /// Connections are delayed, cut in the middle of a request or an answer, closed for one direction, or silent.
        case poor
        /// Connections are refused, and those that are open are cut.
        case offline
    }

    private struct State {
        var quality = Quality.perfect
        var target: Int?
        var random: SeededGenerator
        /// The sockets to the server of open connections that are not cut, by their numbers.
        var open: [Int: Int32] = [:]
        var last = 0
    }

    /// The port at which the client finds it, always the same.
    let port: Int
    private let listener: Int32
    private let state: Mutex<State>

    init(seed: UInt64) throws {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
        let listener = Self.newSocket()
        self.listener = listener
        var address = Self.address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, size) == 0, listen(listener, 64) == 0 else { return Int32(-1) }
                return getsockname(listener, address, &size)
            }
        }
        guard code == 0 else { throw RawClient.Failure(call: "listen", code: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in acceptConnections() }.start()
    }

    var quality: Quality {
        get { state.withLock { $0.quality } }
        set {
            state.withLock { $0.quality = newValue }
            // The faults of the former quality end with their connections.
            cut()
        }
    }

    /// Connects to the server at that port of this machine from now on; to none for `nil`.
    func connect(to target: Int?) {
        state.withLock { $0.target = target }
        cut()
    }

    /// Ends the proxy with all connections.
    func stop() {
        connect(to: nil)
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Cuts all connections.
    private func cut() {
        state.withLock { state in
            // This wakes their threads, which reset both sides.
            for server in state.open.values { shutdown(server, Int32(SHUT_RDWR)) }
            state.open = [:]
        }
    }

    private func acceptConnections() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            Thread { [self] in serve(client) }.start()
        }
        _ = close(listener)
    }

    // MARK: One connection

    private enum Direction: Sendable { case request, answer }

    /// What happens to a connection.
    private struct Plan {
        enum Fault { case none, cut, halfClose, silence }

        var fault = Fault.none
        /// The direction in which it happens, and the number of bytes before.
        var direction = Direction.request
        var bytes = 0
        /// The delay of each part, in milliseconds.
        var delay = 0
    }

    private func plan() -> (target: Int, plan: Plan)? {
        state.withLock { state in
            guard let target = state.target, state.quality != .offline else { return nil }
            var plan = Plan()
            guard state.quality == .poor else { return (target, plan) }
            plan.delay = Bool.random(using: &state.random) ? Int.random(in: 1...15, using: &state.random) : 0
            switch Int.random(in: 0...11, using: &state.random) {
            case 0...1: plan.fault = .cut
            case 2: plan.fault = .halfClose
            case 3: plan.fault = .silence
            default: break
            }
            plan.direction = Bool.random(using: &state.random) ? .request : .answer
            // Before the first byte, in the head, or in the body.
            switch Int.random(in: 0...2, using: &state.random) {
            case 0: plan.bytes = 0
            case 1: plan.bytes = Int.random(in: 1...200, using: &state.random)
            default: plan.bytes = Int.random(in: 200...3_000, using: &state.random)
            }
            return (target, plan)
        }
    }

    private func serve(_ client: Int32) {
        guard let (target, plan) = plan(), let server = Self.connection(to: target) else { return Self.reset(client) }
        let number = state.withLock { state in
            state.last += 1
            state.open[state.last] = server
            return state.last
        }
        forward(client, server, plan) { [self] in state.withLock { $0.open[number] == nil } }
        _ = state.withLock { $0.open.removeValue(forKey: number) }
        Self.reset(client)
        Self.reset(server)
    }

    /// Forwards bytes in both directions until both have ended, or the connection is cut by the plan or from elsewhere.
    private func forward(_ client: Int32, _ server: Int32, _ plan: Plan, isCut: () -> Bool) {
        var counts: [Direction: Int] = [.request: 0, .answer: 0]
        var ended: Set<Direction> = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while ended.count < 2 {
            let directions = [Direction.request, .answer].filter { !ended.contains($0) }
            var events = directions.map {
                pollfd(fd: $0 == .request ? client : server, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&events, nfds_t(events.count), 10_000) > 0 else { return }
            for (direction, event) in zip(directions, events) where event.revents != 0 {
                let (source, sink) = direction == .request ? (client, server) : (server, client)
                let count = recv(source, &buffer, buffer.count, 0)
                guard count > 0 else {
                    if count < 0 || isCut() { return }
                    shutdown(sink, Int32(SHUT_WR))
                    ended.insert(direction)
                    continue
                }
                if plan.delay > 0 { usleep(UInt32(plan.delay) * 1_000) }
                let isFaulty = plan.fault != .none && plan.direction == direction
                var allowed = isFaulty ? min(count, plan.bytes - counts[direction, default: 0]) : count
                if isFaulty, plan.fault == .halfClose, direction == .answer, allowed > 0 {
                    allowed = Self.endOfHead(in: buffer[..<count])
                }
                guard Self.send(buffer[..<allowed], to: sink) else { return }
                counts[direction, default: 0] += allowed
                guard allowed < count else { continue }
                switch plan.fault {
                case .none: break
                case .cut: return
                case .halfClose:
                    shutdown(sink, Int32(SHUT_WR))
                    ended.insert(direction)
                case .silence:
                    // Nothing arrives any more, until someone gives up.
                    var waiting = [pollfd(fd: client, events: 0, revents: 0)]
                    poll(&waiting, 1, 150)
                    return
                }
            }
        }
    }

    /// The number of bytes up to the end of the head of an answer; 0 if it is not in the bytes.
    ///
    /// NB: Foundation on Linux ends the process when a connection without TLS is closed, and not reset, in the head of an
    /// answer (swift-corelibs-foundation, issue 5285): the faults of this proxy do not do that.
    private static func endOfHead(in bytes: ArraySlice<UInt8>) -> Int {
        bytes.firstRange(of: Array("\r\n\r\n".utf8)).map { $0.upperBound - bytes.startIndex } ?? 0
    }

    // MARK: Sockets

    private static func newSocket() -> Int32 {
        #if canImport(Darwin)
        socket(AF_INET, SOCK_STREAM, 0)
        #else
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        return address
    }

    private static func connection(to port: Int) -> Int32? {
        let server = newSocket()
        var address = address(port)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connectSocket(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            _ = close(server)
            return nil
        }
        return server
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to sink: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { sendBytes(sink, $0) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Closes a socket at once, so that the other end notices.
    private static func reset(_ file: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(file, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        _ = close(file)
    }
}

// The names of these functions are taken inside of the class.

private func connectSocket(_ file: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(file, address, size)
}

private func sendBytes(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
    send(file, bytes.baseAddress, bytes.count, 0)
    #else
    send(file, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
}
#endif
