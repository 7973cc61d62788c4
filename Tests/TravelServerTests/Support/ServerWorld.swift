#if Server
import Foundation
import Synchronization
import Testing
import TravelDataInMemory
import TravelDomain
import TravelDomainTesting
import TravelJSON

@testable import TravelServer

/// A server over a store in memory, with a clock of its own and what it has logged.
final class ServerWorld: Sendable {
    let store = InMemoryTripRepository()
    let server: TravelHTTPServer
    let port: Int
    let clock: TestDate
    let log: Lines
    /// What has been answered so far, as a method, the template of a path and a status.
    let answered = Mutex<Set<String>>([])
    private let outage: Outage

    /// Errors that calls of the store throw.
    private final class Outage: Sendable {
        let error = Mutex<@Sendable (InterceptedStore.Call) -> TravelError?>({ _ in nil })
    }

    final class TestDate: Sendable {
        private let date = Mutex(Date(timeIntervalSince1970: 1_750_000_000))
        var now: Date { date.withLock { $0 } }

        func advance(by seconds: TimeInterval) {
            date.withLock { $0.addTimeInterval(seconds) }
        }
    }

    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }

        func add(_ line: LogLine) {
            lines.withLock { $0.append(line.json) }
        }
    }

    init(pages: (any TripPages)? = nil, _ configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
        var configuration = ServerConfiguration(port: 0)
        configuration.look = .milliseconds(20)
        configuration.grace = .milliseconds(200)
        configure(&configuration)
        let (clock, log, outage) = (TestDate(), Lines(), Outage())
        self.clock = clock
        self.log = log
        self.outage = outage
        let trips = InterceptedStore(store) { call in
            if let error = outage.error.withLock({ $0 })(call) { throw error }
        }
        server = try TravelHTTPServer(
            configuration, stores: ServerStores(trips: trips, accounts: store, oversight: store), pages: pages,
            review: .everyImage,
            log: { log.add($0) }, now: { clock.now }, hashing: PlainHashing(), tokens: Sodium())
        port = try server.start().port
    }

    /// Sends a request, and checks that the description of the interface has its answer.
    @discardableResult
    func ask(
        _ method: String, _ target: String, token: String? = nil, headers: [String] = [], json: Any? = nil,
        body: [UInt8]? = nil
    ) async throws -> Reply {
        var headers = headers + (token.map { ["Authorization: Bearer \($0)"] } ?? [])
        var bytes = body
        if let json {
            headers.append("Content-Type: application/json")
            bytes = Array(try JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed))
        }
        let reply = try #require(
            await TravelServerTests.ask(port, method, target, headers: headers, body: bytes),
            "no answer: \(method) \(target)")
        let template = Description.shared.check(reply, to: method, target)
        answered.withLock { _ = $0.insert("\(method == "HEAD" ? "GET" : method) \(template ?? "-") \(reply.status)") }
        #expect(reply.headers["request-id"]?.count == 16)
        #expect(reply.headers["traveline-interface"] == "1")
        return reply
    }

    /// Runs `body` while calls of the store throw `error`: those of one kind, or all.
    func failing(
        _ call: InterceptedStore.Call? = nil, with error: TravelError, _ body: () async throws -> Void
    ) async throws {
        outage.error.withLock { $0 = { call == nil || call == $0 ? error : nil } }
        defer { outage.error.withLock { $0 = { _ in nil } } }
        try await body()
    }

    /// Creates an account; returns what the server answers.
    func signUp(_ nickname: String, password: String = "open sesame") async throws -> Account {
        let reply = try await ask(
            "POST", "/v1/accounts", json: ["nickname": nickname, "password": password] as [String: String])
        try #require(reply.status == 201, "\(reply.text)")
        return try Account(reply)
    }

    struct Account {
        let user: User
        let access: String
        let refresh: String

        init(_ reply: Reply) throws {
            let signedIn = try JSONCoding.value(SignedInRecord.self, in: Data(reply.body)).signedIn
            user = signedIn.user
            access = signedIn.access.text
            refresh = signedIn.refresh.text
        }
    }

    /// A new trip of `author`.
    func trip(_ seed: UInt64, by author: User, image: TripImage.ID? = nil) throws -> RecordedTrip {
        var content = TripContent(
            title: try Title("Trip \(seed)"), region: .jeju,
            days: try DayRange(CalendarDay("2025-05-01"), through: CalendarDay("2025-05-02")),
            audience: .everyone)
        content.thumbnail = image
        let entry = try TimelineEntry(
            day: 1, time: TimeOfDay("09:30"), title: Title("Harbour"), text: EntryText("Rain"))
        return try RecordedTrip(
            id: Trip.ID(), author: author, createdAt: clock.now, content: content, timeline: [entry])
    }

    /// Stores a trip; returns the answer.
    @discardableResult
    func put(_ trip: RecordedTrip, token: String, header: String = "If-None-Match: *") async throws -> Reply {
        try await ask(
            "PUT", "/v1/trips/\(trip.id)", token: token,
            headers: ["Content-Type: application/json"] + (header.isEmpty ? [] : [header]),
            body: Array(try JSONCoding.data(for: RecordedTripRecord(trip))))
    }
}

/// Runs `body` with a server, and stops it.
func withWorld(
    pages: (any TripPages)? = nil, _ configure: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (ServerWorld) async throws -> Void
) async throws {
    let world = try ServerWorld(pages: pages, configure)
    do {
        try await body(world)
    } catch {
        await world.server.drain()
        throw error
    }
    await world.server.drain()
}

extension Reply {
    func json() throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    }

    var cause: String? { (try? json())?["cause"] as? String }
}

/// Passwords as they are: hashing is slow on purpose, and tested by itself.
struct PlainHashing: PasswordHashing {
    let decoy = PasswordHash("plain:")!

    func hash(_ password: Password) async throws -> PasswordHash { Self.hash(of: password) }
    func verify(_ password: Password, _ hash: PasswordHash) async throws -> Bool { Self.hash(of: password) == hash }
    func isOutdated(_ hash: PasswordHash) -> Bool { false }

    private static func hash(of password: Password) -> PasswordHash {
        PasswordHash("plain:" + password.text.utf8.map { "\($0)." }.joined())!
    }
}

/// The description of the interface.
struct Description: @unchecked Sendable {
    // It is not changed after it has been read.
    let paths: [String: [String: [String: Any]]]
    let schemas: [String: [String: Any]]

    static let shared = try! Description()

    private init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Presentation/TravelServer/TravelServer.docc/Resources/openapi.json")
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        paths = json?["paths"] as? [String: [String: [String: Any]]] ?? [:]
        let components = json?["components"] as? [String: Any]
        schemas = components?["schemas"] as? [String: [String: Any]] ?? [:]
    }

    /// The operations with their paths and methods.
    var operations: [(path: String, method: String, operation: [String: Any])] {
        paths.flatMap { path, item in item.map { (path, $0.key.uppercased(), $0.value) } }
            .sorted { ($0.path, $0.method) < ($1.path, $1.method) }
    }

    /// Checks that the description has the status of an answer. Methods and paths that it does not have are 404 or 405.
    /// Returns the template of the path; `nil` if it has none.
    @discardableResult
    func check(_ reply: Reply, to method: String, _ target: String) -> String? {
        let path = target.prefix { $0 != "?" }.split(separator: "/")
        let matching = paths.filter { template, _ in
            let parts = template.split(separator: "/")
            return parts.count == path.count && zip(parts, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        // `/v1/me/blocked` is no user.
        .min { $0.key.count(where: { $0 == "{" }) < $1.key.count(where: { $0 == "{" }) }
        // Methods are upper case.
        let method = method == "HEAD" ? "get" : method == method.uppercased() ? method.lowercased() : ""
        guard let responses = matching?.value[method]?["responses"] as? [String: Any] else {
            #expect([400, 404, 405].contains(reply.status), "\(method) \(target): \(reply.status)")
            return nil
        }
        #expect(
            responses["\(reply.status)"] != nil, "\(method) \(target): \(reply.status) is not described: \(reply.text)")
        return matching?.key
    }
}
#endif
