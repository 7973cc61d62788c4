#if Server
import Foundation
import Synchronization
internal import TravelDomain
internal import TravelJSON

/// Answers requests: finds the route and who asks, calls the use case, and describes errors.
final class Application: Sendable {
    let stores: ServerStores
    let pages: (any TripPages)?
    let review: any ImageReview
    let now: @Sendable () -> Date
    let access: AccountAccess
    let tokens: any TokenSource
    /// What signs one browser in.
    let browserAccess: @Sendable () -> AccountAccess
    let observations: OpenObservations
    let rendered = RenderedEvents()
    let attempts: AttemptLimits
    let staged: StagedImages
    private let log: @Sendable (LogLine) -> Void
    let metrics = Metrics()
    /// The headers of every answer, besides those about the request.
    private let commonHeaders: [(name: String, value: String)]
    private let parameters: Int
    /// Whether a search for the trips that someone likes is answered to others.
    let showsLikesOfOthers: Bool
    let signUp: SignUp.Policy
    let accountQuota: AccountQuota
    /// Answers to reads; sizes are in bytes.
    private let answers: KeptReads<AnswerKey, HTTPResponse>
    /// Each may take some tens of MB, until the memory for its answer is reserved.
    let longReads = Turns(limit: 8)
    /// Each takes the memory of a drawing, and a core.
    let drawings = Turns(limit: 2)
    /// Each runs a process with the memory of a decoded picture.
    let conversions: Turns
    let pictures: PictureReader
    private let http = Mutex(Server())
    /// The application for browsers; `nil` for a server without one.
    private let app = Mutex<BrowserHandler?>(nil)

    private struct BrowserHandler {
        /// The first segment of the paths that it answers.
        let segment: String
        let answer: @Sendable (HTTPRequest) async -> HTTPResponse
    }

    /// The server retains what its handler uses.
    private struct Server {
        weak var http: HTTPServer?
    }

    init(
        _ configuration: ServerConfiguration, stores: ServerStores, pages: (any TripPages)?, review: any ImageReview,
        log: @escaping @Sendable (LogLine) -> Void, now: @escaping @Sendable () -> Date, hashing: any PasswordHashing,
        tokens: any TokenSource
    ) throws(TravelError) {
        let observations = OpenObservations()
        let accounts = ObservedAccounts(
            base: stores.accounts, observations: observations, changeCount: stores.changeCount)
        self.stores = ServerStores(
            trips: stores.trips, accounts: accounts, oversight: stores.oversight, changeCount: stores.changeCount)
        (self.pages, self.review, self.log, self.now) = (pages, review, log, now)
        let isEncrypted = configuration.tls != nil || configuration.isBehindProxy
        commonHeaders =
            [(InterfaceHeader.version, "\(Route.version)"), ("X-Content-Type-Options", "nosniff")]
            // Browsers then use TLS for a year (RFC 6797), and ignore it in answers that are not encrypted.
            + (isEncrypted ? [("Strict-Transport-Security", "max-age=31536000")] : [])
        parameters = configuration.parameters
        showsLikesOfOthers = configuration.showsLikesOfOthers
        signUp = configuration.signUp
        accountQuota = AccountQuota(limit: configuration.quota, oversight: stores.oversight)
        self.observations = observations
        access = AccountAccess(accounts: accounts, hashing: hashing, tokens: tokens, now: now)
        self.tokens = tokens
        browserAccess = {
            AccountAccess(accounts: accounts, hashing: hashing, tokens: BrowserTokens(base: tokens), now: now)
        }
        let steady = SteadyTime(now)
        attempts = AttemptLimits(configuration.attempts, now: { steady.now })
        staged = try StagedImages(in: configuration.staging, now: { steady.now })
        answers = KeptReads(limit: configuration.keptAnswers)
        conversions = Turns(limit: max(1, configuration.conversionsAtOnce))
        pictures = PictureReader(pages: pages, reads: longReads, conversions: conversions)
    }

    /// Tells whose connections the metrics count.
    func connect(_ server: HTTPServer) {
        http.withLock { $0.http = server }
    }

    /// Sets what answers requests whose path begins with a segment.
    func connectApp(below segment: String, _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
        app.withLock { $0 = BrowserHandler(segment: segment, answer: answer) }
    }

    var connectionCounts: HTTPServer.Counts { http.withLock { $0.http?.counts } ?? HTTPServer.Counts() }

    // MARK: Every request

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let id = Self.newRequestID()
        let began = ContinuousClock.now
        let time = now()
        if let app = app.withLock(\.self), request.path.first == app.segment {
            return finish(await app.answer(request), of: request, id, began, time, route: "/\(app.segment)")
        }
        let (routes, arguments) = request.isMalformed ? ([], []) : RouteTable.routes(at: request.path)
        let route =
            routes.first { $0.method.rawValue == request.method }
            ?? (request.method == "HEAD" ? routes.first { $0.method == .get } : nil)
        var reason: String?
        var response: HTTPResponse
        do {
            if request.isMalformed {
                throw RequestError(
                    .malformed, 400,
                    "The URL is not percent-encoded UTF-8, or contains control characters or more than \(parameters) "
                        + "parameters.")
            }
            guard let route else { throw RequestError(routes: routes) }
            response = try await respond(to: request, route, arguments)
        } catch {
            let problem = Self.problem(for: error, id)
            if problem.status >= 500 { reason = Self.reason(of: error, problem) }
            // An address without a route is one that someone has typed, apart from those of the interface.
            let isUnknown = problem.cause == .noSuchRoute && request.path.first != "v1"
            response = describe(problem, error, of: request, isPage: route.map(RouteTable.isPage) ?? isUnknown)
            response.compress(for: request.coding)
        }
        return finish(response, of: request, id, began, time, route: (route ?? routes.first)?.template, reason: reason)
    }

    /// Completes the head of an answer, and logs the request when its answer is ready or its stream has ended.
    private func finish(
        _ answer: HTTPResponse, of request: HTTPRequest, _ id: String, _ began: ContinuousClock.Instant, _ time: Date,
        route template: String?, reason: String? = nil
    ) -> HTTPResponse {
        var response = answer
        complete(&response, id)
        let method =
            Route.Method(rawValue: request.method) != nil || request.method == "HEAD" ? request.method : "other"
        let end: @Sendable (_ reason: String?) -> Void = {
            [log, metrics, status = response.status, bytes = response.byteCount] reason in
            let duration = ContinuousClock.now - began
            metrics.count(route: template, method: method, status: status, duration: duration)
            log(
                LogLine(
                    time: time, request: id, method: method, route: template, status: status, duration: duration,
                    bytes: bytes, reason: reason))
        }
        guard case .stream(let keepAlive, let produce) = response.body else {
            end(reason)
            return response
        }
        response.body = .stream(keepAlive: keepAlive) { [metrics] stream in
            metrics.observing(1)
            var reason: String?
            defer {
                metrics.observing(-1)
                end(reason)
            }
            do {
                try await produce(stream)
            } catch let error as TravelError {
                // The stream ends with its description.
                if case .unavailable(let outage) = error { reason = Self.reason(of: outage) }
            }
        }
        return response
    }

    /// Answers a request that has no handler: its route and who asks are not known.
    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        let id = Self.newRequestID()
        let problem = Self.problem(for: refusal, id)
        var response = Self.describe(problem)
        complete(&response, id)
        metrics.count(route: nil, method: "other", status: problem.status, duration: .zero)
        log(
            LogLine(
                time: now(), request: id, method: "other", route: nil, status: problem.status, duration: .zero,
                bytes: response.byteCount, reason: problem.status >= 500 ? problem.detail : nil))
        return response
    }

    /// Adds the headers of every answer.
    private func complete(_ response: inout HTTPResponse, _ id: String) {
        response.headers.append((InterfaceHeader.request, id))
        for header in commonHeaders where !response.headers.contains(where: { $0.name == header.name }) {
            response.headers.append(header)
        }
        if !response.headers.contains(where: { $0.name == "Cache-Control" }) {
            response.headers.append(("Cache-Control", "no-store"))
        }
    }

    private static func newRequestID() -> String {
        let bits = UInt64.random(in: .min ... .max)
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func respond(
        to request: HTTPRequest, _ route: Route, _ arguments: [String]
    ) async throws -> HTTPResponse {
        // Whoever may not use a route does not learn more of it.
        let user = try await user(of: request, route)
        try checkQuery(of: request, route)
        try checkBodyType(of: request, route)
        let call = Call(
            application: self, request: request, route: route, arguments: arguments, user: user)
        let key = AnswerKey(request, route, viewer: user?.device.user, languages: pages?.languages)
        let answer: HTTPResponse
        if !RouteTable.isLong(route) {
            answer = try await self.answer(to: call, key)
        } else if let key, let count = stores.changeCount(), let kept = answers.value(for: key, at: count) {
            answer = kept
        } else {
            answer = try await longReads.inTurn(for: SocketAddress.network(of: request.client)) {
                try await self.answer(to: call, key)
            }
        }
        return answer.unlessKnown(to: request)
    }

    /// The answer from memory, if it is there; otherwise that of the store, which is kept.
    private func answer(to call: Call, _ key: AnswerKey?) async throws -> HTTPResponse {
        // Counted first: a change that the answer may lack makes it outdated.
        let place = key.flatMap { key in stores.changeCount().map { (key, $0) } }
        if let (key, count) = place, let kept = answers.value(for: key, at: count) { return kept }
        var answer = try await call.answer()
        answer.compress(for: call.request.coding)
        if let (key, count) = place, answer.status == 200, let size = answer.byteCount {
            answers.keep(answer, for: key, size: size + key.size, at: count)
        }
        return answer
    }

    /// Every name of a query is known, and occurs once.
    private func checkQuery(of request: HTTPRequest, _ route: Route) throws {
        // The form of a page sends a name several times.
        if RouteTable.isPage(route) { return }
        var names: Set<String> = []
        for (name, value) in request.query {
            guard value != nil, route.query.contains(name) else {
                throw RequestError(
                    .malformed, 400, "The query has an unknown parameter, or a parameter without a value.")
            }
            guard names.insert(name).inserted else {
                throw RequestError(.malformed, 400, "The query has a parameter twice.")
            }
        }
    }

    private func checkBodyType(of request: HTTPRequest, _ route: Route) throws {
        let coding = request.headers.list("content-encoding")?.lowercased() ?? "identity"
        guard route.body == .none || coding == "identity" else {
            throw RequestError(
                .unsupportedMediaType, 415, "The body must not be compressed.",
                headers: [("Accept-Encoding", "identity")])
        }
        let type = request.headers["content-type"].map { header in
            header.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        }
        let isRight =
            switch route.body {
            case .none: true
            case .json: type == InterfaceHeader.json
            case .picture: type == nil || type?.hasPrefix("image/") == true || type == "application/octet-stream"
            }
        guard isRight else {
            throw RequestError(
                .unsupportedMediaType, 415,
                route.body == .json
                    ? "The body must be JSON: send Content-Type: application/json."
                    : "The body must be a picture: send its Content-Type, such as image/jpeg.")
        }
    }

    /// Who asks: the user of the token, or nobody.
    private func user(of request: HTTPRequest, _ route: Route) async throws -> TokenSession? {
        if route.access == .everyone { return nil }
        guard let header = request.headers["authorization"] else {
            guard route.access == .viewer else { throw TravelError.signedOut }
            return nil
        }
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard request.headers.count(of: "authorization") == 1, parts.count == 2, parts[0].lowercased() == "bearer",
            let token = Token(parts[1]), let session = try await Authenticate(access)(token)
        else { throw TravelError.signedOut }
        return session
    }

    // MARK: Errors

    private static func problem(for error: any Error, _ id: String) -> Problem {
        switch error {
        case let error as TravelError: Problem(forClients(error), request: id)
        case let error as TravelJSONError: Problem(error, request: id)
        case let error as RequestError: Problem(error.cause, status: error.status, error.detail, request: id)
        case let refusal as HTTPRefusal: problem(for: refusal, id)
        case is CancellationError: Problem(busy("The request was cancelled."), request: id)
        default: Problem(.internalError, status: 500, "The server has an internal error.", request: id)
        }
    }

    /// The error where the answers or events of a client have no memory.
    static let tooManyAnswers = busy("The server is sending too much data at the moment.")

    private static func busy(_ reason: String) -> TravelError {
        .unavailable(.init(reason, cause: .serverBusy, canRetry: true))
    }

    /// What a client learns of an outage: not the reason, which may name files and hosts of the server, nor a cause that
    /// the client would take for one of its own device, such as a full disk.
    static func forClients(_ error: TravelError) -> TravelError {
        guard case .unavailable(let outage) = error, outage.cause != .serverBusy else { return error }
        let cause: TravelError.Outage.Cause =
            switch outage.cause {
            case .busy: .serverBusy
            case .damaged: .damaged
            default: .serverFailure
            }
        return .unavailable(.init("The server cannot answer at the moment.", cause: cause, canRetry: outage.canRetry))
    }

    private static func problem(for refusal: HTTPRefusal, _ id: String) -> Problem {
        func problem(_ cause: Problem.Cause, _ detail: String) -> Problem {
            Problem(cause, status: refusal.status, detail, request: id)
        }
        func problem(_ error: TravelError) -> Problem { Problem(error, request: id) }
        return switch refusal {
        case .ambiguousHead:
            problem(.malformed, "The request has an ambiguous length or host.")
        case .targetTooLong(let limit):
            problem(.targetTooLong, "The URL may have at most \(limit) bytes.")
        case .headTooLarge(let limit):
            problem(.headersTooLarge, "The header section of a request may have at most \(limit) bytes.")
        case .bodyTooLarge(let limit): problem(.bodyTooLarge, "The body may have at most \(limit) bytes.")
        case .tooManyBodies: problem(busy("The server is receiving too much data at the moment."))
        case .tooManyAnswers: problem(tooManyAnswers)
        case .stopping: problem(busy("The server is shutting down."))
        case .fault: problem(.internalError, "The server has an internal error.")
        }
    }

    /// What the log says of an answer from 500: neither values nor people.
    private static func reason(of error: any Error, _ problem: Problem) -> String {
        if case TravelError.unavailable(let outage) = error { return reason(of: outage) }
        return problem.status == 500 ? "\(type(of: error))" : problem.detail
    }

    private static func reason(of outage: TravelError.Outage) -> String {
        "\(outage.cause.name): \(outage.reason)"
    }

    private func describe(
        _ problem: Problem, _ error: any Error, of request: HTTPRequest, isPage: Bool
    ) -> HTTPResponse {
        var response = Self.describe(problem, (error as? RequestError)?.headers ?? [])
        if let pages, isPage {
            let language = PageRequest.language(of: request.headers, among: pages.languages)
            let page = PageRequest.response(pages.notFound(language: language), language, pages)
            response.body = page.body
            response.headers.removeAll { $0.name == "Content-Type" }
            response.headers += page.headers + [("Cache-Control", "no-store")]
        }
        return response
    }

    private static func describe(
        _ problem: Problem, _ headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        var headers = headers
        switch problem.status {
        case 401: headers.append(("WWW-Authenticate", "Bearer realm=\"traveline\""))
        case 503: headers.append(("Retry-After", "5"))
        default: break
        }
        headers.append(("Content-Type", Problem.mediaType))
        // A problem consists of texts and numbers, which JSON has.
        let body = (try? JSONCoding.bytes(for: problem)) ?? []
        return HTTPResponse(problem.status, headers: headers, body: body)
    }
}

/// An error of the interface, which the domain does not know.
struct RequestError: Error {
    let cause: Problem.Cause
    let status: Int
    let detail: String
    var headers: [(name: String, value: String)] = []

    init(
        _ cause: Problem.Cause, _ status: Int, _ detail: String, headers: [(name: String, value: String)] = []
    ) {
        self.cause = cause
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    static let nothingHere = RequestError(.noSuchRoute, 404, "There is nothing at this URL.")

    /// There is no route for a method at a path that has those.
    init(routes: [Route]) {
        guard !routes.isEmpty else {
            self = .nothingHere
            return
        }
        let methods = routes.map(\.method.rawValue) + (routes.contains { $0.method == .get } ? ["HEAD"] : [])
        let allow = methods.sorted().joined(separator: ", ")
        self.init(.methodNotAllowed, 405, "This address allows \(allow).", headers: [("Allow", allow)])
    }
}

/// Finds routes by the segments of a path.
enum RouteTable {
    private static let templates = Route.allCases.map { route in
        (route: route, parts: route.template.split(separator: "/").map(String.init))
    }

    /// The routes at a path, and the arguments in the path. Fixed segments come before arguments.
    static func routes(at path: [String]) -> (routes: [Route], arguments: [String]) {
        var found: (routes: [Route], arguments: [String]) = ([], [])
        for (route, parts) in templates where parts.count == path.count {
            var arguments: [String] = []
            let isMatch = zip(parts, path).allSatisfy { part, segment in
                guard part.hasPrefix("{") else { return part == segment }
                arguments.append(segment)
                return !segment.isEmpty
            }
            if isMatch { found = (found.routes + [route], arguments) }
        }
        return found
    }

    /// Whether a browser asks for it, and gets a page for an error.
    static func isPage(_ route: Route) -> Bool {
        switch route {
        case .home, .tripPage, .mapOfPage, .pictureOfPage, .style, .icon, .favicon: true
        default: false
        }
    }

    /// Whether it reads a whole trip, which may be long. Pictures take their turns themselves (``Call/picture(in:cache:)``).
    static func isLong(_ route: Route) -> Bool {
        switch route {
        case .trip, .timeline, .track, .tripPage, .mapOfPage: true
        default: false
        }
    }
}
#endif
