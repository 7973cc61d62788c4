#if Server
import Foundation
import TravelDataRemote
import TravelDataSQLite
import TravelDomain

/// The group `server`: `traveline serve` on seeded trips in a SQLite file, in a process of its own on the same machine,
/// and a C program on libmicrohttpd that answers with the same bytes.
///
/// Times of `firstPage` and `trip` are those of the clock for each request, with 16 connections that are kept. The
/// suffix `99` is the time in which 99 % of the answers arrive at half of that load, from the moment at which the request
/// was due. The suffix `SignedIn` is for answers to a user with a token, and `Changing` for those to a user while 20 likes
/// a second change the store, so that the server makes answers anew, which it keeps until a change.
/// `like` is the time from the call that likes on one device to the value at the observer of another.
/// The shapes that begin with `app` are those of ``BrowserBenchmarks``.
/// `observers` is the memory of the server while 1,000 observers wait, and `idle` that before them.
enum ServerBenchmarks {
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    static func run(_ report: inout Report) async throws {
        raiseLimitOfDescriptors()
        let folder = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // What is left is the system's to remove.
        let path = folder.appending(path: "database").path()
        let database = try await TravelDatabase.open(path: path)
        try await database.seed(count: report.count ?? 10_000, seed: 7)
        let query = try TripQuery(TripCriteria(), viewer: nil, limit: 100)
        let newest = try await database.trips.search(query).trips
        let author = try User(nickname: Nickname("author"))
        try await database.trips.add(author)
        let pictures = try PictureTrips(by: author, cover: nil)
        try await database.trips.add(pictures.all, images: pictures.images)
        await database.close()
        guard let trip = newest.first, let other = newest.last else { throw Failure("there are no trips") }

        let server = try ServerProcess.traveline(database: path, log: folder.appending(path: "log").path())
        defer { server.stop() }
        try await observers(&report, server, trip.id)
        try await load(&report, "firstPage", "/v1/trips", server, folder)
        try await load(&report, "trip", "/v1/trips/\(trip.id)", server, folder)
        let reader = try await device("reader", server, folder)
        let token = ["Authorization: Bearer \(reader.token)"]
        try await load(&report, "firstPageSignedIn", "/v1/trips", headers: token, server, folder)
        try await load(&report, "tripSignedIn", "/v1/trips/\(trip.id)", headers: token, server, folder)
        try await whileLiking(other.id, server, folder) {
            try await load(&report, "firstPageChanging", "/v1/trips", headers: token, server, folder)
            try await load(&report, "tripChanging", "/v1/trips/\(trip.id)", headers: token, server, folder)
        }
        try await likes(&report, server, trip.id, folder)
        try await BrowserBenchmarks.run(&report, server, newest.map(\.id), pictures)
    }

    /// Measures the server and the C program in turns, so that a slow moment of the machine meets both.
    private static func load(
        _ report: inout Report, _ shape: String, _ target: String, headers: [String] = [], _ server: ServerProcess,
        _ folder: URL
    ) async throws {
        guard report.isWanted(shape) else { return }
        let answer = try KeptConnection(port: server.port, target: target).answer()
        guard let c = try ServerProcess.c(answering: answer, in: folder) else {
            print("not run: \(shape), whose C program needs cc and libmicrohttpd")
            return
        }
        defer { c.stop() }
        let (seconds, runs) = report.isQuick ? (0.5, 3) : (3, 7)
        let columns = [
            ("traveline serve", Load(port: server.port, target: target, headers: headers)),
            ("C", Load(port: c.port, target: target, headers: headers)),
        ]
        var (times, late) = ([[Double]](repeating: [], count: 2), [[Double]](repeating: [], count: 2))
        for run in 0...runs {
            for (column, (_, load)) in columns.enumerated() {
                let time = try await load.unlimited(seconds: seconds)
                let answers = try await load.steady(nanosecondsEach: 2 * time, seconds: seconds).sorted()
                // The first run warms up.
                guard run > 0 else { continue }
                times[column].append(time)
                late[column].append(Double(answers[(answers.count - 1) * 99 / 100]))
            }
        }
        for (column, (name, _)) in columns.enumerated() {
            report.add(shape: shape, column: name, element: "request", times: times[column])
            report.add(shape: "\(shape)99", column: name, element: "answer", times: late[column])
        }
    }

    /// Signs a new user up.
    private static func device(
        _ nickname: String, _ server: ServerProcess, _ folder: URL
    ) async throws -> (trips: RemoteTravelStore, user: User, token: String) {
        let tokens = try FileTokenStore(folder: folder.appending(path: nickname).path())
        let session = RemoteSession(server: try ServerAddress("http://127.0.0.1:\(server.port)"), tokens: tokens) {
            throw Failure("no password is asked for")
        }
        let user = try await session.signUp(try Nickname(nickname), try Password("a long password"))
        return (RemoteTravelStore(session), user, try await tokens.tokens()?.access.text ?? "")
    }

    /// Calls `body` while someone likes a trip and takes it back, 20 times a second.
    private static func whileLiking(
        _ trip: Trip.ID, _ server: ServerProcess, _ folder: URL, _ body: () async throws -> Void
    ) async throws {
        let actor = try await device("fan", server, folder)
        let liking = Task {
            var isLiked = false
            while !Task.isCancelled {
                isLiked.toggle()
                try await actor.trips.setLiked(isLiked, trip: trip, by: actor.user.id)
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        defer { liking.cancel() }
        try await body()
    }

    /// Measures the way of a like from one device to another.
    private static func likes(
        _ report: inout Report, _ server: ServerProcess, _ trip: Trip.ID, _ folder: URL
    ) async throws {
        guard report.isWanted("like") else { return }
        let (actor, observer) = (
            try await device("actor", server, folder), try await device("observer", server, folder)
        )
        var times: [Double] = []
        var likes: Int?
        var start: UInt64 = 0
        var isLiked = false
        for try await seen in observer.trips.observeTrip(trip, viewer: observer.user.id) {
            if let likes, seen.likeCount != likes { times.append(Double(Report.Clock.wall.now - start)) }
            likes = seen.likeCount
            if times.count == report.scaled(200) { break }
            // As people do it: after a while in which nothing happens.
            try await Task.sleep(for: .milliseconds(20))
            isLiked.toggle()
            start = Report.Clock.wall.now
            try await actor.trips.setLiked(isLiked, trip: trip, by: actor.user.id)
        }
        let sorted = times.sorted()
        report.add(shape: "like", column: "traveline serve", element: "like", times: times)
        report.add(shape: "likeWorst", column: "traveline serve", element: "like", times: sorted.suffix(1))
    }

    /// Measures the memory of the server with 1,000 observers of a trip.
    private static func observers(_ report: inout Report, _ server: ServerProcess, _ trip: Trip.ID) async throws {
        guard report.isWanted("observers") else { return }
        _ = try KeptConnection(port: server.port, target: "/v1/trips").answer()
        report.add(shape: "idle", column: "traveline serve", element: "bytes", times: [Double(server.residentBytes)])
        let observers = try (0..<1_000).map { number in
            let observer = try KeptConnection(
                port: server.port, target: "/v1/trips/\(trip)", headers: ["Accept: text/event-stream"],
                from: UInt32(1 + number / 200))
            try observer.send()
            return observer
        }
        for observer in observers { try observer.wait() }
        // The value follows the head.
        try await Task.sleep(for: .seconds(2))
        report.add(
            shape: "observers", column: "traveline serve", element: "bytes", times: [Double(server.residentBytes)])
    }

    /// Raises the number of files that this process and those that it starts may open, as a service manager does.
    private static func raiseLimitOfDescriptors() {
        var limit = rlimit()
        #if canImport(Glibc) || canImport(Musl)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        getrlimit(resource, &limit)
        limit.rlim_cur = min(limit.rlim_max, 8_192)
        setrlimit(resource, &limit)
    }
}
#endif
