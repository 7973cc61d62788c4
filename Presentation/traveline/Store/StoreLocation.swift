import Foundation
import Synchronization
import TravelDataSQLite
import TravelDataShared
import TravelDomain
import TravelPresentation
import TravelSamples

/// Where trips are stored.
enum StoreLocation: Hashable, Sendable {
    case file(String)
    /// A database on a PostgreSQL server.
    case server(DatabaseAddress)

    /// Parses the value of `--database` or of the environment; `nil` if it names neither a file nor a server.
    init?(_ text: String) {
        if let address = DatabaseAddress(text) {
            self = .server(address)
        } else {
            if text.isEmpty || text == ":memory:" || text.hasPrefix("file:") || text.contains("://") { return nil }
            self = .file(text)
        }
    }
}

extension StoreLocation: CustomStringConvertible {
    /// The path, or the address without a password.
    var description: String {
        switch self {
        case .file(let path): path
        case .server(let address): address.description
        }
    }
}

/// The address of a database on a PostgreSQL server: `postgresql://user@host:5432/name?sslmode=verify-full`. What it
/// leaves out is taken from the environment, the service file and the password file, as by every client of PostgreSQL.
struct DatabaseAddress: Hashable, Sendable {
    /// The original text, which may contain a password. Only for the library that connects.
    let text: String

    /// Reads an address; `nil` for any other text.
    init?(_ text: String) {
        guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else { return nil }
        self.text = text
    }

    /// The parts that may be shown; `nil` where the text is not written as an address is, so that no part of it is
    /// surely free of the password.
    private var parts: (user: String, host: String, database: String, query: [Substring])? {
        // A name or a host has none of the delimiters of an address (RFC 3986), unless they are escaped.
        let address =
            #/postgres(ql)?://((?<user>[^:@/?#\[\]]*)(:[^:@/?#\[\]]*)?@)?(?<host>([^:@/?#\[\],]*|\[[0-9A-Fa-f:.]*\])(:[0-9]*)?(,([^:@/?#\[\],]*|\[[0-9A-Fa-f:.]*\])(:[0-9]*)?)*)(/(?<name>[^:@/?#\[\]]*))?(\?(?<query>.*))?/#
        guard let match = text.wholeMatch(of: address) else { return nil }
        return (
            String(match.user ?? ""), String(match.host), String(match.name ?? ""),
            (match.query ?? "").split(separator: "&")
        )
    }

    /// The name under which the device knows this place: without the user and without passwords.
    ///
    /// - Parameter environment: Names the server where the address does not.
    func place(in environment: [String: String]) -> String {
        guard let parts else { return description }
        let names = ["PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGSERVICE", "PGOPTIONS"]
        let defaults = names.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        let query = parts.query.filter { !$0.lowercased().contains("password") }.map(String.init).sorted()
        return (["postgresql://\(parts.host)/\(parts.database)"] + query + defaults).joined(separator: " ")
    }
}

extension DatabaseAddress: CustomStringConvertible {
    /// The address without a password and without options: `postgresql://user@host:5432/name`.
    var description: String {
        guard let parts else { return "postgresql://…" }
        let service = parts.query.first { $0.hasPrefix("service=") }.map { "?\($0)" } ?? ""
        let user = parts.user.isEmpty ? "" : "\(parts.user)@"
        let name = parts.database.isEmpty ? "" : "/\(parts.database)"
        return "postgresql://\(user)\(parts.host)\(name)\(service)"
    }
}

extension DatabaseAddress: CustomReflectable {
    /// Shows no text, so that dumping an address shows no password.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where this command keeps its database.
enum DataDirectory {
    /// The database of the user who runs the command: in `$XDG_DATA_HOME/traveline`, by default
    /// `~/.local/share/traveline` (XDG Base Directory Specification 0.8); on Apple platforms in Application Support.
    static func databasePath(in environment: [String: String]) throws -> String {
        try directory(in: environment) + "/trips.sqlite"
    }

    /// The file of what the device keeps for itself, in the same directory.
    static func devicePath(in environment: [String: String]) throws -> String {
        try directory(in: environment) + "/device.sqlite"
    }

    /// Creates the folder of a file, unless it exists.
    ///
    /// - Throws: `FileError` when it cannot be made.
    static func makeFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw FileError(
                folder, "the directory cannot be created; check the path and its permissions",
                "폴더를 만들 수 없습니다. 경로와 권한을 확인하세요", .unavailable, isInaccessible: true)
        }
    }

    /// - Throws: `FileError` when the folder of a file does not exist.
    static func requireFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder) else {
            throw FileError(
                path, "there is no directory \(folder); create it first, or correct the path",
                "\(folder) 폴더가 없습니다. 먼저 만들거나 경로를 고치세요", .usage)
        }
    }

    /// Whether an error says that there is no data directory, or none in which a file can be made. False for a file that
    /// exists and cannot be opened: it may say who is signed in.
    static func isMissing(_ error: any Error) -> Bool {
        guard let error = error as? FileError else { return error is UsageError }
        return error.isInaccessible && !FileManager.default.fileExists(atPath: error.path)
    }

    private static func directory(in environment: [String: String]) throws -> String {
        // A relative path in XDG_DATA_HOME is to be ignored, says the specification.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/traveline" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw UsageError(
                "HOME is not set, so there is no data directory; specify a database with --database PATH",
                "HOME이 없어서 데이터 폴더를 알 수 없습니다. --database PATH로 데이터베이스를 지정하세요")
        }
        #if canImport(Darwin)
        return home + "/Library/Application Support/traveline"
        #else
        return home + "/.local/share/traveline"
        #endif
    }
}

extension DatabaseDraft {
    /// Creates the database. Its folder must exist, unless `makesFolder`.
    ///
    /// - Throws: `FileError` when there is no folder, or it cannot be made; the errors of ``create(_:)``.
    func create(makesFolder: Bool, _ fill: (TravelDatabase) async throws -> Void) async throws -> Bool {
        if makesFolder {
            try DataDirectory.makeFolder(of: target)
        } else {
            try DataDirectory.requireFolder(of: target)
        }
        return try await create(fill)
    }
}

extension CopiedStore {
    /// Adds the sample trips, with their authors and likes, in one transaction.
    func addSamples() async throws {
        let records =
            SampleTrips.travelers.map { StoreRecord.user($0) }
            + SampleTrips.all.map { .trip(StoredTrip($0.trip, likedBy: $0.likedBy)) }
        let remaining = Mutex(records[...])
        try await writeRecords(.add, next: { remaining.withLock { $0.popFirst() } }, check: nil)
    }
}
