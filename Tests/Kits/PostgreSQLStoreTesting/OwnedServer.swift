#if PostgreSQL
import Foundation

/// The process of a server, which runs as long as its standard input is open.
struct OwnedServer {
    let folder: String
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a server, and returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - programs: The folder of `initdb` and `postgres`.
    ///   - password: The password that the server asks for; empty to trust everyone.
    ///   - port: The port of `localhost` on which it accepts encrypted connections; `nil` for none.
    ///   - primary: The folder of the server whose standby it is; empty for a server of its own.
    init(programs: String, password: String, port: Int?, primary: String) throws {
        let temporary = FileManager.default.temporaryDirectory.path()
        // Short, because the path of a socket has at most 107 bytes.
        folder = "\(temporary)/pg-\(UInt32.random(in: 0 ... .max))"
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", Self.script, "server", programs, "\(temporary)/pg-empty", folder, password,
            port.map(String.init) ?? "", primary,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try waitUntilReady()
    }

    func restart() throws {
        // To write to a script that has ended would end this process.
        guard process.isRunning else {
            throw PostgreSQLServer.StartError(description: "the server has ended, and cannot be restarted")
        }
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

    /// Arguments: the folder of the programs, the prefix of the folder with empty data, the server's own folder,
    /// the password, the port, and the folder of the primary server.
    private static let script = #"""
        programs=$1 empty=$2-$(id -u)-$(basename "$(dirname "$1")") folder=$3 password=$4 port=$5 primary=$6
        mkdir -m 700 "$folder" || exit 1
        as_owner=""
        if [ "$(id -u)" = 0 ]; then
            owner=postgres
            id "$owner" >/dev/null 2>&1 || owner=nobody
            as_owner="setpriv --reuid=$owner --regid=$(id -g $owner) --clear-groups"
            chown "$owner" "$folder"
        fi
        if [ -n "$primary" ]; then
            $as_owner "$programs/pg_basebackup" -h "$primary" -U postgres -D "$folder/data" -R -c fast --no-sync \
                >"$folder/log" 2>&1 || { tail -n 3 "$folder/log"; exit 1; }
        elif [ ! -d "$empty" ]; then
            $as_owner "$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync \
                >"$folder/log" 2>&1 || { tail -n 3 "$folder/log"; exit 1; }
            cp -Rp "$folder/data" "$empty.$$" && { mv -T "$empty.$$" "$empty" 2>/dev/null || rm -rf "$empty.$$"; }
        else
            cp -Rp "$empty" "$folder/data"
        fi
        if [ -n "$password" ]; then
            # A server for a single user asks for no password.
            echo "ALTER ROLE postgres PASSWORD \$password\$$password\$password\$" |
                $as_owner "$programs/postgres" --single -D "$folder/data" postgres >>"$folder/log" 2>&1
            printf '%s\n' 'local all all scram-sha-256' 'host all all localhost scram-sha-256' \
                >"$folder/data/pg_hba.conf"
        fi
        listen="-c listen_addresses="
        if [ -n "$port" ]; then
            (umask 077 && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=DNS:localhost -keyout "$folder/data/server.key" \
                -out "$folder/data/server.crt") >>"$folder/log" 2>&1 || { tail -n 3 "$folder/log"; exit 1; }
            [ -z "$as_owner" ] || chown "$owner" "$folder/data/server.key" "$folder/data/server.crt"
            listen="-c listen_addresses=127.0.0.1 -c ssl=on"
        fi
        start() {
            $as_owner "$programs/postgres" -D "$folder/data" -k "$folder" -p "${port:-5432}" $listen -c fsync=off \
                -c max_connections=200 -c max_prepared_transactions=10 -c deadlock_timeout=50ms \
                </dev/null >>"$folder/log" 2>&1 &
            server=$!
            until "$programs/pg_isready" -q -h "$folder" -p "${port:-5432}"; do
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
        # A test does not see why the server refused or ended a connection by itself.
        grep -E 'PANIC|could not (fork|accept)|was terminated by signal|out of memory' "$folder/log" >&2
        rm -rf "$folder"
        """#
}
#endif
