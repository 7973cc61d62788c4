#if Server
internal import CMicroHTTP
import Dispatch
import Foundation
import Synchronization

/// An HTTP/1.1 server on libmicrohttpd, whose requests are answered by asynchronous functions.
///
/// The library parses requests, encrypts connections and moves bytes on threads of its own; ``HTTPExchange`` describes
/// how a request is answered. What the library does not limit, a monitor does: it looks at all connections a few times a
/// second, closes those that are slow, and cancels the tasks of those whose clients have gone.
///
/// **Why this is `@unchecked Sendable`.** All mutable state is in `state`, apart from `retained`, which is written in
/// `start()` before the library has a thread, and in `stop()` after it has none.
package final class HTTPServer: @unchecked Sendable {
    /// What the server has done and does.
    struct Counts: Hashable, Sendable {
        var connections = 0
        var acceptedConnections = 0
        var requests = 0
        var requestsUnderWay = 0
        /// Connections that the monitor has closed because they were slow.
        var cutOff = 0
        /// Requests whose clients went before the answer.
        var abandoned = 0
    }

    let configuration: ServerConfiguration
    private let handler: @Sendable (HTTPRequest) async throws -> HTTPResponse
    private let state = Mutex(State())
    private let stopping = Atomic(false)
    /// The memory for bodies, and for answers.
    let bodies: MemoryBudget
    let answers: MemoryBudget
    /// The answer to a request that the handler does not answer.
    let refuse: @Sendable (HTTPRefusal) -> HTTPResponse
    /// The number of connections about to be resumed, which the library must not be stopped before.
    private let resuming = Atomic(0)
    /// The C strings and the address that the library reads.
    private var retained: [UnsafeMutableRawPointer] = []

    private struct State {
        var running: Running?
        var connections: [ObjectIdentifier: HTTPConnection] = [:]
        var counts = Counts()
    }

    /// The handle of the library and the timer of the monitor, both of which may be used on any thread.
    private struct Running: @unchecked Sendable {
        let daemon: OpaquePointer
        let monitor: any DispatchSourceTimer
    }

    /// Creates a server; `handler` answers its requests, and `refuse` those that do not reach it. What the handler throws
    /// is a fault.
    package init(
        _ configuration: ServerConfiguration,
        refuse: @escaping @Sendable (HTTPRefusal) -> HTTPResponse = { HTTPResponse($0.status) },
        handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse
    ) {
        self.configuration = configuration
        self.refuse = refuse
        self.handler = handler
        bodies = MemoryBudget(configuration.bodyMemory)
        answers = MemoryBudget(configuration.answerMemory)
    }

    var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

    var counts: Counts { state.withLock { $0.counts } }

    // MARK: Starting

    /// Starts to listen. Returns the port.
    package func start() throws(ServerStartError) -> Int {
        guard state.withLock({ $0.running == nil }), !isStopping else {
            throw ServerStartError("The server has been started already.")
        }
        let address = try configuration.address()
        var settings = CMicroHTTP_Settings()
        settings.isIPv6 = address.isIPv6 ? 1 : 0
        settings.memoryPerConnection = configuration.connectionMemory
        settings.connections = UInt32(configuration.connections)
        // Behind a proxy all come from its address; 0 is no limit.
        settings.connectionsPerAddress = UInt32(
            configuration.isBehindProxy ? 0 : configuration.connectionsPerAddress)
        settings.idleSeconds = UInt32(clamping: max(1, configuration.idle.components.seconds))
        settings.threads = UInt32(configuration.threads)
        settings.address = UnsafePointer(retain(address.bytes).assumingMemoryBound(to: sockaddr.self))
        if let tls = configuration.tls {
            settings.certificate = UnsafePointer(
                retain(Array(tls.certificate.utf8) + [0]).assumingMemoryBound(to: CChar.self))
            settings.key = UnsafePointer(retain(Array(tls.key.utf8) + [0]).assumingMemoryBound(to: CChar.self))
        }
        // The server outlives the library's threads, which end in `stop()`: it is retained here, and released there.
        settings.context = Unmanaged.passRetained(self).toOpaque()
        settings.handle = handleRequest
        settings.completed = requestCompleted
        settings.connection = connectionChanged
        // Paths and queries are decoded here, strictly.
        settings.unescape = { _, _, text in text.map { strlen($0) } ?? 0 }
        settings.target = targetArrived
        errno = 0
        guard let daemon = CMicroHTTP_start(&settings) else {
            let code = errno
            Unmanaged.passUnretained(self).release()
            releaseRetained()
            let (host, port) = (configuration.host, configuration.port)
            throw ServerStartError(
                configuration.tls != nil && code == 0
                    ? "The certificate or its key is not in PEM format, or they do not match."
                    : "Cannot listen on \(host):\(port): \(String(cString: strerror(code))).")
        }
        let monitor = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "monitor of connections"))
        let look = configuration.look / .seconds(1)
        monitor.schedule(deadline: .now() + look, repeating: look, leeway: .milliseconds(10))
        monitor.setEventHandler { [weak self] in self?.look() }
        let running = Running(daemon: daemon, monitor: monitor)
        state.withLock { $0.running = running }
        running.monitor.activate()
        return Int(CMicroHTTP_port(daemon))
    }

    private func retain(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
        let pointer = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        pointer.copyMemory(from: bytes, byteCount: bytes.count)
        retained.append(pointer)
        return pointer
    }

    private func releaseRetained() {
        for pointer in retained { pointer.deallocate() }
        retained = []
    }

    // MARK: Stopping

    /// Stops: ends streams, answers new requests with 503, waits for the requests under way at most for `grace`, cancels
    /// those that are left, closes all connections, and frees the port. Only the first call stops; others return at
    /// once.
    ///
    /// The library accepts connections until it ends, so that their requests are answered: `MHD_quiesce_daemon`, which
    /// would leave them waiting, aborts the process if one of the library's threads wakes at the same time (0.9.75).
    package func stop(grace: Duration = .seconds(5)) async {
        guard !stopping.exchange(true, ordering: .sequentiallyConsistent) else { return }
        guard let running = state.withLock({ $0.running.take() }) else { return }
        // Requests that are not among these find `isStopping`.
        let underWay = exchanges
        for exchange in underWay { exchange.drain() }
        let identities = Set(underWay.map(ObjectIdentifier.init))
        // While they live, no other exchange has their identity.
        defer { withExtendedLifetime(underWay) {} }
        let end = ContinuousClock.now + grace
        while exchanges.contains(where: { identities.contains(ObjectIdentifier($0)) }), .now < end, !Task.isCancelled {
            // A cancelled wait stops at once.
            try? await Task.sleep(for: .milliseconds(10))
        }
        running.monitor.cancel()
        // Nothing may be suspended when the library stops: from here on, every request has its answer, and every
        // stream its end. A request that arrives later finds `isStopping`, and is not suspended.
        for exchange in exchanges { exchange.stop() }
        while resuming.load(ordering: .sequentiallyConsistent) > 0 { await Task.yield() }
        await withCheckedContinuation { continuation in
            // Joining the library's threads would block one of the cooperative pool.
            DispatchQueue.global().async {
                MHD_stop_daemon(running.daemon)
                continuation.resume()
            }
        }
        releaseRetained()
        Unmanaged.passUnretained(self).release()
    }

    private var exchanges: [HTTPExchange] {
        state.withLock { $0.connections.values.compactMap(\.exchange) }
    }

    // MARK: Callbacks

    fileprivate func opened(_ connection: HTTPConnection) {
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            state.counts.connections += 1
            state.counts.acceptedConnections += 1
        }
    }

    /// The connection closes: its socket is not used after this.
    fileprivate func closed(_ connection: HTTPConnection) {
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = nil
            state.counts.connections -= 1
        }
    }

    fileprivate func began(_ exchange: HTTPExchange, on connection: HTTPConnection) {
        state.withLock { state in
            connection.exchange = exchange
            state.counts.requests += 1
            state.counts.requestsUnderWay += 1
        }
    }

    fileprivate func ended(on connection: HTTPConnection?, isAbandoned: Bool) {
        state.withLock { state in
            connection?.exchange = nil
            connection?.idleSince = .now
            state.counts.requestsUnderWay -= 1
            if isAbandoned { state.counts.abandoned += 1 }
        }
    }

    /// Handles the first callback of a request. Returns its exchange, which the library passes to the others.
    fileprivate func begin(
        _ pointer: OpaquePointer, method: UnsafePointer<CChar>, path: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>?
    ) -> (exchange: HTTPExchange, isOpen: Bool) {
        let connection = HTTPConnection.attached(to: pointer)
        let headers = Self.headers(of: pointer)
        let length = headers["content-length"].flatMap { Int($0) }
        let isChunked = headers["transfer-encoding"] != nil
        let client = client(connection?.address ?? "", headers)
        let exchange = HTTPExchange(
            connection: pointer, server: self, client: client, announcedLength: isChunked ? nil : length ?? 0,
            hasBody: isChunked || length != 0 && headers["content-length"] != nil,
            expectsContinue: headers["expect"]?.lowercased() == "100-continue")
        // First known to `stop()`, and then a look at whether it has begun: either of the two sees the other.
        if let connection { began(exchange, on: connection) }
        if connection == nil || isStopping { return (exchange, exchange.refuse(.stopping)) }
        // The version follows the target and a space, unless the target has a NUL, which ends it for the library.
        let gap = version.map { $0 - path } ?? 0
        let hasNUL = gap > (connection?.target.length ?? 0) + 1 && gap <= configuration.head
        let tooManyParameters = connection?.target.parameters ?? 0 > configuration.parameters
        let path = UnsafeRawBufferPointer(start: path, count: strlen(path))
        let query = Self.values(CMicroHTTP_argument, of: pointer)
        if let refusal = refusal(of: headers, path, query, CMicroHTTP_headSize(pointer)) {
            return (exchange, exchange.refuse(refusal))
        }
        // What cannot be decoded is the handler's to describe.
        let target = hasNUL || tooManyParameters ? nil : HTTPTarget(path: path, query: query)
        let request = HTTPRequest(
            method: String(cString: method), path: target?.path ?? [], query: target?.query ?? [], headers: headers,
            isMalformed: target == nil, client: client,
            readBody: { limit in try await exchange.readBody(limit: limit) },
            reserveAnswer: { count in try exchange.reserveAnswer(count) })
        let isOpen = exchange.begin { [handler, refuse] exchange in
            let response: HTTPResponse
            do {
                response = try await handler(request)
            } catch {
                // The handler describes its errors itself; this one is a fault of the program, or a client that has gone.
                response = refuse(.fault)
            }
            guard case .stream(_, let produce) = response.body else { return exchange.answer(response) }
            guard await exchange.answer(streaming: response) else { return }
            do {
                try await produce(HTTPStream(exchange: exchange))
                exchange.finish(isComplete: true)
            } catch {
                exchange.finish(isComplete: false)
            }
        }
        return (exchange, isOpen)
    }

    /// Refuses heads that are too long, and those that a proxy may have understood differently (RFC 9112, sections 2.2, 3.2,
    /// 5.1 and 6.3).
    private func refusal(
        of headers: HTTPHeaders, _ path: UnsafeRawBufferPointer, _ query: [HTTPTarget.Pair], _ headSize: Int
    ) -> HTTPRefusal? {
        // Each pair has a separator, and an equals sign if it has a value.
        let length = query.reduce(path.count) { $0 + 1 + $1.name.count + ($1.value.map { $0.count + 1 } ?? 0) }
        if length > configuration.target { return .targetTooLong(limit: configuration.target) }
        if headSize > configuration.head { return .headTooLarge(limit: configuration.head) }
        let hasLength = headers["content-length"] != nil
        let isAmbiguous =
            headers.count(of: "content-length") > 1 || headers.count(of: "transfer-encoding") > 1
            || headers.count(of: "host") > 1 || hasLength && headers["transfer-encoding"] != nil
            || headers["content-length"].map { !$0.utf8.allSatisfy { (48...57).contains($0) } } == true
            || headers["transfer-encoding"].map { $0.lowercased() != "chunked" } == true
            || headers.fields.contains { $0.name.utf8.contains { $0 <= 0x20 } || $0.value.utf8.contains(0x0D) }
        return isAmbiguous ? .ambiguousHead : nil
    }

    /// The client that a request comes from: the last address that the proxy has appended, as those before it may be
    /// made up.
    private func client(_ address: String, _ headers: HTTPHeaders) -> String {
        guard configuration.isBehindProxy, let forwarded = headers.list("x-forwarded-for") else { return address }
        let last = forwarded.split(separator: ",").last?.trimmingCharacters(in: .whitespaces) ?? ""
        return SocketAddress(forwarded: last)?.host ?? address
    }

    private static func headers(of connection: OpaquePointer) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in values(CMicroHTTP_header, of: connection) {
            headers.add(
                String(decoding: name, as: UTF8.self), value.map { String(decoding: $0, as: UTF8.self) } ?? "")
        }
        return headers
    }

    /// The headers of a request, or the pairs of its query, in memory of the library that is valid during the callback for
    /// the request.
    private static func values(_ kind: MHD_ValueKind, of connection: OpaquePointer) -> [HTTPTarget.Pair] {
        var pairs: [HTTPTarget.Pair] = []
        withUnsafeMutablePointer(to: &pairs) { pairs in
            // The pointer is valid during this call.
            _ = MHD_get_connection_values_n(
                connection, kind,
                { context, _, name, nameLength, value, valueLength in
                    guard let context, let name else { return CMicroHTTP_no }
                    context.assumingMemoryBound(to: [HTTPTarget.Pair].self).pointee.append(
                        (
                            UnsafeRawBufferPointer(start: name, count: nameLength),
                            value.map { UnsafeRawBufferPointer(start: $0, count: valueLength) }
                        ))
                    return CMicroHTTP_yes
                }, pairs)
        }
        return pairs
    }

    func beginResuming() {
        resuming.add(1, ordering: .sequentiallyConsistent)
    }

    func endResuming() {
        resuming.subtract(1, ordering: .sequentiallyConsistent)
    }

    // MARK: The monitor

    /// Looks at every connection.
    private func look() {
        let now = ContinuousClock.now
        // A connection without a request only keeps a server that stops from its end.
        let idle = isStopping ? .zero : configuration.idle
        let connections = state.withLock { state in
            state.connections.values.filter { !$0.isCutOff }.map { ($0, $0.exchange, $0.idleSince) }
        }
        var watched: [(connection: HTTPConnection, exchange: HTTPExchange)] = []
        var unfinished: [(connection: HTTPConnection, exchange: HTTPExchange)] = []
        var slow: [HTTPConnection] = []
        for (connection, exchange, idleSince) in connections {
            if let exchange {
                switch exchange.care(at: now) {
                case .none: break
                case .lookForClient: watched.append((connection, exchange))
                case .lookForRest: unfinished.append((connection, exchange))
                case .cutOff:
                    exchange.abandon()
                    slow.append(connection)
                }
            } else if now - idleSince > idle {
                slow.append(connection)
            }
        }
        let abandoned = state.withLock { state in
            for connection in slow where state.connections[ObjectIdentifier(connection)] != nil {
                connection.cutOff()
                if !isStopping { state.counts.cutOff += 1 }
            }
            for (connection, _) in Self.abandoned(unfinished) where connection.hasEnded(at: now) {
                connection.cutOff()
            }
            return Self.abandoned(watched)
        }
        for (_, exchange) in abandoned { exchange.abandon() }
    }

    /// The requests under way whose clients have closed their side.
    ///
    /// Called under the lock of `state`. The library closes a socket after `closed(_:)`, which waits for that lock, so
    /// that no socket here belongs to another connection by now.
    private static func abandoned(
        _ watched: [(connection: HTTPConnection, exchange: HTTPExchange)]
    ) -> [(connection: HTTPConnection, exchange: HTTPExchange)] {
        var events = watched.map { watched in
            let isOpen = watched.connection.exchange === watched.exchange
            return pollfd(fd: isOpen ? watched.connection.socket : -1, events: CMicroHTTP_closed, revents: 0)
        }
        guard !events.isEmpty, poll(&events, nfds_t(events.count), 0) > 0 else { return [] }
        return zip(watched, events).filter { $1.fd >= 0 && $1.revents != 0 }.map(\.0)
    }
}

/// Memory that requests share: so much in all, and a quarter of it for one client, so that none takes it from the others.
final class MemoryBudget: Sendable {
    private let total: Int
    private let used = Mutex((inAll: 0, byClient: [String: Int]()))

    init(_ total: Int) {
        self.total = total
    }

    /// The memory that is reserved.
    var reserved: Int { used.withLock { $0.inAll } }

    /// Reserves memory for a client; returns whether there is enough.
    func reserve(_ count: Int, for client: String) -> Bool {
        let client = SocketAddress.network(of: client)
        return used.withLock { used in
            let own = used.byClient[client, default: 0] + count
            guard used.inAll + count <= total, own <= total / 4 else { return false }
            used.inAll += count
            used.byClient[client] = own
            return true
        }
    }

    func release(_ count: Int, for client: String) {
        guard count > 0 else { return }
        let client = SocketAddress.network(of: client)
        used.withLock { used in
            used.inAll -= count
            let own = used.byClient[client, default: 0] - count
            used.byClient[client] = own > 0 ? own : nil
        }
    }
}

/// A connection of a server.
///
/// **Why this is `@unchecked Sendable`.** The variable properties are used under the lock of the server's state only, apart
/// from `target`, which callbacks of the library for this connection use, of which one runs at a time.
final class HTTPConnection: @unchecked Sendable {
    let socket: Int32
    let address: String
    /// The target of the request whose head is being read: its length to its end, or to its first NUL, and the number of
    /// its parameters. Only the library's thread of the connection uses it.
    var target: (length: Int, parameters: Int) = (0, 0)
    var exchange: HTTPExchange?
    var idleSince = ContinuousClock.now
    /// Whether its socket is shut down, so that the library will close it.
    private(set) var isCutOff = false
    /// Since when the client has closed its side, and the library has read all that it sent.
    private var endedAt: ContinuousClock.Instant?

    init(socket: Int32, address: String) {
        self.socket = socket
        self.address = address
    }

    func cutOff() {
        shutdown(socket, Int32(SHUT_RDWR))
        isCutOff = true
    }

    /// Whether the client has closed its side, and all that it sent has been read for a second. The library does not
    /// notice the end if it arrives together with the last bytes.
    func hasEnded(at now: ContinuousClock.Instant) -> Bool {
        var byte: UInt8 = 0
        guard recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0 else { return false }
        let endedAt = endedAt ?? now
        self.endedAt = endedAt
        return now - endedAt >= .seconds(1)
    }

    /// The connection that `connectionChanged` has attached.
    static func attached(to connection: OpaquePointer) -> HTTPConnection? {
        CMicroHTTP_attached(connection).map { Unmanaged<HTTPConnection>.fromOpaque($0).takeUnretainedValue() }
    }
}

// The callbacks of the library. `context` is the server, which lives until the library has stopped. An exchange is
// retained by the first callback of its request and released by `requestCompleted`, which the library calls once for each
// request that it has handed out; a connection likewise, by the two notifications.

private let handleRequest: MHD_AccessHandlerCallback = {
    context, connection, path, method, version, bytes, count, request in
    guard let context, let connection, let path, let method, let count, let request else { return CMicroHTTP_no }
    guard let known = request.pointee else {
        let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        let (exchange, isOpen) = server.begin(connection, method: method, path: path, version: version)
        request.pointee = Unmanaged.passRetained(exchange).toOpaque()
        return isOpen ? CMicroHTTP_yes : CMicroHTTP_no
    }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(known).takeUnretainedValue()
    let isOpen = exchange.proceed(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
    count.pointee = 0
    return isOpen ? CMicroHTTP_yes : CMicroHTTP_no
}

private let targetArrived:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
        context, target, connection in
        guard let context, let target, let connection else { return nil }
        let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        let parameters = CMicroHTTP_parameters(target)
        HTTPConnection.attached(to: connection)?.target = (strlen(target), parameters)
        if parameters > server.configuration.parameters { CMicroHTTP_dropQuery(target) }
        return nil
    }

private let requestCompleted: MHD_RequestCompletedCallback = { context, connection, request, cause in
    guard let context, let connection, let pointer = request?.pointee else { return }
    request?.pointee = nil
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
    let isComplete = exchange.end() && cause == CMicroHTTP_completed
    Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
        .ended(on: .attached(to: connection), isAbandoned: !isComplete)
}

private let connectionChanged: MHD_NotifyConnectionCallback = { context, connection, attached, change in
    guard let context, let connection, let attached else { return }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    if change == CMicroHTTP_started {
        let new = HTTPConnection(
            socket: CMicroHTTP_socket(connection),
            address: CMicroHTTP_client(connection).flatMap { SocketAddress.host(of: $0) } ?? "")
        attached.pointee = Unmanaged.passRetained(new).toOpaque()
        server.opened(new)
    } else if let pointer = attached.pointee {
        attached.pointee = nil
        server.closed(Unmanaged<HTTPConnection>.fromOpaque(pointer).takeRetainedValue())
    }
}
#endif
