import Foundation
internal import TravelDomain
internal import TravelJSON

struct ServerRequest: Sendable {
    let route: Route
    /// The path, and after it the query if it is not empty.
    var path: String
    var query = ""
    var token: Token?
    var headers: [String: String] = [:]
    var body: Data?

    init(_ route: Route, _ path: String? = nil, query: String = "") {
        self.route = route
        self.path = path ?? route.template
        self.query = query
        switch route.body {
        case .none: break
        case .json: headers["Content-Type"] = InterfaceHeader.json
        case .picture: headers["Content-Type"] = "application/octet-stream"
        }
    }

    func with(_ change: (inout ServerRequest) throws -> Void) rethrows -> ServerRequest {
        var copy = self
        try change(&copy)
        return copy
    }
}

/// Pauses between attempts: the same for all requests.
struct Pauses: Sendable {
    let clock: any Clock<Duration>
    /// A number from 0 to 1, so that many devices do not all come back at the same moment.
    let random: @Sendable () -> Double

    static let first = Duration.milliseconds(250)
    static let longest = Duration.seconds(60)

    /// Sleeps after that many failures in sequence, at least 1: half to all of a time that doubles up to a minute, and
    /// at least as long as the server asks for.
    func sleep(after failures: Int, atLeast asked: Duration?) async throws {
        var pause = Self.first
        for _ in 1..<max(failures, 1) where pause < Self.longest { pause = min(pause * 2, Self.longest) }
        pause = pause / 2 + pause * random() / 2
        try await clock.sleep(for: max(pause, asked ?? .zero))
    }
}

/// The connection to one server: sends requests of the interface, and throws the errors of the domain.
struct ServerConnection: Sendable {
    let address: ServerAddress
    let pauses: Pauses
    private let client: HTTPClient

    /// The number of times that a request is sent before its error is thrown.
    private static let attempts = 3
    /// The longest pause for which a server may ask before a request that someone waits for fails.
    private static let longestWait = Duration.seconds(5)

    init(_ address: ServerAddress, pauses: Pauses, timeout: TimeInterval, clock: any Clock<Duration>) {
        self.address = address
        self.pauses = pauses
        client = HTTPClient(timeout: timeout, clock: clock)
    }

    /// An error of the server or the network, and what it says about another attempt.
    struct Failure: Error {
        let error: TravelError
        /// Whether the same request may succeed now.
        var isTransient = false
        /// The time that the server asks a client to wait.
        var wait: Duration?
    }

    /// Sends the request, and returns the answer, which has a status of success. A request that may be repeated is sent
    /// up to three times, with pauses, while the server does not answer or is too busy.
    ///
    /// - Throws: `TravelError`; `CancellationError`.
    func answer(to request: ServerRequest) async throws -> HTTPAnswer {
        let message = try message(for: request)
        var failures = 0
        while true {
            do throws(Failure) {
                var answer = try await attempt(message)
                answer.isRepeat = failures > 0
                return answer
            } catch {
                try Task.checkCancellation()
                failures += 1
                guard error.isTransient, request.route.isRepeatable, failures < Self.attempts,
                    error.wait ?? .zero <= Self.longestWait
                else { throw error.error }
                try await pauses.sleep(after: failures, atLeast: error.wait)
            }
        }
    }

    private func attempt(_ request: HTTPMessage) async throws(Failure) -> HTTPAnswer {
        let answer: HTTPAnswer
        do { answer = try await client.answer(to: request) } catch { throw Self.failure(error) }
        try Self.check(answer)
        return answer
    }

    /// Sends the request, and returns the parts of the answer as they arrive: the events of a stream, or one answer
    /// with a status of success.
    func events(of request: ServerRequest) throws(TravelError) -> AsyncThrowingStream<StreamPart, any Error> {
        client.events(of: try message(for: request))
    }

    private func message(for request: ServerRequest) throws(TravelError) -> HTTPMessage {
        guard let url = address.url(request.path, query: request.query) else {
            throw .unavailable(
                .init("The address of the server is not valid.", cause: .invalidAddress, canRetry: false))
        }
        var headers = [InterfaceHeader.version: String(Route.version), "Accept": InterfaceHeader.json]
        headers.merge(request.headers) { $1 }
        if let token = request.token { headers["Authorization"] = "Bearer \(token.text)" }
        let needsBody = request.route.method == .put || request.route.method == .post
        return HTTPMessage(
            url: url, method: request.route.method.rawValue, headers: headers,
            body: request.body ?? (needsBody ? Data() : nil))
    }
}

extension ServerConnection {
    /// Throws the error of an answer with another status than one of success, or from another program.
    static func check(_ answer: HTTPAnswer) throws(Failure) {
        try check(answer.headers, status: answer.status)
        guard !(200..<300).contains(answer.status) else { return }
        let wait = answer.headers.retryAfter
        if answer.headers.mediaType == Problem.mediaType {
            let problem: Problem
            do { problem = try JSONCoding.value(Problem.self, in: answer.body, isStored: true) } catch {
                throw Failure(error: .unreadable)
            }
            let error = problem.error
            guard case .unavailable(let outage) = error else { throw Failure(error: error) }
            if problem.travelError == nil, let cause = refusal(answer.status) {
                throw Failure(error: .unavailable(.init(problem.detail, cause: cause, canRetry: false)))
            }
            throw Failure(error: error, isTransient: outage.canRetry, wait: wait)
        }
        if let cause = refusal(answer.status) { throw Failure(error: .refused(cause)) }
        throw Failure(error: .unexpected, isTransient: false, wait: wait)
    }

    /// The cause of an answer that refuses this request, whenever it is sent again, and no other one; `nil` for any other
    /// status.
    private static func refusal(_ status: Int) -> TravelError.Outage.Cause? {
        switch status {
        // A new token or another moment changes these.
        case 401, 407, 408, 421, 425, 426, 429: nil
        case 413, 414, 431: .requestTooLarge
        case 400..<500: .requestRefused
        default: nil
        }
    }

    /// Throws unless the answer is that of a server with this version of the interface.
    static func check(_ headers: HTTPHeaders, status: Int) throws(Failure) {
        guard let version = headers[InterfaceHeader.version] else {
            // A proxy whose server does not answer.
            if status == 408 || status == 429 || status >= 500 {
                throw Failure(error: .unreachable, isTransient: true, wait: headers.retryAfter)
            }
            if 300..<400 ~= status { throw Failure(error: .moved) }
            // A proxy has limits of its own. Any other status may be that of a network that asks for something first.
            if refusal(status) == .requestTooLarge { throw Failure(error: .refused(.requestTooLarge)) }
            throw Failure(error: .noServer)
        }
        guard version == String(Route.version) else { throw Failure(error: .otherVersion) }
    }

    /// The error of a request without a complete answer.
    static func failure(_ error: any Error) -> Failure {
        guard let error = error as? URLError else { return Failure(error: .unreachable, isTransient: true) }
        switch error.code {
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            return Failure(error: .notSecure)
        case .unknown where isFailedHandshake(error): return Failure(error: .notSecure)
        case .badURL, .unsupportedURL, .cannotParseResponse:
            return Failure(error: .noServer)
        case .dataLengthExceedsMaximum, .cannotDecodeContentData, .cannotDecodeRawData:
            return Failure(error: .unreadable)
        default: return Failure(error: .unreachable, isTransient: true)
        }
    }

    /// Whether an error without a code is one of TLS.
    ///
    /// NB: libcurl has one code for all that fails in a handshake, also for a lost connection.
    private static func isFailedHandshake(_ error: URLError) -> Bool {
        let words = error.localizedDescription
        guard !words.contains("unexpected eof") else { return false }
        return words.contains("certificate") || words.contains("SSL routines")
    }

    /// The value in the body of an answer.
    ///
    /// - Throws: `TravelError.unavailable` when it is not one of the interface.
    static func value<Record: Decodable>(_ type: Record.Type = Record.self, in body: Data) throws(TravelError) -> Record
    {
        do { return try JSONCoding.value(type, in: body, isStored: true) } catch { throw .unreadable }
    }
}

extension TravelError {
    static let unreachable = TravelError.unavailable(
        .init("The server does not answer.", cause: .unreachable, canRetry: true))
    static let notSecure = TravelError.unavailable(
        .init(
            "The certificate of the server is not trusted: check the address, or install its certificate authority.",
            cause: .notSecure, canRetry: false))
    static let noServer = TravelError.unavailable(
        .init("There is no traveline server at this address.", cause: .invalidAddress, canRetry: false))
    static let moved = TravelError.unavailable(
        .init("The server redirects to another address.", cause: .invalidAddress, canRetry: false))
    static let otherVersion = TravelError.unavailable(
        .init(
            "The server has a different version of the API: update it or this program.", cause: .otherVersion,
            canRetry: false))
    static let unreadable = TravelError.unavailable(
        .init("The server's response cannot be read by this version.", cause: .unreadableAnswer, canRetry: false))
    static let unexpected = TravelError.unavailable(
        .init("The server returned an error without an explanation.", cause: .serverFailure, canRetry: false))

    /// A request that the server, or a proxy, refuses without an explanation.
    static func refused(_ cause: Outage.Cause) -> TravelError {
        let reason =
            cause == .requestTooLarge
            ? "The server does not take a request of this size." : "The server refuses this request."
        return .unavailable(.init(reason, cause: cause, canRetry: false))
    }
}
