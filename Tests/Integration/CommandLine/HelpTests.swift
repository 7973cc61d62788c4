import Foundation
import TestTurns
import Testing
import TravelDomain
import TravelTerminal

@testable import traveline

@Suite("The help of the command line", .takesTurns)
struct HelpTests {
    static let names = Command.all.map { $0.help.name }

    private func help(_ name: String) throws -> CommandHelp {
        try #require(Command.all.first { $0.help.name == name }).help
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
        // completion uses no database.
        try Command(name == "completion" ? arguments.filter { $0 != "--database" && $0 != "x" } : arguments)
    }

    @Test("no line is wider than 80 columns", arguments: names + [""])
    func width(name: String) throws {
        for language in Language.allCases {
            let text = name.isEmpty ? Command.usage(in: language) : try help(name).text(in: language)
            for line in text.split(separator: "\n") { #expect(String(line).displayWidth <= 80, "\(line)") }
        }
    }

    @Test("every text has a Korean translation, and every translation is used")
    func translations() {
        let helps = Command.all.map { $0.help }
        var texts = Set(helps.map(\.summary))
        for help in helps {
            texts.formUnion(help.notes)
            texts.formUnion(help.allOptions.map(\.summary))
            texts.formUnion(help.examples.map(\.effect))
        }
        #expect(texts.filter { KoreanHelp.texts[$0] == nil } == [])
        // Without its line breaks.
        let usage = Command.usage(in: .english).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        texts.formUnion(KoreanHelp.texts.keys.filter { usage.contains($0) || helps[0].text(in: .english).contains($0) })
        #expect(KoreanHelp.texts.keys.filter { !texts.contains($0) } == [])
        #expect(KoreanHelp.texts.values.allSatisfy { $0.contains { ("가"..."힣").contains($0) } })
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
        let range: ClosedRange<Travel.ID> = try Identification("6F1C-2").range()
        #expect("\(range.lowerBound)" == "6f1c2000-0000-0000-0000-000000000000")
        #expect("\(range.upperBound)" == "6f1c2fff-ffff-ffff-ffff-ffffffffffff")
        let id = Travel.ID()
        #expect(try Identification("\(id)").range() == id...id)
        #expect(throws: UsageError.self) { try Identification("") }
        #expect(throws: UsageError.self) { try Identification("\(id)0") }
    }

    @Test("a short ID has eight characters, and more where another ID begins with the same")
    func shortIDs() throws {
        let ids = try ["6f1c2c1e-8d5b-4a53-9c9e-0b1f6a7f3f10", "6f1c2c1e-8d5c-4a53-9c9e-0b1f6a7f3f10"].map {
            try #require(Travel.ID($0))
        }
        #expect(ids[0].short(among: [ids[0]]) == "6f1c2c1e")
        #expect(ids[0].short(among: ids) == "6f1c2c1e-8d5b")
    }

    @Test("the name of an account is always the same person, whatever the case and the encoding of its syllables")
    func accounts() throws {
        let account = try LocalIdentity.account(named: "Mina 가")
        #expect(try LocalIdentity.account(named: " mina \u{1100}\u{1161}").user == account.user)
        #expect(try LocalIdentity.account(named: "Mina 나").user != account.user)
        #expect("\(account.user)".split(separator: "-")[2].first == "8")
        #expect(throws: UsageError.self) { try LocalIdentity.account(named: "x") }
    }

    @Test("the person of a device is always the same, and another one on each device, whatever was in their file")
    func devices() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }  // The system eventually empties that directory.
        let environment = ["XDG_DATA_HOME": folder.path]
        let person = try LocalIdentity.device(in: environment).user
        #expect(try LocalIdentity.device(in: environment).user == person)
        #expect(try LocalIdentity.device(in: ["XDG_DATA_HOME": folder.path + "/other"]).user != person)
        try Data().write(to: folder.appending(path: "traveline/person"))
        let other = try LocalIdentity.device(in: environment).user
        #expect(try LocalIdentity.device(in: environment).user == other)
        #expect(throws: UsageError.self) { try LocalIdentity.device(in: [:]) }
    }
}
