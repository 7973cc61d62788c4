import Foundation
import TestTurns
import Testing
import TravelDomain

@testable import traveline

@Suite("The completion of command lines", .takesTurns)
struct CompletionTests {
    private static func has(_ shell: String) -> Bool {
        let result = try? Shell.run("sh", "-c", "command -v \(shell)")
        return result?.status == 0
    }

    /// What bash offers for the last of `words`, with `traveline` as a function that prints two IDs.
    private func replies(_ words: [String]) throws -> [String] {
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let script = """
            \(CompletionScript.bash)
            traveline() { [ "$*" = "completion ids 6f" ] && printf '6f1c\\t바다\\n6f2d\\t산\\n'; }
            COMP_WORDS=(traveline \(quoted)); COMP_CWORD=\(words.count)
            _traveline
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try Shell.run("bash", "-c", script)
        #expect(result.error == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(
        "in bash knows commands, options, values and IDs", .enabled(if: has("bash")),
        arguments: [
            (["se"], ["search", "seed"]), (["search", "--reg"], ["--region"]),
            (["search", "--region", "je"], ["jeonbuk", "jeonnam", "jeju"]), (["me", "sign"], ["sign-in", "sign-out"]),
            (["search", "--sort", ""], ["newest", "liked", "date"]), (["show", "6f"], ["6f1c", "6f2d"]),
            (["search", "--after", "6f"], ["6f1c", "6f2d"]), (["like", "6f1c", "6f"], ["6f1c", "6f2d"]),
            (["export", "6f1c", "--format", "g"], ["geojson", "gpx"]), (["help", "exp"], ["export"]),
            (["completion", "f"], ["fish"]), (["write", "--transportation", "own"], ["ownCar"]),
            (["search", "zzz"], []), (["search", "--region", "=", "je"], ["jeonbuk", "jeonnam", "jeju"]),
            (["search", "--sort", "="], ["newest", "liked", "date"]), (["--v"], ["--version"]),
        ])
    func bash(words: [String], replies: [String]) throws {
        #expect(try self.replies(words) == replies)
    }

    /// The same command lines in fish and in zsh, and what they offer.
    private static let lines: [(line: String, offers: [String])] = [
        ("se", ["search", "seed"]), ("he", ["help"]), ("--v", ["--version"]), ("search --reg", ["--region"]),
        ("search --region jeo", ["jeonbuk", "jeonnam"]), ("search --region=jeo", ["jeonbuk", "jeonnam"]),
        ("me sign", ["sign-in", "sign-out"]), ("me show zzz", []), ("search --sort ", ["date", "liked", "newest"]),
        ("show 6f", ["6f1c", "6f2d"]), ("search --after 6f", ["6f1c", "6f2d"]),
        ("search --after=6f", ["6f1c", "6f2d"]), ("like 6f1c 6f", ["6f1c", "6f2d"]),
        ("export 6f1c --format g", ["geojson", "gpx"]), ("help exp", ["export"]), ("completion f", ["fish"]),
        ("search zzz", []), ("search --keyword map ", []),
    ]

    /// Runs the test in a folder with a program `traveline` that knows two trips, and the completion of a shell.
    private func inFolder(_ script: String, _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("completion-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { Shell.remove(folder) }
        let program = folder.appendingPathComponent("traveline")
        try Data(
            """
            #!/bin/sh
            [ "$*" = "completion ids 6f" ] && printf '6f1c\\t바다: 밤\\n6f2d\\t산 $HOME "x"\\n'

            """.utf8
        ).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        try Data(script.utf8).write(to: folder.appendingPathComponent("_traveline"))
        try body(folder)
    }

    @Test(
        "in fish knows commands, options, values and IDs", .enabled(if: has("fish"), "fish is not installed"))
    func fish() throws {
        try inFolder(CompletionScript.fish) { folder in
            // fish marks the end of the answers to a line by itself.
            let questions = Self.lines.map { "complete -C 'traveline \($0.line)'; echo ." }.joined(separator: "\n")
            let result = try Shell.run(
                "env", "HOME=\(folder.path)", "PATH=\(folder.path):/usr/bin:/bin", "LC_ALL=C.UTF-8", "fish",
                "--no-config",
                "-c", "source \(folder.path)/_traveline\n\(questions)")
            #expect(result.error == "")
            let answers = result.output.split(separator: ".\n", omittingEmptySubsequences: false)
            for (line, answer) in zip(Self.lines, answers) {
                let offers = answer.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
                let values = offers.map { String($0.drop { $0 == "-" }.split(separator: "=").last ?? "") }
                let expected = line.offers.map { String($0.drop { $0 == "-" }) }
                #expect(values.sorted() == expected.sorted(), "traveline \(line.line)")
            }
            #expect(result.output.contains("6f2d\t산 $HOME \"x\""))
        }
    }

    @Test("in zsh knows commands, options, values and IDs", .enabled(if: has("zsh"), "zsh is not installed"))
    func zsh() throws {
        try inFolder(CompletionScript.zsh) { folder in
            let terminal = try PseudoTerminal(
                "/usr/bin/env", ["zsh", "-f", "-i"],
                environment: [
                    "HOME": folder.path, "PATH": "\(folder.path):/usr/bin:/bin", "TERM": "xterm", "LC_ALL": "C.UTF-8",
                    "PS1": "%% ",
                ], columns: 100, rows: 40)
            try terminal.wait(for: "%")
            terminal.send(
                "autoload -Uz compinit; compinit -u -D; source ./_traveline; unsetopt beep automenu; echo ready\r"
                    .replacing("./", with: "\(folder.path)/"))
            try terminal.wait(for: "the prompt") { $0.text.contains("\nready\n%") }
            for (line, offers) in Self.lines where !offers.isEmpty {
                // The screen is cleared: what is below the line was offered for it.
                terminal.send("\u{15}\u{C}traveline \(line)\t\t")
                try terminal.wait(for: "traveline \(line): \(offers)") { screen in
                    screen.text.contains("traveline \(line)".trimmingCharacters(in: .whitespaces))
                        && offers.allSatisfy { screen.text.contains($0) }
                }
            }
            terminal.send("\u{15}exit\r")
            _ = try terminal.end()
        }
    }

    @Test(
        "of IDs offers none without a database, and fails where the database cannot be read",
        .enabled(if: Program.isBuilt))
    func unreadableDatabase() throws {
        let command = """
            $traveline completion ids && $traveline completion ids zzz && printf 'no database' > bad.sqlite &&
            TRAVELINE_DATABASE=bad.sqlite $traveline completion ids
            """
        try Program.run(command) { result, _ in
            #expect(result.output == "")
            #expect(result.error.contains("bad.sqlite") && !result.error.contains("unexpected"), "\(result.error)")
            #expect(result.status == 65 || result.status == 69, "\(result.status)")
        }
    }

    @Test("in zsh and fish keeps quotation marks in pairs")
    func quotes() {
        for script in [CompletionScript.bash, CompletionScript.fish] {
            for line in script.split(separator: "\n") {
                let quotes = line.replacing("\\'", with: "").count { $0 == "'" }
                #expect(quotes.isMultiple(of: 2), "\(line)")
            }
        }
    }
}
