import Foundation
import Testing
import TestConcurrency
import TravelDomain
@testable import traveline
import TravelPresentation
import TravelTerminal

@Suite("The help of the command line", .limitedConcurrency)
struct HelpTests {
    static let names = Command.all.map { $0.help.name }

    private func help(_ name: String) throws -> CommandHelp {
        try #require(Command.all.first { $0.help.name == name }).help
    }

    @Test("every filter is an option of a search, and of writing unless it follows from the dates")
    func everyFilterIsAnOption() {
        let search = Set(TripFilters.help.map(\.name))
        let writing = Set(ContentOptions.help.map(\.name))
        for kind in FilterKind.allCases {
            #expect(search.contains("--\(kind.rawValue)"))
            #expect(writing.contains("--\(kind.rawValue)") || kind == .season || kind == .period)
        }
    }

    @Test("each command shows its help with --help, -h and help, wherever these stand", arguments: names)
    func spellings(name: String) throws {
        for arguments in [[name, "--help"], [name, "-h"], ["help", name], [name, "--database", "x", "--help"]] {
            guard case .help(let help?) = try help(arguments, of: name) else {
                Issue.record("\(arguments) shows no help")
                continue
            }
            #expect(help.name == name)
        }
        guard case .help(nil) = try Command(["--help"]) else { return #expect(Bool(false), "no help of the program") }
    }

    private func help(_ arguments: [String], of name: String) throws -> Command {
        // Not every command uses a database.
        try Command(help(name).usesStore ? arguments : arguments.filter { $0 != "--database" && $0 != "x" })
    }

    @Test("no line is wider than 80 columns", arguments: names + [""])
    func width(name: String) throws {
        for language in Language.allCases {
            let text = name.isEmpty ? Command.usage(in: language) : try help(name).text(in: language)
            for line in text.split(separator: "\n") { #expect(String(line).displayWidth <= 80, "\(line)") }
        }
    }

    @Test("every text is in English and in Korean")
    func languages() {
        func isHangul(_ character: Character) -> Bool { ("가"..."힣").contains(character) }
        for help in Command.all.map({ $0.help }) {
            let texts = [help.summary] + help.notes + help.allOptions.map(\.summary) + help.examples.map(\.effect)
            for text in texts {
                #expect(text.korean.contains(where: isHangul), "\(text.english)")
                #expect(text.korean != text.english)
            }
        }
    }

    @Test("every option of a command is in its help, with all of its values", arguments: names)
    func values(name: String) throws {
        let help = try help(name)
        let words = Set(help.text(in: .english).split { " ,\n:".contains($0) }.map(String.init))
        for option in help.allOptions {
            #expect(words.contains(option.name))
            for choice in option.choices { #expect(words.contains(choice), "\(option.name) \(choice)") }
        }
    }

    @Test("every option in the help of a command is understood by it", arguments: names)
    func options(name: String) throws {
        let help = try help(name)
        for option in help.allOptions where option.name != "--help" {
            let value =
                option.choices.first ?? ["N": "1", "ID": "6f", "DATE": "2024-05-01", "TIME": "09:30"][
                    option.placeholder ?? ""] ?? ["LAT,LON": "35,129", "SEED": "1"][option.placeholder ?? ""] ?? "text"
            do {
                _ = try Command([name, option.name] + (option.placeholder == nil ? [] : [value]))
            } catch let error as UsageError {
                #expect(!error.description.contains("has no option"), "\(error)")
            }
        }
    }

    @Test("every example is one line that the command understands", arguments: names)
    func examples(name: String) throws {
        let help = try help(name)
        #expect(!help.examples.isEmpty)
        for example in help.examples {
            #expect("  traveline \(example.line)".displayWidth <= 80, "\(example.line)")
            let line = example.line.split(separator: " > ")[0]
            guard case .run = try Command(words(of: String(line))) else {
                Issue.record("\(example.line) runs nothing")
                continue
            }
        }
    }

    /// The words of a command line with single quotes.
    private func words(of line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }

    @Test("an ID is recognised by its first characters, in either case and with or without dashes")
    func identification() throws {
        let range: ClosedRange<Trip.ID> = try Identification("6F1C-2").range()
        #expect("\(range.lowerBound)" == "6f1c2000-0000-0000-0000-000000000000")
        #expect("\(range.upperBound)" == "6f1c2fff-ffff-ffff-ffff-ffffffffffff")
        let id = Trip.ID()
        #expect(try Identification("\(id)").range() == id...id)
        #expect(throws: UsageError.self) { try Identification("") }
        #expect(throws: UsageError.self) { try Identification("\(id)0") }
    }

    @Test("a short ID has eight characters, and more where another ID begins with the same")
    func shortIDs() throws {
        let ids = try ["6f1c2c1e-8d5b-4a53-9c9e-0b1f6a7f3f10", "6f1c2c1e-8d5c-4a53-9c9e-0b1f6a7f3f10"].map {
            try #require(Trip.ID($0))
        }
        #expect(ids[0].short(among: [ids[0]]) == "6f1c2c1e")
        #expect(ids[0].short(among: ids) == "6f1c2c1e-8d5b")
    }

    @Test("the name of an account is always the same user, whatever the case and the encoding of its syllables")
    func accounts() throws {
        let account = try LocalIdentity.account(named: "Mina 가")
        #expect(try LocalIdentity.account(named: " mina \u{1100}\u{1161}").user == account.user)
        #expect(try LocalIdentity.account(named: "Mina 나").user != account.user)
        #expect("\(account.user)".split(separator: "-")[2].first == "8")
        #expect(throws: UsageError.self) { try LocalIdentity.account(named: "x") }
    }

    @Test("the user of a device is always the same, and another one on each device, whatever was in their file")
    func devices() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }  // The system eventually empties that directory.
        let environment = ["XDG_DATA_HOME": folder.path]
        let user = try LocalIdentity.device(in: environment).user
        #expect(try LocalIdentity.device(in: environment).user == user)
        #expect(try LocalIdentity.device(in: ["XDG_DATA_HOME": folder.path + "/other"]).user != user)
        try Data().write(to: folder.appending(path: "traveline/person"))
        let other = try LocalIdentity.device(in: environment).user
        #expect(try LocalIdentity.device(in: environment).user == other)
        #expect(throws: UsageError.self) { try LocalIdentity.device(in: [:]) }
    }

    @Test("a file of the user that cannot be read is not replaced by one of somebody else")
    func unreadableDevice() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }  // The system eventually empties that directory.
        let file = folder.appending(path: "traveline/person")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect {
            try LocalIdentity.device(in: ["XDG_DATA_HOME": folder.path])
        } throws: { error in
            (error as? FileError)?.path == file.path
        }
    }

    @Test("a connection to a server that cannot be read is reported in both languages")
    func damagedConnection() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }  // The system eventually empties that directory.
        let environment = ["XDG_DATA_HOME": folder.path]
        let file = try DeviceConnection.Files(in: environment).connection
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: file)
        let error = try #require(throws: FileError.self) { try DeviceConnection.current(in: environment) }
        #expect(error.text(in: .english).contains("check its permissions, connect again, or discard"))
        #expect(error.text(in: .korean).contains("권한을 확인하거나 다시 연결하세요"))
        // A connection that cannot be reached is not none, for which a command would use the own database.
        try FileManager.default.removeItem(at: file.deletingLastPathComponent())
        try Data().write(to: file.deletingLastPathComponent())
        #expect(throws: FileError.self) { try DeviceConnection.current(in: environment) }
    }
}

@Suite("The completion of command lines", .limitedConcurrency)
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
            (["se"], ["search", "serve", "seed"]), (["search", "--reg"], ["--region"]),
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

    @Test("in bash completes and quotes the name of a file with spaces", .enabled(if: has("bash")))
    func bashFiles() throws {
        try inFolder(CompletionScript.bash) { folder in
            try Data().write(to: folder.appendingPathComponent("my trip.gpx"))
            #expect(try replies(["import", "\(folder.path)/my"]) == ["\(folder.path)/my trip.gpx"])
            let terminal = try PseudoTerminal(
                "/usr/bin/env", ["bash", "--norc", "-i"],
                environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "TERM": "xterm", "PS1": "% "], columns: 100,
                rows: 40)
            try terminal.wait(for: "%")
            terminal.send("cd \(folder.path) && source ./_traveline && echo 're''ady'\r")
            try terminal.wait(for: "ready")
            terminal.send("traveline import my\t")
            try terminal.wait(for: "my\\ trip.gpx")
            terminal.send("\u{15}exit\r")
        }
    }

    /// The same command lines in fish and in zsh, and what they offer.
    private static let lines: [(line: String, offers: [String])] = [
        ("se", ["search", "seed", "serve"]), ("he", ["help"]), ("--v", ["--version"]), ("search --reg", ["--region"]),
        ("search --region jeo", ["jeonbuk", "jeonnam"]), ("search --region=jeo", ["jeonbuk", "jeonnam"]),
        ("me sign", ["sign-in", "sign-out"]), ("me show zzz", []), ("search --sort ", ["date", "liked", "newest"]),
        ("show 6f", ["6f1c", "6f2d"]), ("search --after 6f", ["6f1c", "6f2d"]),
        ("search --after=6f", ["6f1c", "6f2d"]), ("like 6f1c 6f", ["6f1c", "6f2d"]),
        ("export 6f1c --format g", ["geojson", "gpx"]), ("help exp", ["export"]), ("completion f", ["fish"]),
        ("search zzz", []), ("search --keyword map ", []),
    ]

    /// Runs the test in a folder with a program `traveline` that knows two trips, and the completion of a shell.
    private func inFolder(_ script: String, _ body: (URL) throws -> Void) throws {
        let folder = try Shell.temporaryFolder()
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
