#if PostgreSQL
import Foundation
import PostgreSQLStoreTesting
import TestConcurrency
import Testing

@testable import traveline

@Suite(
    "The access to a PostgreSQL server",
    .enabled(
        if: PostgreSQLServer.isAvailable && PostgreSQLServer.isOwned && Program.isBuilt,
        "no PostgreSQL server of its own: install the Debian package postgresql"),
    .limitedConcurrency)
struct ServerAccessTests {
    private static let password = "right pass:word"

    /// Runs the test with a server of its own, whose socket is in `folder`.
    private func withServer(
        _ access: PostgreSQLServer.Access,
        _ body: (_ server: PostgreSQLServer, _ folder: String) async throws -> Void
    ) async throws {
        let server = try await PostgreSQLServer.start(access)
        defer { server.stop() }
        try await body(server, try #require(server.folder))
    }

    @Test("a wrong or missing password is refused in one line without it, and the right one of a file is accepted")
    func passwords() async throws {
        try await withServer(PostgreSQLServer.Access(password: Self.password)) { _, folder in
            let place = "/postgres?host=\(folder)"
            let cases = [
                "$traveline search --owner --database 'postgresql://postgres:wr0ng-s3cret@\(place)'",
                "PGPASSWORD=wr0ng-s3cret $traveline like --owner 0326c600 --database 'postgresql://postgres@\(place)'",
                """
                echo '*:*:*:postgres:wr0ng-s3cret' > pass && chmod 600 pass &&
                PGPASSFILE=pass $traveline copy --to 'postgresql://postgres@\(place)'
                """,
                "PGPASSFILE=none $traveline me --owner --database 'postgresql://postgres@\(place)'",
            ]
            for command in cases {
                try Program.run("$traveline search > list 2> note; \(command)") { result, _ in
                    #expect(result.status == 69, "\(command)")
                    #expect(
                        result.error.hasPrefix("traveline: postgresql://postgres@/postgres: ")
                            && result.error.contains("refuses access: check the user and the password"),
                        "\(result.error)")
                    #expect(result.error.split(separator: "\n").count == 1)
                    #expect(!(result.error + result.output).contains("wr0ng"))
                }
            }
            try Program.run(
                "$traveline doctor --lang ko --json --database 'postgresql://postgres:wr0ng-s3cret@\(place)'"
            ) { result, _ in
                #expect(result.status == 65)
                #expect(result.output.contains("서버가 접속을 거부했습니다"))
                #expect(!(result.error + result.output).contains("wr0ng"))
            }
            // In a password file, a colon is escaped.
            let file = Self.password.replacing(":", with: "\\:")
            let command = """
                echo '*:*:*:postgres:\(file)' > pass && chmod 600 pass && export PGPASSFILE=pass &&
                export TRAVELINE_DATABASE='postgresql://postgres@\(place)' &&
                $traveline seed --samples > out && $traveline search --owner 2> note | wc -l
                """
            try Program.run(command) { result, _ in
                #expect(result.status == 0, "\(result.error)")
                #expect(Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 0)
            }
        }
    }

    @Test(
        "an encrypted connection is made as sslmode asks, and refused where the certificate or the host is not right",
        .enabled(if: hasOpenSSL, "openssl is not installed"))
    func encryption() async throws {
        let port = try FreePort.find()
        try await withServer(PostgreSQLServer.Access(password: "s3cret", port: port)) { server, folder in
            let certificate = try #require(server.certificate)
            func place(_ host: String, _ mode: String) -> String {
                "postgresql://postgres@\(host):\(port)/postgres?sslmode=\(mode)"
            }
            // The server's copy is in a folder that only its user can read.
            let setup = "cat '\(certificate)' > root.crt && export PGPASSWORD=s3cret HOME=$PWD &&"
            for place in [
                place("localhost", "require"), place("127.0.0.1", "require"),
                place("localhost", "verify-full&sslrootcert=root.crt"),
                place("127.0.0.1", "verify-ca&sslrootcert=root.crt"),
            ] {
                let command =
                    "\(setup) $traveline search --owner --database '\(place)' && $traveline doctor --database '\(place)'"
                try Program.run(command) { result, _ in
                    #expect(result.status == 0, "\(place): \(result.error)")
                    #expect(result.output.contains(", encrypted"), "\(result.output)")
                }
            }
            for place in [
                place("localhost", "verify-full"), place("127.0.0.1", "verify-full&sslrootcert=root.crt"),
                place("localhost", "verify-full&sslrootcert=other.crt"),
            ] {
                let other =
                    "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -keyout key -out other.crt"
                let command = "\(setup) \(other) 2> note && $traveline search --owner --database '\(place)'"
                try Program.run(command) { result, _ in
                    #expect(result.status == 69, "\(place)")
                    #expect(
                        result.error.contains("not secure as required: check sslmode, sslrootcert"),
                        "\(place): \(result.error)")
                    #expect(!(result.error + result.output).contains("s3cret"))
                }
            }
            // A socket is not encrypted.
            let local = "postgresql://postgres@/postgres?host=\(folder)&port=\(port)"
            try Program.run("\(setup) $traveline doctor --database '\(local)'") { result, _ in
                #expect(result.output.contains(", not encrypted"), "\(result.output)\(result.error)")
            }
        }
    }

    private static var hasOpenSSL: Bool {
        let result = try? Shell.run("sh", "-c", "command -v openssl")
        return result?.status == 0
    }

    @Test("the app finds and likes a trip on a server, and shows it to others after a restart")
    func app() async throws {
        try await withServer(PostgreSQLServer.Access()) { _, folder in
            let place = "postgresql:///postgres?host=\(folder)&user=postgres"
            try Program.run("$traveline seed --samples --database '\(place)'") { result, _ in
                #expect(result.status == 0, "\(result.error)")
            }
            try AppProgram.inFolder { start in
                let first = try start("--owner", "--database", place)
                try first.wait(for: "나그네")
                first.send("/")
                try first.wait(for: "최근 검색어")
                first.send("올레")
                try first.wait(for: "추천") { $0.lines[1].contains("올레") }
                first.send("\r")
                try first.wait(for: "the result") {
                    $0.lines[1].contains("/ 올레") && !$0.text.contains("최근 검색어")
                }
                first.send("\u{1B}")
                try first.wait(for: "all trips") { $0.lines[1].contains("제목 검색") && $0.text.contains("▸") }
                first.send("l")
                try first.wait(for: "♥")
                first.send("n")
                try first.wait(for: "시작일")
                first.send("가을 경주\t2026-10-02\t\t\u{1B}[C\u{1B}[C ")
                // Down to who may see it: everyone.
                first.send(String(repeating: "\t", count: 6) + "\u{1B}[C\u{1B}[C \u{13}")
                try first.wait(for: "the new trip") { $0.text.contains("▸ 가을 경주") }
                first.send("q")
                #expect(try first.end() == 0)
                #expect(first.readsLines && !first.screen.isFullScreen && first.screen.showsCursor)

                // The keyword is on this device, the trip and the like are on the server.
                let second = try start("--owner", "--database", place)
                try second.wait(for: "가을 경주")
                second.send("/")
                try second.wait(for: "the recent keyword") { $0.text.contains("최근 검색어") && $0.text.contains("올레") }
                second.send("\u{1B}")
                try second.wait(for: "all trips") { $0.lines[1].contains("제목 검색") && $0.text.contains("▸") }
                second.send("q")
                #expect(try second.end() == 0)
            }
            try AppProgram.inFolder { start in
                // Another device has another user.
                let other = try start("--owner", "--database", place)
                try other.wait(for: "가을 경주")
                other.send("q")
                #expect(try other.end() == 0)
            }
            try Program.run("$traveline search --owner --keyword 가을 --database '\(place)'") { result, _ in
                #expect(result.output.contains("가을 경주"))
            }
        }
    }

    @Test(
        "the app on a server that cannot be reached is one line on a terminal in its former mode, within its deadline"
    )
    func unreachable() throws {
        try AppProgram.inFolder { start in
            let terminal = try start(
                "--lang", "en", "--owner", "--database", "postgresql://mina:s3cret@127.0.0.1:1/travel")
            let status = try terminal.end()
            #expect(status != 0)
            #expect(terminal.readsLines && !terminal.screen.isFullScreen)
            let text = String(decoding: terminal.output, as: UTF8.self)
            #expect(text.contains("cannot be reached"), "\(text)")
            #expect(!text.contains("s3cret"))
        }
    }
}

/// A TCP port of this machine that nobody uses.
enum FreePort {
    /// Another program can take the port before the caller does.
    static func find() throws -> Int {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        if !isBound { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
#endif
