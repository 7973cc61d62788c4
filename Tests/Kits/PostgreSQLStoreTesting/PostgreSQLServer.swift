#if PostgreSQL
import Foundation
public import PostgreSQLStore
import Synchronization

/// A PostgreSQL server for tests: one that the process starts and owns, or any engine named by the environment
/// variable `TRAVELINE_POSTGRESQL`, such as `postgresql://postgres@localhost/test`.
///
/// An own server stores its data in a temporary folder, listens on a socket in that folder only, and ends with the
/// process, also if that is killed: it runs until its standard input is closed. The empty data folder is made once
/// by `initdb`, which takes about three seconds, kept in the temporary directory of the system, and copied for each
/// server. As root, the server runs as the user `postgres` or `nobody`, because PostgreSQL refuses to run as root.
///
/// ```swift
/// @Suite(.enabled(if: PostgreSQLServer.isAvailable, "needs initdb, of the Debian package postgresql"))
/// struct StoreTests {
///     @Test func cities() async throws {
///         try await withTemporaryDatabase(migrations: migrations) { database in … }
///     }
/// }
/// ```
public final class PostgreSQLServer: Sendable {
    /// How to connect to the server.
    public let location: Database.Location
    /// The folder of the server's socket; nil for an engine that the process does not own.
    public let folder: String?
    private let owned: Mutex<OwnedServer?>

    private init(location: Database.Location, folder: String?, owned: sending OwnedServer?) {
        (self.location, self.folder) = (location, folder)
        self.owned = Mutex(owned)
    }

    /// Whether there is an engine in the environment, or a server can be started.
    public static let isAvailable = engine != nil || programs != nil

    /// Whether tests use a server of their own.
    public static let isOwned = engine == nil

    /// The server that all tests of the process share, started on first use.
    ///
    /// - Throws: ``StartError``.
    public static var shared: PostgreSQLServer {
        get async throws {
            if let engine { return PostgreSQLServer(location: .url(engine), folder: nil, owned: nil) }
            return try await sharedStart.value
        }
    }

    private static let sharedStart = Task.detached { try await start() }

    /// How a server lets clients in.
    ///
    /// ```swift
    /// let access = PostgreSQLServer.Access(password: "secret", port: 54_321)
    /// let server = try await PostgreSQLServer.start(access)
    /// let options = "sslmode=verify-full&sslrootcert=\(server.certificate!)"
    /// let url = "postgresql://postgres:secret@localhost:54321/postgres?\(options)"
    /// ```
    public struct Access: Hashable, Sendable {
        /// The password of the user `postgres`, for which the server asks by `scram-sha-256`; `nil` to trust
        /// everyone.
        public var password: String?
        /// The TCP port of `localhost` on which it also accepts connections, encrypted with a certificate that it
        /// has signed itself; `nil` for none. Needs the program `openssl`.
        public var port: Int?

        /// Creates the access to a server: by default through its socket only, without a password.
        public init(password: String? = nil, port: Int? = nil) {
            (self.password, self.port) = (password, port)
        }
    }

    /// The path of the certificate of a server with a TCP port.
    public var certificate: String? { folder.map { "\($0)/data/server.crt" } }

    /// Starts another server, for tests that stop it, or that need another way in.
    ///
    /// Its ``location`` is the socket, with the password.
    ///
    /// - Throws: ``StartError``.
    public static func start(_ access: Access = Access()) async throws -> PostgreSQLServer {
        try await start(access, primary: "")
    }

    /// Starts a standby, which has the data of a server that ``start(_:)`` returned without an access, follows its
    /// changes, and can only be read.
    ///
    /// ```swift
    /// let primary = try await PostgreSQLServer.start()
    /// let standby = try await PostgreSQLServer.startStandby(of: primary)
    /// ```
    ///
    /// - Throws: ``StartError``.
    public static func startStandby(of primary: PostgreSQLServer) async throws -> PostgreSQLServer {
        guard let folder = primary.folder else {
            throw StartError(description: "no standby of an engine that the process does not own")
        }
        return try await start(Access(), primary: folder)
    }

    private static func start(_ access: Access, primary: String) async throws -> PostgreSQLServer {
        guard let programs else {
            throw StartError(description: "no initdb: install the Debian package postgresql")
        }
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let owned = try OwnedServer(
                            programs: programs, password: access.password ?? "", port: access.port,
                            primary: primary)
                        var parameters = ["host": owned.folder, "user": "postgres", "dbname": "postgres"]
                        parameters["password"] = access.password
                        parameters["port"] = access.port.map(String.init)
                        return PostgreSQLServer(
                            location: .parameters(parameters), folder: owned.folder, owned: owned)
                    })
            }
        }
    }

    /// Ends the server at once, without a shutdown, and starts it again on the same data; returns when it accepts
    /// connections. Does nothing to an engine that the process does not own.
    ///
    /// ```swift
    /// try server.restart()    // the database connects again by itself
    /// let count = try await database.read { db in try db.fetchOne(Int.self, "SELECT COUNT(*) FROM cities") }
    /// ```
    ///
    /// - Throws: ``StartError``, or the errors of running the program `postgres`.
    public func restart() throws {
        try owned.withLock { try $0?.restart() }
    }

    /// Ends the server at once, and removes its data. Does nothing to an engine that the process does not own.
    public func stop() {
        owned.withLock { $0?.stop() }
    }

    /// A server that could not be started.
    ///
    /// ```swift
    /// do {
    ///     server = try await PostgreSQLServer.start()
    /// } catch let error as PostgreSQLServer.StartError {
    ///     print(error.description)    // no initdb: install the Debian package postgresql
    /// }
    /// ```
    public struct StartError: Error, CustomStringConvertible {
        /// What is wrong.
        public let description: String
    }

    private static let engine = ProcessInfo.processInfo.environment["TRAVELINE_POSTGRESQL"].flatMap { text in
        text.isEmpty ? nil : text
    }

    /// The folder of `initdb` and `postgres`: of the newest version that is installed, or on the path.
    private static let programs: String? = {
        let installed = ["/usr/lib/postgresql", "/usr/local/lib/postgresql"].flatMap { root in
            ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [])
                .sorted { $0.compare($1, options: .numeric) == .orderedDescending }.map { "\(root)/\($0)/bin" }
        }
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let others = ["/opt/homebrew/opt/postgresql/bin", "/usr/pgsql/bin"]
        return (installed + path + others).first { folder in
            ["initdb", "postgres"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
        }
    }()
}
#endif
