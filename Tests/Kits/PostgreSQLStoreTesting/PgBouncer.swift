#if PostgreSQL
import Foundation
public import PostgreSQLStore

/// A pgbouncer before an own server, whose folder it shares. It runs as long as its standard input is open.
///
/// ```swift
/// let pooler = try PgBouncer(before: server)
/// defer { pooler.stop() }
/// let database = try await Database.open(pooler.location)
/// ```
public struct PgBouncer {
    /// Whether the program is installed.
    public static var isAvailable: Bool { program != nil }

    /// When a client gives its connection to the server back.
    public enum Mode: String, Sendable {
        case transaction, session
    }

    /// How to connect to the server through pgbouncer: to its schema `public`, because the parameter that chooses
    /// another one has no effect.
    public let location: Database.Location
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts pgbouncer, and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - server: A server of this process, with one pgbouncer at most.
    ///   - mode: When a client gives its connection to the server back.
    ///   - connections: The number of connections that serve all clients: with few of them, the transactions of
    ///     different clients alternate on each.
    /// - Throws: `PostgreSQLServer.StartError`; the errors of running the program.
    public init(before server: PostgreSQLServer, mode: Mode = .transaction, connections: Int = 2) throws {
        guard let program = Self.program, let folder = server.folder else {
            throw PostgreSQLServer.StartError(
                description: "pgbouncer needs a server of this process and the Debian package pgbouncer")
        }
        location = .parameters(["host": folder, "port": "6432", "user": "postgres", "dbname": "postgres"])
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", Self.script, "pgbouncer", program, folder, mode.rawValue, "\(connections)"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard line.hasPrefix("ready") else {
            throw PostgreSQLServer.StartError(description: "pgbouncer did not start: \(line)")
        }
    }

    /// Ends pgbouncer, and returns when it has ended.
    public func stop() {
        // Fails if pgbouncer has already been stopped.
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Arguments: the program, the folder of the server, the mode, and the number of connections to the server.
    private static let script = #"""
        program=$1 folder=$2 mode=$3 connections=$4 as_owner=""
        if [ "$(id -u)" = 0 ]; then
            owner=$(stat -c %U "$folder")
            as_owner="setpriv --reuid=$owner --regid=$(id -g $owner) --clear-groups"
        fi
        cat >"$folder/pgbouncer.ini" <<END
        [databases]
        * = host=$folder port=5432 user=postgres
        [pgbouncer]
        listen_port = 6432
        unix_socket_dir = $folder
        pidfile = $folder/pgbouncer.pid
        auth_type = any
        pool_mode = $mode
        default_pool_size = $connections
        ignore_startup_parameters = options
        END
        $as_owner "$program" -q "$folder/pgbouncer.ini" </dev/null >>"$folder/pgbouncer.log" 2>&1 &
        # It appears after the socket, which exists before it accepts connections.
        until [ -e "$folder/pgbouncer.pid" ]; do
            kill -0 $! 2>/dev/null || { tail -n 3 "$folder/pgbouncer.log"; exit 1; }
            sleep 0.02
        done
        echo ready
        cat >/dev/null
        kill $!
        wait $!
        """#
}
#endif
