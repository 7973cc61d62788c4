import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answer to a request: its status, headers, and complete body.
struct HTTPAnswer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: Data
    /// Whether the request was sent before without an answer, and may have had its effect then.
    var isRepeat = false
}

/// The headers of an answer.
struct HTTPHeaders: Sendable {
    private let values: [String: String]

    init(_ response: HTTPURLResponse) {
        values = response.allHeaderFields.reduce(into: [:]) { values, field in
            if let name = field.key as? String, let value = field.value as? String { values[name.lowercased()] = value }
        }
    }

    /// The value of the header with that name, in any case.
    subscript(name: String) -> String? { values[name.lowercased()] }

    /// The time that the server asks a client to wait; `nil` if it does not, or names a date.
    var retryAfter: Duration? { self["Retry-After"].flatMap { Int($0) }.map { .seconds(max($0, 0)) } }

    /// The media type without its parameters, in lower case.
    var mediaType: String? {
        self["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }
}

/// Sends requests, each as a task of a `URLSession` whose delegate receives the answer.
///
/// Requests that wait for events have a session of their own, because each of them occupies a connection.
///
/// Redirections are not followed: a request has a token, which is for one server. There are no cookies and no caches.
final class HTTPClient: Sendable {
    private let reads: URLSession
    /// Each of its requests has a connection of its own on Linux.
    private let writes: URLSession
    private let streams: URLSession
    private let router = Router()
    private let timeout: TimeInterval
    private let clock: any Clock<Duration>

    /// The maximum size of a body in bytes: that of a trip with the longest track.
    private static let maximumSize = 64 << 20
    /// The bytes of bodies, of the request and of its answer, that pass at least in each timeout. A server that sends a
    /// few bytes now and then would otherwise hold a request for as long as it likes.
    private static let leastProgress = 1_024
    /// The bytes of a body for which its request has a second more. The system counts as sent what it keeps in its
    /// buffers: a slow network delivers the last megabytes in a minute or more, without a sign of progress.
    private static let slowestBody = 16_384

    /// Creates a client. `timeout` is the time in seconds after which a request fails for which less than 1 KiB is sent
    /// or received, and which is longer for one with a long body; `clock` measures it.
    init(timeout: TimeInterval, clock: any Clock<Duration>) {
        (self.timeout, self.clock) = (timeout, clock)
        func session(_ connections: Int, _ router: Router) -> URLSession {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = timeout
            configuration.httpMaximumConnectionsPerHost = connections
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.httpCookieAcceptPolicy = .never
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            return URLSession(configuration: configuration, delegate: router, delegateQueue: queue)
        }
        reads = session(6, router)
        writes = session(6, router)
        streams = session(1_000, router)
    }

    deinit {
        // A session retains its delegate, and its threads, until then.
        reads.invalidateAndCancel()
        writes.invalidateAndCancel()
        streams.invalidateAndCancel()
    }

    /// Sends the request, and returns the answer of any status.
    ///
    /// - Throws: `URLError` when there is no complete answer; `CancellationError` as soon as the task is cancelled.
    func answer(to request: URLRequest) async throws -> HTTPAnswer {
        var request = request
        request.timeoutInterval = timeout + Double(request.httpBody?.count ?? 0) / Double(Self.slowestBody)
        return try await withThrowingTaskGroup(of: HTTPAnswer.self) { [request] group in
            let exchange = Exchange(maximumSize: Self.maximumSize)
            group.addTask { try await self.answer(to: request, exchange) }
            group.addTask { try await self.failWithoutProgress(of: exchange, in: request.timeoutInterval) }
            // The first of them ends the other.
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    /// Throws `URLError.timedOut` after the first timeout in which the exchange has made too little progress.
    private func failWithoutProgress(of exchange: Exchange, in timeout: TimeInterval) async throws -> HTTPAnswer {
        var last = 0
        while true {
            try await clock.sleep(for: .seconds(timeout))
            let progress = exchange.progress
            guard progress - last >= Self.leastProgress else { throw URLError(.timedOut) }
            last = progress
        }
    }

    private func answer(to request: URLRequest, _ exchange: Exchange) async throws -> HTTPAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.begin(continuation)
                start(request, exchange, in: request.httpMethod == "GET" ? reads : writes)
            }
        } onCancel: {
            exchange.cancel()
        }
    }

    /// Sends the request, and returns the events of the answer, or the answer if it is not a stream of events.
    ///
    /// A slow consumer receives only the latest event. The sequence ends when the server ends the answer, and throws
    /// `URLError` when the connection is lost. The request is cancelled with the iteration.
    func events(of request: URLRequest) -> AsyncThrowingStream<StreamPart, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: StreamPart.self, bufferingPolicy: .bufferingNewest(1))
        let exchange = Exchange(maximumSize: Self.maximumSize)
        exchange.begin(continuation)
        continuation.onTermination = { _ in exchange.cancel() }
        start(request, exchange, in: streams)
        return stream
    }

    private func start(_ request: URLRequest, _ exchange: Exchange, in session: URLSession) {
        let task = session.dataTask(with: request)
        router.add(exchange, for: task)
        guard exchange.attach(task) else {
            router.remove(task)
            return Exchange.cancel(task)
        }
        task.resume()
    }
}

/// A part of the answer to a request for events.
enum StreamPart: Sendable {
    /// The server has accepted the request; the headers are those of the answer.
    case opened(HTTPHeaders)
    case event(ServerEvent, HTTPHeaders)
    /// The answer is not a stream of events.
    case answer(HTTPAnswer)
}

/// Passes the callbacks of tasks on to their exchanges.
private final class Router: NSObject, URLSessionDataDelegate {
    /// The tasks, by their identity: their numbers are unique only in one session.
    private let exchanges = Mutex<[ObjectIdentifier: Exchange]>([:])

    func add(_ exchange: Exchange, for task: URLSessionTask) {
        exchanges.withLock { $0[ObjectIdentifier(task)] = exchange }
    }

    func remove(_ task: URLSessionTask) {
        _ = exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[ObjectIdentifier(task)] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        // NB: Foundation on Linux ignores the disposition (swift-corelibs-foundation, issue 3236): an exchange cancels
        // the task by itself.
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.send(Int(bytesSent))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchange(of: task)
        remove(task)
        exchange?.complete(error)
    }
}

/// One request and the answer to it as it arrives.
///
/// The caller is resumed once: by the end of the answer, by an error, or when it cancels, whether or not the task calls
/// back after that.
private final class Exchange: Sendable {
    private enum Consumer {
        case answer(CheckedContinuation<HTTPAnswer, any Error>)
        case events(AsyncThrowingStream<StreamPart, any Error>.Continuation, EventParser)
    }

    private struct State {
        var consumer: Consumer?
        var task: URLSessionTask?
        var response: HTTPURLResponse?
        var body = Data()
        /// The bytes of bodies that were sent and received.
        var progress = 0
        var isCancelled = false

        /// The events of the answer, if it is a stream of them.
        var isStream: Bool {
            guard case .events = consumer, let response, 200..<300 ~= response.statusCode else { return false }
            return HTTPHeaders(response).mediaType == "text/event-stream"
        }
    }

    private let state = Mutex(State())
    private let maximumSize: Int

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    func begin(_ continuation: CheckedContinuation<HTTPAnswer, any Error>) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.consumer = .answer(continuation) }
            return state.isCancelled
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
    }

    func begin(_ continuation: AsyncThrowingStream<StreamPart, any Error>.Continuation) {
        state.withLock { $0.consumer = .events(continuation, EventParser(maximumSize: maximumSize)) }
    }

    /// Sets the task; returns `false` when the caller has cancelled already.
    func attach(_ task: URLSessionTask) -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.task = task }
            return !state.isCancelled
        }
    }

    func cancel() {
        end(with: CancellationError(), isCancelled: true)
    }

    /// The bytes of the body of the request that were sent, and of the body of the answer that have arrived.
    var progress: Int { state.withLock { $0.progress } }

    func send(_ count: Int) {
        state.withLock { $0.progress += count }
    }

    func receive(_ response: URLResponse) {
        let opened: (() -> Void)? = state.withLock { state in
            guard let response = response as? HTTPURLResponse else { return nil }
            state.response = response
            guard state.isStream, case .events(let continuation, _) = state.consumer else { return nil }
            return { continuation.yield(.opened(HTTPHeaders(response))) }
        }
        opened?()
    }

    func receive(_ data: Data) {
        typealias Delivery = (AsyncThrowingStream<StreamPart, any Error>.Continuation, [ServerEvent], HTTPHeaders)
        let delivery: Delivery?
        do {
            delivery = try state.withLock { state in
                guard state.isStream, let response = state.response,
                    case .events(let continuation, var parser) = state.consumer
                else {
                    guard state.consumer != nil else { return nil }
                    guard state.body.count + data.count <= maximumSize else { throw EventParser.TooLarge() }
                    state.body.append(data)
                    state.progress += data.count
                    return nil
                }
                // Taken out, so that the parser is not copied with its buffer.
                state.consumer = nil
                defer { state.consumer = .events(continuation, parser) }
                return (continuation, try parser.events(in: data), HTTPHeaders(response))
            }
        } catch {
            return end(with: URLError(.dataLengthExceedsMaximum), isCancelled: true)
        }
        guard let (continuation, events, headers) = delivery else { return }
        for event in events { continuation.yield(.event(event, headers)) }
    }

    func complete(_ error: (any Error)?) {
        end(with: error, isCancelled: false)
    }

    /// Cancels a task.
    ///
    /// NB: Foundation on Linux waits in `cancel` for the queue that delivers callbacks, one of which may be waiting for
    /// the Swift task that is being cancelled (swift-corelibs-foundation, issue 5412).
    static func cancel(_ task: URLSessionTask) {
        DispatchQueue.global().async { task.cancel() }
    }

    /// Resumes the caller, and cancels the task if it has not ended by itself.
    private func end(with error: (any Error)?, isCancelled: Bool) {
        let (consumer, task, answer, isStream) = state.withLock { state in
            defer {
                state.consumer = nil
                state.task = nil
                state.body = Data()
                if isCancelled { state.isCancelled = true }
            }
            let answer = state.response.map {
                HTTPAnswer(status: $0.statusCode, headers: HTTPHeaders($0), body: state.body)
            }
            return (state.consumer, state.task, answer, state.isStream)
        }
        if isCancelled, let task { Self.cancel(task) }
        switch (consumer, error) {
        case (.answer(let continuation), let error?): continuation.resume(throwing: error)
        case (.answer(let continuation), nil):
            if let answer {
                continuation.resume(returning: answer)
            } else {
                continuation.resume(throwing: URLError(.networkConnectionLost))
            }
        case (.events(let continuation, _), let error?): continuation.finish(throwing: error)
        case (.events(let continuation, _), nil):
            if !isStream {
                guard let answer else { return continuation.finish(throwing: URLError(.networkConnectionLost)) }
                continuation.yield(.answer(answer))
            }
            continuation.finish()
        case (nil, _): break
        }
    }
}
