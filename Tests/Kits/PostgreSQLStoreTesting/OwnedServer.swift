#if PostgreSQL
    import Foundation

    /// The process of a server, which runs as long as its standard input is open.
    struct OwnedServer {
        let folder: String
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        /// Starts a server, and returns when it accepts connections.
        init(programs: String) throws {
            let temporary = FileManager.default.temporaryDirectory.path()
            // Short, because the path of a socket has at most 107 bytes.
            folder = "\(temporary)/pg-\(UInt32.random(in: 0 ... .max))"
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", Self.script, "server", programs, "\(temporary)/pg-empty", folder]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            try waitUntilReady()
        }

        func restart() throws {
            try input.fileHandleForWriting.write(contentsOf: Data("restart\n".utf8))
            try waitUntilReady()
        }

        func stop() {
            // Fails if the server has already been stopped.
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        /// The script writes a line once the server accepts connections.
        private func waitUntilReady() throws {
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            guard line.hasPrefix("ready") else {
                throw PostgreSQLServer.StartError(description: "the server did not start: \(line)")
            }
        }

        /// Arguments: the folder of the programs, the prefix of the folder with empty data, and the server's own folder.
        private static let script = #"""
            programs=$1 empty=$2-$(id -u)-$(basename "$(dirname "$1")") folder=$3
            mkdir -m 700 "$folder" || exit 1
            as_owner=""
            if [ "$(id -u)" = 0 ]; then
                owner=postgres
                id "$owner" >/dev/null 2>&1 || owner=nobody
                as_owner="setpriv --reuid=$owner --regid=$(id -g $owner) --clear-groups"
                chown "$owner" "$folder"
            fi
            if [ ! -d "$empty" ]; then
                $as_owner "$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync \
                    >"$folder/log" 2>&1 || { tail -n 3 "$folder/log"; exit 1; }
                cp -Rp "$folder/data" "$empty.$$" && { mv -T "$empty.$$" "$empty" 2>/dev/null || rm -rf "$empty.$$"; }
            else
                cp -Rp "$empty" "$folder/data"
            fi
            start() {
                $as_owner "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off \
                    -c max_connections=200 -c max_prepared_transactions=10 -c deadlock_timeout=50ms \
                    </dev/null >>"$folder/log" 2>&1 &
                server=$!
                until "$programs/pg_isready" -q -h "$folder"; do
                    kill -0 $server 2>/dev/null || { tail -n 3 "$folder/log"; exit 1; }
                    sleep 0.02
                done
                echo ready
            }
            end() {
                kill -QUIT $server
                wait $server
            }
            start
            while read -r command; do
                end
                start
            done
            end
            rm -rf "$folder"
            """#
    }
#endif
