#if Server
public import Foundation
import Synchronization
public import TravelDomain
internal import TravelJSON

/// A server that devices and browsers talk to over HTTP.
///
/// It knows who asks: the acting user of every use case comes from the token of the request, and nothing else in a request
/// can name them.
///
/// ```swift
/// let server = try TravelHTTPServer(
///     ServerConfiguration(host: "127.0.0.1", port: 8080),
///     stores: ServerStores(trips: database.trips, accounts: database.trips),
///     log: { print($0.json) })
/// let address = try server.start()
/// // …
/// await server.drain()    // on SIGTERM
/// ```
public final class TravelHTTPServer: Sendable {
    private let configuration: ServerConfiguration
    let application: Application
    private let http: HTTPServer
    private let care = Mutex<Task<Void, Never>?>(nil)

    /// Creates a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - configuration: Where it listens, and its limits.
    ///   - stores: What it serves.
    ///   - pages: The pages for people without the app, such as ``WebPages``; `nil` for none.
    ///   - review: Decides whether a picture may be published.
    ///   - log: Called once for each request, when its answer is ready or its stream has ended, on any thread.
    ///   - now: The current time.
    /// - Throws: `TravelError.unavailable` when libsodium or the folder for pictures cannot be used.
    public convenience init(
        _ configuration: ServerConfiguration, stores: ServerStores, pages: (any TripPages)? = nil,
        review: any ImageReview = .everyImage, log: @escaping @Sendable (LogLine) -> Void = { _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(TravelError) {
        let sodium = try Sodium(hashesAtOnce: configuration.hashesAtOnce)
        try self.init(
            configuration, stores: stores, pages: pages, review: review, log: log, now: now, hashing: sodium,
            tokens: sodium)
    }

    init(
        _ configuration: ServerConfiguration, stores: ServerStores, pages: (any TripPages)?, review: any ImageReview,
        log: @escaping @Sendable (LogLine) -> Void, now: @escaping @Sendable () -> Date, hashing: any PasswordHashing,
        tokens: any TokenSource
    ) throws(TravelError) {
        let application = try Application(
            configuration, stores: stores, pages: pages, review: review, log: log, now: now, hashing: hashing,
            tokens: tokens)
        self.configuration = configuration
        self.application = application
        http = HTTPServer(configuration) { refusal in
            application.refuse(refusal)
        } handler: { request in
            await application.answer(request)
        }
        application.connect(http)
    }

    /// Starts to listen, and returns the address with the port, which the system chooses for port 0.
    ///
    /// - Throws: ``ServerStartError``, also when the address can be reached from other machines without TLS.
    public func start() throws(ServerStartError) -> (host: String, port: Int) {
        let port = try http.start()
        let stores = application.stores
        let now = application.now
        care.withLock {
            $0 = Task {
                while !Task.isCancelled {
                    // A store that cannot answer is asked again in an hour.
                    try? await stores.accounts.removeExpiredDevices(at: now())
                    try? await Task.sleep(for: .seconds(3_600))
                }
            }
        }
        return (configuration.host, port)
    }

    /// The accounts of the server, for an application in browsers.
    package var browserAccounts: BrowserAccounts { BrowserAccounts(application) }

    /// Passes requests whose path begins with `segment`, such as `app`, to an application for browsers from now on.
    package func connectApp(
        below segment: String, _ answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        application.connectApp(below: segment, answer)
    }

    /// Stops: ends observations, answers new requests with 503, waits for the requests under way at most for 5 seconds,
    /// and cancels the rest. Returns when the port is free.
    public func drain() async {
        care.withLock { $0.take() }?.cancel()
        await http.stop(grace: configuration.grace)
        await application.staged.removeAll()
    }
}

/// The stores that a server serves. Both belong to the same database.
public struct ServerStores: Sendable {
    public let trips: any TravelStore
    public let accounts: any AccountRepository
    /// What tells how much an account has; `nil` for no quotas.
    public let oversight: (any OversightRepository)?
    let changeCount: @Sendable () -> UInt64?

    /// - Parameters:
    ///   - trips: The trips, their pictures and what users say about them.
    ///   - accounts: The accounts, their sessions and what limits their attempts.
    ///   - oversight: Tells how much an account has, for ``ServerConfiguration/quota``; with `nil` there are no quotas.
    ///   - changeCount: Returns a number that is another one after each change of the database, whoever makes it, and costs
    ///     less than a read. The server answers reads from memory while it stays the same; with `nil` it asks the store
    ///     each time.
    public init(
        trips: any TravelStore, accounts: any AccountRepository, oversight: (any OversightRepository)? = nil,
        changeCount: @escaping @Sendable () -> UInt64? = { nil }
    ) {
        self.trips = trips
        self.accounts = accounts
        self.oversight = oversight
        self.changeCount = changeCount
    }
}

/// Where a server listens, and what it allows.
public struct ServerConfiguration: Sendable {
    /// The number form of an address of this machine, or `localhost`.
    public var host: String
    /// The port; 0 for one that the system chooses.
    public var port: Int
    /// The certificate and its key in PEM; `nil` without TLS.
    public var tls: TLS?
    /// Whether a reverse proxy encrypts, and names the client in `X-Forwarded-For`.
    public var isBehindProxy = false
    /// The number of connections in all.
    public var connections = 4_096
    /// The number of connections of one address. It does not apply behind a proxy.
    public var connectionsPerAddress = 256
    /// The time of a connection without a request, of a head, and for which a client may neither read nor write.
    public var idle = Duration.seconds(30)
    /// The time of a request from its head to the end of its answer, and a second more for each 16 KiB of its body.
    /// Observations may take longer.
    public var request = Duration.seconds(120)
    /// The time between signs of life of an observation.
    public var keepAlive = Duration.seconds(15)
    /// The time for which ``TravelHTTPServer/drain()`` waits for requests.
    public var grace = Duration.seconds(5)
    /// The number of passwords that are hashed at a time, each with 64 MiB of memory.
    public var hashesAtOnce = 2
    /// The number of pictures that are made smaller at a time, each in a process of its own with its memory.
    public var conversionsAtOnce = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
    /// The folder for pictures that wait for their trip; `nil` for a new one among the temporary files.
    public var staging: URL?
    /// Who may create an account.
    public var signUp = SignUp.Policy.open
    /// How much an account may have.
    public var quota = AccountUsage(trips: 5_000, pictures: 20_000, bytes: 20 << 30)
    /// The memory for answers to reads that may be repeated, in bytes.
    var keptAnswers = 16 << 20
    var attempts = AttemptLimits.Limits()
    /// Whether a search for the trips that someone likes is answered to others, as the contract of a store asks for.
    var showsLikesOfOthers = false
    /// The time between two looks of the monitor.
    var look = Duration.milliseconds(250)
    /// The memory of a connection for the head of a request, for that of its answer, and for what is read and written at a
    /// time, in bytes. The library answers a head that does not fit, with a page of its own.
    var connectionMemory = 32_768
    /// The longest head of a request in bytes; it leaves memory for the answer.
    var head = 16_384
    /// The longest path with its query in bytes.
    var target = 8_192
    /// The largest number of parameters of a query, for which there is memory.
    var parameters = 200
    /// The bytes of a body for which its request has a second more: a picture over a slow network takes minutes.
    var slowestBody = 16_384
    /// The longest body that is read, if only to drop it, in bytes.
    var maximumBody = 16 << 20
    /// The memory for bodies that are being read or handled, in bytes. A quarter of it is for one client.
    var bodyMemory = 128 << 20
    /// The memory for answers that are being sent, in bytes, those up to ``smallAnswer`` apart. A quarter of it is for one
    /// client.
    var answerMemory = 256 << 20
    /// The longest answer that does not count, in bytes.
    var smallAnswer = 65_536
    /// The number of threads that move bytes.
    var threads = max(2, min(4, ProcessInfo.processInfo.activeProcessorCount))

    /// The certificate of a server, with the chain of those that have signed it, and its private key.
    public struct TLS: Sendable {
        let certificate: String
        let key: String

        /// Creates it from texts in PEM.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    public init(host: String = "127.0.0.1", port: Int = 8080) {
        self.host = host
        self.port = port
    }

    /// Where to listen. An address that other machines can reach needs encryption.
    func address() throws(ServerStartError) -> SocketAddress {
        guard let address = SocketAddress(host: host, port: port) else {
            throw ServerStartError(
                "\(host):\(port) is not a numeric IP address and a port, such as 127.0.0.1:8080.")
        }
        guard address.isLoopback || tls != nil || isBehindProxy else {
            throw ServerStartError(
                "\(host) can be reached from other machines, and passwords would cross the network unencrypted: give a "
                    + "certificate with its key, or listen behind a proxy that encrypts.")
        }
        return address
    }
}

/// Why a server does not listen.
public struct ServerStartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One English sentence with the remedy.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// What a server logs of a request. It has neither the address of the client, nor who it is, nor what it asks for.
public struct LogLine: Hashable, Sendable {
    public let time: Date
    /// The identity of the request, which its answer has in the header `Request-ID`.
    public let request: String
    public let method: String
    /// The template of its path, such as `/v1/trips/{id}`; `nil` when there is no such route.
    public let route: String?
    public let status: Int
    public let duration: Duration
    /// The length of the body of the answer; `nil` for an observation.
    public let bytes: Int?
    /// Why the server could not answer, for statuses from 500.
    public let reason: String?

    /// The line as an object of JSON, without a line break.
    public var json: String {
        var json = JSONText()
        func add(_ name: String, _ value: some JSONValue) {
            json.appendVerbatim("\(json.bytes.isEmpty ? "{" : ",")\"\(name)\":")
            value.write(to: &json)
        }
        // Milliseconds are enough, and are written faster than what is beyond them.
        add(
            "time",
            Date(timeIntervalSinceReferenceDate: (time.timeIntervalSinceReferenceDate * 1_000).rounded() / 1_000))
        add("request", request)
        add("method", method)
        add("route", route)
        add("status", status)
        add("milliseconds", (duration / .microseconds(1)).rounded() / 1_000)
        if let bytes { add("bytes", bytes) }
        if let reason { add("reason", reason) }
        json.appendVerbatim("}")
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// Writes the pages that a server shows to people without the app. They show what everyone sees.
public protocol TripPages: Sendable {
    /// The languages of the pages as tags (BCP 47), such as `en` and `ko`; the first one is the default.
    var languages: [String] { get }
    /// The value of the header `Content-Security-Policy` of every page.
    var contentSecurityPolicy: String { get }
    /// The style sheet at `/style.css`; `nil` when the pages contain their style.
    var style: Data? { get }
    /// The icon at `/icon.svg`, in SVG; `nil` for none.
    var icon: Data? { get }

    /// Reads the query of the list of trips; `nil` when it is none.
    func search(_ query: String) -> (criteria: TripCriteria, cursor: TripCursor?)?
    /// The page at `/`, for a query that ``search(_:)`` has read, in UTF-8.
    func list(_ page: TripPage, query: String, language: String) -> Data
    /// The page at `/trips/ID`, in UTF-8.
    func trip(_ details: TripDetails, language: String) -> Data
    /// The map of a trip at `/trips/ID/map.png`, in PNG; `nil` for none.
    ///
    /// The server calls it for a few trips at a time.
    func map(of details: TripDetails) -> Data?
    /// The page for a trip that nobody sees, or an address that does not exist.
    func notFound(language: String) -> Data
    /// The picture without metadata, for everyone but its author; `nil` when it cannot be shared as it is.
    func picture(_ image: TripImage) -> (mediaType: String, bytes: Data)?
    /// What makes a JPEG of the picture in a size, or in its own where ``picture(_:)`` cannot share it, without metadata;
    /// `nil` where nothing does, or nothing need. It returns `nil` for a picture that cannot be decoded.
    ///
    /// The server calls it for a few pictures at a time, and keeps smaller ones in its store.
    func conversion(of image: TripImage, to size: PictureSize?) -> (@Sendable () async -> Data?)?
}

extension TripPages {
    /// There is no map.
    public func map(of details: TripDetails) -> Data? { nil }
    /// There is no icon.
    public var icon: Data? { nil }
    /// No picture is converted.
    public func conversion(of image: TripImage, to size: PictureSize?) -> (@Sendable () async -> Data?)? { nil }
}
#endif
