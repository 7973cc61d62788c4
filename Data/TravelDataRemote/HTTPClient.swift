import Foundation
import Synchronization

/// A request as it is sent.
struct HTTPMessage: Sendable {
    let url: URL
    let method: String
    let headers: [String: String]
    let body: Data?

    /// Which connections it uses.
    enum Kind: Hashable, Sendable {
        /// It may be sent on a connection that has been used before.
        case read
        /// It has a connection of its own. If the server has closed a connection that is used again, the request is sent on
        /// another one, and nobody learns that a write was sent twice.
        case write
        /// It waits for events, and occupies its connection.
        case stream
    }
}

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

    /// Creates headers; several of one name are a list.
    init(_ fields: [(name: String, value: String)]) {
        values = fields.reduce(into: [:]) { values, field in
            values[field.name.lowercased(), default: ""] +=
                (values[field.name.lowercased()] == nil ? "" : ", ") + field.value
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

/// Sends requests, and receives the answers: by libcurl on Linux, and by `URLSession` elsewhere.
///
/// Redirections are not followed: a request has a token, which is for one server. There are no cookies and no caches.
final class HTTPClient: Sendable {
    private let transport: HTTPTransport
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
        transport = HTTPTransport(timeout: timeout)
    }

    deinit { transport.stop() }

    /// Sends the request, and returns the answer of any status.
    ///
    /// - Throws: `URLError` when there is no complete answer; `CancellationError` as soon as the task is cancelled.
    func answer(to request: HTTPMessage) async throws -> HTTPAnswer {
        let timeout = timeout + Double(request.body?.count ?? 0) / Double(Self.slowestBody)
        return try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
            let exchange = Exchange(maximumSize: Self.maximumSize)
            group.addTask { try await self.answer(to: request, exchange, timeout) }
            group.addTask { try await self.failWithoutProgress(of: exchange, in: timeout) }
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

    private func answer(
        to request: HTTPMessage, _ exchange: Exchange, _ timeout: TimeInterval
    ) async throws -> HTTPAnswer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchange.begin(continuation)
                transport.start(request, request.method == "GET" ? .read : .write, timeout, exchange)
            }
        } onCancel: {
            exchange.cancel()
        }
    }

    /// Sends the request, and returns the events of the answer, or the answer if it is not a stream of events.
    ///
    /// A slow consumer receives only the latest event. The sequence ends when the server ends the answer, and throws
    /// `URLError` when the connection is lost. The request is cancelled with the iteration.
    func events(of request: HTTPMessage) -> AsyncThrowingStream<StreamPart, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: StreamPart.self, bufferingPolicy: .bufferingNewest(1))
        let exchange = Exchange(maximumSize: Self.maximumSize)
        exchange.begin(continuation)
        continuation.onTermination = { _ in exchange.cancel() }
        transport.start(request, .stream, timeout, exchange)
        return stream
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

/// One request and the answer to it as it arrives.
///
/// The caller is resumed once: by the end of the answer, by an error, or when it cancels, whether or not the task calls
/// back after that.
final class Exchange: Sendable {
    private enum Consumer {
        case answer(CheckedContinuation<HTTPAnswer, any Error>)
        case events(AsyncThrowingStream<StreamPart, any Error>.Continuation, EventParser)
    }

    private struct State {
        var consumer: Consumer?
        /// Cancels the request.
        var cancellation: (@Sendable () -> Void)?
        var response: (status: Int, headers: HTTPHeaders)?
        var body = Data()
        /// The bytes of bodies that were sent and received.
        var (sent, received) = (0, 0)
        var isCancelled = false

        /// The events of the answer, if it is a stream of them.
        var isStream: Bool {
            guard case .events = consumer, let response, 200..<300 ~= response.status else { return false }
            return response.headers.mediaType == "text/event-stream"
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

    /// Sets what cancels the request; returns `false` when the caller has cancelled already.
    func attach(_ cancellation: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isCancelled { state.cancellation = cancellation }
            return !state.isCancelled
        }
    }

    func cancel() {
        end(with: CancellationError(), isCancelled: true)
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// The bytes of the body of the request that were sent, and of the body of the answer that have arrived.
    var progress: Int { state.withLock { $0.sent + $0.received } }

    /// Notes how many bytes of the body of the request were sent.
    func setSent(_ count: Int) {
        state.withLock { $0.sent = count }
    }

    func receive(status: Int, _ headers: HTTPHeaders) {
        let opened: (() -> Void)? = state.withLock { state in
            state.response = (status, headers)
            guard state.isStream, case .events(let continuation, _) = state.consumer else { return nil }
            return { continuation.yield(.opened(headers)) }
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
                    state.received += data.count
                    return nil
                }
                // Taken out, so that the parser is not copied with its buffer.
                state.consumer = nil
                defer { state.consumer = .events(continuation, parser) }
                return (continuation, try parser.events(in: data), response.headers)
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

    /// Resumes the caller, and cancels the request if it has not ended by itself.
    private func end(with error: (any Error)?, isCancelled: Bool) {
        let (consumer, cancellation, answer, isStream) = state.withLock { state in
            defer {
                state.consumer = nil
                state.cancellation = nil
                state.body = Data()
                if isCancelled { state.isCancelled = true }
            }
            let answer = state.response.map {
                HTTPAnswer(status: $0.status, headers: $0.headers, body: state.body)
            }
            return (state.consumer, state.cancellation, answer, state.isStream)
        }
        if isCancelled { cancellation?() }
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
