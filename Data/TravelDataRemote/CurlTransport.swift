#if canImport(CCurl)
import CCurl
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Sends requests by libcurl, on one thread for all.
///
/// NB: Foundation on Linux, whose client uses libcurl as well, ends the process when an answer ends inside its head
/// (swift-corelibs-foundation, issue 5285).
final class HTTPTransport: Sendable {
    private let orders = CurlOrders()
    private let timeout: TimeInterval

    init(timeout: TimeInterval) {
        self.timeout = timeout
        _ = Self.isPrepared
    }

    // Once in the process, before anything else of libcurl.
    private static let isPrepared = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK

    /// Cancels all requests, and ends the thread.
    func stop() { orders.stop() }

    /// Sends a request, which fails when nothing of it or of its answer arrives in the timeout in seconds.
    func start(_ message: HTTPMessage, _ kind: HTTPMessage.Kind, _ timeout: TimeInterval, _ exchange: Exchange) {
        let orders = orders
        let number = orders.newNumber()
        guard exchange.attach({ orders.cancel(number) }) else { return }
        let isFirst = orders.start(
            CurlOrders.Transfer(number: number, message: message, kind: kind, timeout: timeout, exchange: exchange))
        guard isFirst else { return }
        let thread = Thread {
            var thread = CurlThread(orders)
            thread.run()
        }
        thread.name = "traveline HTTP"
        thread.start()
    }
}

/// What callers have asked the thread to do, and what wakes it.
private final class CurlOrders: Sendable {
    struct Transfer: Sendable {
        let number: Int
        let message: HTTPMessage
        let kind: HTTPMessage.Kind
        let timeout: TimeInterval
        let exchange: Exchange
    }

    private struct State {
        var lastNumber = 0
        var hasStarted = false
        var started: [Transfer] = []
        var cancelled: Set<Int> = []
        var isStopped = false
    }

    private let state = Mutex(State())
    /// A byte in this pipe wakes the thread.
    let reading: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // Without descriptors there are no connections either: each request then fails.
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func newNumber() -> Int {
        state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
    }

    /// Asks for a transfer; returns whether it is the first one, for which the thread must be started.
    func start(_ transfer: Transfer) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            state.started.append(transfer)
            return !state.hasStarted
        }
        ring()
        return isFirst
    }

    func cancel(_ number: Int) {
        _ = state.withLock { $0.cancelled.insert(number) }
        ring()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        ring()
    }

    func take() -> (started: [Transfer], cancelled: Set<Int>, isStopped: Bool) {
        state.withLock { state in
            defer { (state.started, state.cancelled) = ([], []) }
            return (state.started, state.cancelled, state.isStopped)
        }
    }

    private func ring() {
        // A full pipe wakes the thread as well.
        _ = write(writing, [1], 1)
    }

    /// Takes the bytes out of the pipe.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) == bytes.count {}
    }
}

/// The thread that owns the transfers and their handles; nothing of it leaves the thread.
private struct CurlThread {
    private let orders: CurlOrders
    private let multi = curl_multi_init()
    private var running: [Int: CurlTransfer] = [:]
    /// The transfers that wait for others of their kind to end.
    private var waiting: [CurlOrders.Transfer] = []

    /// The connections for reads, and those for writes; there is no limit for streams.
    private static let maximumConnections = 6

    init(_ orders: CurlOrders) {
        self.orders = orders
    }

    mutating func run() {
        // libcurl leaves it to the program what happens when a connection is closed while it writes.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while true {
            orders.silence()
            let (started, cancelled, isStopped) = orders.take()
            waiting += started
            waiting.removeAll { cancelled.contains($0.number) }
            for number in cancelled { remove(number) }
            if isStopped { break }
            startWaiting()
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            let hasEnded = finish()
            if !hasEnded { wait() }
        }
        for transfer in waiting { transfer.exchange.complete(URLError(.cancelled)) }
        for (number, transfer) in running {
            remove(number)
            transfer.exchange.complete(URLError(.cancelled))
        }
        curl_multi_cleanup(multi)
    }

    private mutating func startWaiting() {
        var counts: [HTTPMessage.Kind: Int] = [:]
        for transfer in running.values { counts[transfer.kind, default: 0] += 1 }
        waiting = waiting.filter { transfer in
            // An order to cancel may be older than that to start.
            if transfer.exchange.isCancelled { return false }
            guard transfer.kind == .stream || counts[transfer.kind, default: 0] < Self.maximumConnections else {
                return true
            }
            counts[transfer.kind, default: 0] += 1
            guard let multi, let new = CurlTransfer(transfer) else {
                transfer.exchange.complete(URLError(.resourceUnavailable))
                return false
            }
            running[transfer.number] = new
            curl_multi_add_handle(multi, new.handle)
            return false
        }
    }

    /// Completes the transfers that have ended, and those in which nothing happens; returns whether there were any.
    private mutating func finish() -> Bool {
        var ended: [(CurlTransfer, (any Error)?)] = []
        var rest: Int32 = 0
        while let message = curl_multi_info_read(multi, &rest) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let context = curl_easy_context(handle)
            else { continue }
            let transfer = CurlTransfer.at(context)
            ended.append((transfer, transfer.error(message.pointee.data.result)))
        }
        let now = ContinuousClock.now
        for transfer in running.values where transfer.kind == .stream && transfer.isIdle(at: now) {
            ended.append((transfer, URLError(.timedOut)))
        }
        for (transfer, error) in ended {
            remove(transfer.number)
            transfer.exchange.complete(error)
        }
        return !ended.isEmpty
    }

    private mutating func remove(_ number: Int) {
        guard let transfer = running.removeValue(forKey: number) else { return }
        curl_multi_remove_handle(multi, transfer.handle)
        transfer.free()
    }

    /// Waits until something happens in a transfer, or until there are orders.
    private func wait() {
        // Streams are looked at in between, because a silent one makes nothing happen.
        let shortest = running.values.filter { $0.kind == .stream }.map(\.timeout).min()
        let milliseconds = shortest.map { min(max($0 * 250, 10), 1_000) } ?? 600_000
        var bell = curl_waitfd(fd: orders.reading, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        var ready: Int32 = 0
        curl_multi_wait(multi, &bell, 1, Int32(milliseconds), &ready)
    }
}

/// One request and the part of its answer that has arrived, with the handle of libcurl and the memory that this uses.
///
/// libcurl calls back inside `curl_multi_perform` and `curl_multi_remove_handle`, with a pointer to this object, which
/// ``CurlThread`` retains for as long as the handle is there.
private final class CurlTransfer {
    let number: Int
    let kind: HTTPMessage.Kind
    let timeout: TimeInterval
    let exchange: Exchange
    let handle: UnsafeMutableRawPointer

    private let body: UnsafeMutableRawPointer
    private let words: UnsafeMutablePointer<CChar>
    private var list: OpaquePointer?
    /// The headers since the last status.
    private var headers: [(name: String, value: String)] = []
    /// Whether the head has arrived to its end. An answer that ends before that is none, which libcurl does not tell.
    private var isHeadComplete = false
    private var lastEvent = ContinuousClock.now

    init?(_ transfer: CurlOrders.Transfer) {
        guard let handle = curl_easy_init() else { return nil }
        let message = transfer.message
        (number, kind, timeout, exchange) = (transfer.number, transfer.kind, transfer.timeout, transfer.exchange)
        self.handle = handle
        let bytes = message.body ?? Data()
        body = .allocate(byteCount: max(bytes.count, 1), alignment: 1)
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        bytes.withUnsafeBytes { if let start = $0.baseAddress { body.copyMemory(from: start, byteCount: $0.count) } }
        var list: OpaquePointer?
        // A server that does not know the header would be waited for.
        var lines = message.headers.map { "\($0.key): \($0.value)" } + ["Expect:"]
        if transfer.kind == .write { lines.append("Connection: close") }
        for line in lines { list = curl_slist_append(list, line) }
        self.list = list
        setUp(message, length: message.body.map { _ in bytes.count })
    }

    private func setUp(_ message: HTTPMessage, length: Int?) {
        func set(_ option: CURLoption, _ value: Int) { curl_easy_set_long(handle, option, value) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        curl_easy_set_text(handle, CURLOPT_URL, message.url.absoluteString)
        curl_easy_set_text(handle, CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        curl_easy_set_list(handle, CURLOPT_HTTPHEADER, list)
        curl_easy_set_pointer(handle, CURLOPT_ERRORBUFFER, words)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP_AND_HTTPS))
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_CONNECTTIMEOUT_MS, max(Int(timeout * 1_000), 1))
        if kind == .write {
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
        }
        if let length {
            set(CURLOPT_POST, 1)
            curl_easy_set_pointer(handle, CURLOPT_POSTFIELDS, body)
            curl_easy_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(length))
        } else {
            set(CURLOPT_HTTPGET, 1)
        }
        curl_easy_set_text(handle, CURLOPT_CUSTOMREQUEST, message.method)
        for option in [CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_XFERINFODATA] {
            curl_easy_set_pointer(handle, option, context)
        }
        curl_easy_set_receive(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            CurlTransfer.at(context).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
        curl_easy_set_receive(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let transfer = CurlTransfer.at(context)
            transfer.lastEvent = .now
            transfer.exchange.receive(Data(bytes: bytes, count: size * count))
            return size * count
        }
        set(CURLOPT_NOPROGRESS, 0)
        curl_easy_set_progress(handle, CURLOPT_XFERINFOFUNCTION) { context, _, _, _, sent in
            if let context { CurlTransfer.at(context).exchange.setSent(Int(sent)) }
            return 0
        }
    }

    static func at(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Frees what libcurl has used; the handle was removed from the others before.
    func free() {
        curl_easy_cleanup(handle)
        curl_slist_free_all(list)
        body.deallocate()
        words.deallocate()
    }

    func isIdle(at now: ContinuousClock.Instant) -> Bool { now - lastEvent > .seconds(timeout) }

    /// Receives a line of a head, which libcurl has found to be one.
    private func receiveHeader(_ bytes: UnsafeRawBufferPointer) {
        lastEvent = .now
        // What follows the body belongs to no head.
        if isHeadComplete { return }
        var line = String(decoding: bytes, as: UTF8.self)
        while line.last?.isNewline == true { line.removeLast() }
        if line.isEmpty { return endHead() }
        if line.hasPrefix("HTTP/") {
            headers = []
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers.append((String(line[..<colon]), value))
        }
    }

    private func endHead() {
        let status = curl_easy_status(handle)
        // An answer to the head of the request only, such as 100, is followed by another one.
        guard status >= 200 else { return }
        isHeadComplete = true
        exchange.receive(status: status, HTTPHeaders(headers))
    }

    /// The error of a transfer that has ended with that code; `nil` if it has an answer.
    func error(_ code: CURLcode) -> (any Error)? {
        switch code {
        case CURLE_OK: return isHeadComplete ? nil : URLError(.networkConnectionLost)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            return URLError(.cannotParseResponse)
        case CURLE_URL_MALFORMAT: return URLError(.badURL)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST:
            return URLError(.cannotFindHost)
        case CURLE_COULDNT_CONNECT: return URLError(.cannotConnectToHost)
        case CURLE_OPERATION_TIMEDOUT: return URLError(.timedOut)
        case CURLE_SSL_CERTPROBLEM, CURLE_PEER_FAILED_VERIFICATION,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
            return URLError(.serverCertificateUntrusted)
        case CURLE_BAD_CONTENT_ENCODING: return URLError(.cannotDecodeContentData)
        case CURLE_SSL_CONNECT_ERROR:
            return URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: String(cString: words)])
        default: return URLError(.networkConnectionLost)
        }
    }
}
#endif
