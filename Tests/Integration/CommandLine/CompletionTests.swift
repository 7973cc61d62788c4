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
            (["search", "--sort", ""], ["newest", "liked"]), (["show", "6f"], ["6f1c", "6f2d"]),
            (["search", "--after", "6f"], ["6f1c", "6f2d"]), (["like", "6f1c", "6f"], ["6f1c", "6f2d"]),
            (["export", "6f1c", "--format", "g"], ["geojson", "gpx"]), (["help", "exp"], ["export"]),
            (["completion", "f"], ["fish"]), (["write", "--transportation", "own"], ["ownCar"]),
            (["search", "zzz"], []),
        ])
    func bash(words: [String], replies: [String]) throws {
        #expect(try self.replies(words) == replies)
    }

    @Test("in zsh and fish has a syntax that the shells accept", arguments: ["zsh", "fish"])
    func syntax(shell: String) throws {
        let script = shell == "zsh" ? CompletionScript.zsh : CompletionScript.fish
        for name in Command.all.map({ $0.help.name }) { #expect(script.contains(name)) }
        for region in Region.allCases { #expect(script.contains(region.rawValue)) }
        // Shells that are not installed cannot be asked.
        guard Self.has(shell) else { return }
        let result = try Shell.run(shell, shell == "zsh" ? "-fnc" : "-nc", script)
        #expect(result.status == 0 && result.error == "")
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
