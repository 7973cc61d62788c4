#if Server
import Foundation
import TestConcurrency
import Testing

@testable import traveline

@Suite("The app in a browser of this machine", .enabled(if: Program.isBuilt), .limitedConcurrency)
struct BrowseTests {
    /// Runs a script beside the app. `ask METHOD TARGET [BODY]` prints a whole answer; `$page` is the file that signs in.
    private func run(_ script: String, _ check: (Shell.Result) throws -> Void) throws {
        let prelude = """
            export LC_ALL=C.UTF-8
            $traveline browse --no-open --lang en --database db > said 2> log & app=$!
            trap 'kill -9 $app 2> /dev/null' EXIT
            for i in $(seq 400); do grep -qs http said && break; sleep 0.05; done
            page=$(grep '^/' said); address=$(grep -o 'http://[^/]*' said); port=${address##*:}; host=${address#http://}
            secret=$(grep -o 'value="[^"]*' "$page" | head -n 1 | cut -d '"' -f 2)
            end=$'\\r\\n'
            ask() {
                { printf '%s' "$1 $2 HTTP/1.1${end}Host: $host${end}Connection: close$end" \\
                    "Content-Type: application/x-www-form-urlencoded$end${origin:+Origin: $origin$end}" \\
                    "${cookie:+Cookie: $cookie$end}Content-Length: ${#3}$end$end$3" >&3; cat <&3; } 3<> /dev/tcp/127.0.0.1/$port
            }
            status() { ask "$@" | head -n 1 | cut -d ' ' -f 2; }
            """
        try Program.run(prelude + "\n" + script) { result, _ in try check(result) }
    }

    @Test("is opened once by a private file, and ends with its sessions and its file at a signal")
    func session() throws {
        try run(
            """
            for f in "$page" "$(dirname "$page")"; do stat -c %a "$f" 2> /dev/null || stat -f %Lp "$f"; done
            status GET /app/; origin=null; status POST /app/open secret=wrong
            cookie=$(ask POST /app/open "secret=$secret" | grep -i '^set-cookie' | cut -d ' ' -f 2 | cut -d ';' -f 1); origin=
            status GET /app/; ask GET /app/ | grep -c 'id="trips"'
            origin=null; status POST /app/open "secret=$secret"; origin=
            host=example.org status GET /app/; cookie= status GET /app/; cookie=traveline-$port=0 status GET /app/me
            kill -TERM $app; wait $app; echo "rc $?"; [ -e "$page" ]; echo "left $?"
            """
        ) { result in
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(
                lines == ["600", "700", "401", "401", "200", "1", "401", "421", "401", "401", "rc 0", "left 1"],
                "\(result.output)\(result.error)")
        }
    }

    @Test("ends when a page asks it to, and only then")
    func quit() throws {
        try run(
            """
            origin=null; cookie=$(ask POST /app/open "secret=$secret" | grep -i '^set-cookie' | cut -d ' ' -f 2 | cut -d ';' -f 1)
            token=$(ask GET /app/settings | grep -o 'name="token" value="[^"]*' | head -n 1 | cut -d '"' -f 4)
            origin=http://example.org; status POST /app/settings "token=$token&do=quit"; kill -0 $app && echo alive
            origin=$address; status POST /app/settings "token=$token&do=quit"; wait $app; echo "rc $?"
            """
        ) { result in
            #expect(
                result.output.split(separator: "\n") == ["403", "alive", "200", "rc 0"],
                "\(result.output)\(result.error)")
        }
    }

    @Test("shows a trip that a command writes, and writes one that a command shows")
    func commands() throws {
        try run(
            """
            origin=null; cookie=$(ask POST /app/open "secret=$secret" | grep -i '^set-cookie' | cut -d ' ' -f 2 | cut -d ';' -f 1)
            origin=$address
            id=$($traveline write --title Harbour --region busan --from 2026-05-01 --database db)
            ask GET /app/trips/$id | grep -o '<h1[^>]*>Harbour'
            token=$(ask GET /app/ | grep -o 'name="token" value="[^"]*' | head -n 1 | cut -d '"' -f 4)
            ask POST /app/trips/$id "token=$token&do=like+$id" | grep -o '♥ 1'
            $traveline show $id --json --database db | grep -o '"isLiked":true'
            """
        ) { result in
            #expect(
                result.output.split(separator: "\n") == ["<h1 dir=\"auto\">Harbour", "♥ 1", "\"isLiked\":true"],
                "\(result.output)\(result.error)")
        }
    }

    @Test("an address of tiles that cannot be used is a usage error that names the option")
    func tiles() throws {
        let script = """
            export LC_ALL=C.UTF-8
            for language in en ko; do
                $traveline browse --lang $language --tiles 'http://tile.example.org/{z}/{x}/{y}' --tiles-credit x 2>&1; echo "rc $?"
            done
            $traveline browse --lang en --tiles 'https://tile.example.org/{z}/{x}/{y}' 2>&1; echo "rc $?"
            """
        try Program.run(script) { result, _ in
            let lines = result.output.split(separator: "\n").map(String.init)
            #expect(
                lines.count == 6 && [1, 3, 5].allSatisfy { lines[$0] == "rc 64" }, "\(result.output)\(result.error)")
            #expect(lines.first?.contains("--tiles: the address of tiles begins with https://") == true)
            #expect(lines.dropFirst(2).first?.contains("--tiles: 타일 주소는 https://로") == true)
            #expect(lines.dropFirst(4).first?.contains("--tiles and --tiles-credit belong together") == true)
        }
    }
}
#endif
