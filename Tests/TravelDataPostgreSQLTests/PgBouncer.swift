#if PostgreSQL
    import Foundation
    import PostgreSQLStoreTesting
    import Testing

    /// A pgbouncer in transaction mode before a server, whose folder it shares. It runs as long as its standard input
    /// is open.
    struct PgBouncer {
        /// Whether the program is installed.
        static var isAvailable: Bool { program != nil }

        /// How to connect to the server through pgbouncer: to its schema `public`, since pgbouncer refuses the
        /// parameter that chooses another one.
        let location: Database.Location
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        /// Starts pgbouncer, and returns when it accepts connections.
        init(before server: PostgreSQLServer) throws {
            let (program, folder) = (try #require(Self.program), try #require(server.folder))
            location = .parameters(["host": folder, "port": "6432", "user": "postgres", "dbname": "postgres"])
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", Self.script, "pgbouncer", program, folder]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            try #require(line.hasPrefix("ready"), "pgbouncer did not start: \(line)")
        }

        func stop() {
            // Fails if pgbouncer has already been stopped.
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }

        /// Arguments: the program, and the folder of the server. Two connections serve all clients, so that their
        /// transactions alternate on each.
        private static let script = #"""
            program=$1 folder=$2 as_owner=""
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
            auth_type = any
            pool_mode = transaction
            default_pool_size = 2
            ignore_startup_parameters = options
            END
            $as_owner "$program" -q "$folder/pgbouncer.ini" </dev/null >>"$folder/pgbouncer.log" 2>&1 &
            until [ -S "$folder/.s.PGSQL.6432" ]; do
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
