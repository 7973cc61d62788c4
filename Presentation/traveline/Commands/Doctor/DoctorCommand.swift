import Foundation
import TravelPresentation

/// `traveline doctor`: checks the database, its pictures, permissions or server, and version, and names a remedy for
/// each problem.
struct DoctorCommand: CommandLineCommand {
    static let help = CommandHelp(
        name: "doctor", summary: "checks the database, its pictures and permissions", usage: ["doctor [--json]"],
        notes: [
            "Reads the whole database and all pictures, and changes nothing. The exit code is 0 when all is well, and 65 when "
                + "something is wrong; each problem comes with what to do."
        ],
        options: [OptionHelp("--json", "print a JSON object")],
        examples: [
            ("doctor", "check the database in your data directory"),
            ("doctor --database backup.sqlite --json", "check another one, for another program"),
            ("doctor --database postgresql://db.example.org/travel", "check a database on a server"),
        ])

    private(set) var isJSON = false
    private(set) var store = StoreOptions()

    init(_ reader: inout ArgumentReader) throws {
        while let argument = try reader.next() {
            switch argument {
            case .option("--json"): isJSON = true
            case .option(let option): try store.read(option, &reader, for: Self.self)
            case .word(let word): throw Self.surplus(word)
            }
        }
    }

    func run() async throws {
        let language = store.language ?? Standard.language
        let location = try store.location().location
        let path = location.description
        let findings: [Checkup.Finding]
        switch location {
        case .file(let path): findings = await Checkup(path: path, language: language).findings()
        case .server(let address):
            #if PostgreSQL
                findings = await ServerCheckup(address: address, language: language).findings()
            #else
                _ = address
                throw CommandError.withoutServers(in: language)
            #endif
        }
        let isWell = findings.allSatisfy { $0.problem == nil }
        if isJSON {
            try Standard.write(JSONLine.text(Report(database: path, isWell: isWell, checks: findings)) + "\n")
        } else {
            let page = Page.standard
            let lines = findings.flatMap { finding in
                page.lines("\(finding.problem == nil ? "ok" : "!!")  \(finding.name): \(finding.detail)")
                    + (finding.remedy.map { page.lines("-> \($0)", indentation: 4) } ?? [])
            }
            try Standard.write(([path] + lines).map { $0 + "\n" }.joined())
        }
        if !isWell {
            let count = findings.count { $0.problem != nil }
            throw CommandError(
                language.say(
                    "\(count) \(count == 1 ? "check has" : "checks have") found a problem", "문제가 있는 항목이 \(count)개입니다"),
                .dataError)
        }
    }

    private struct Report: Encodable {
        let database: String
        let isWell: Bool
        let checks: [Checkup.Finding]
    }
}
