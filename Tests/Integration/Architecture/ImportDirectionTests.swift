import Foundation
import Testing

@Suite("Imports point inward only")
struct ImportDirectionTests {
    @Test(
        "no file imports a module that the architecture keeps from its target", arguments: ImportRule.all.map(\.target))
    func importsFollowTheArrows(target: String) throws {
        let rule = try #require(ImportRule.all.first { $0.target == target })
        let files = try Repository.swiftFiles(in: "\(rule.folder)/\(rule.target)")
        try #require(!files.isEmpty)
        for file in files {
            let violations = rule.violations(in: try String(contentsOf: file, encoding: .utf8))
            #expect(violations.isEmpty, "\(file.path) imports \(violations.joined(separator: ", "))")
        }
    }

    @Test("every target folder has a rule")
    func everyTargetHasARule() throws {
        let folders = try ["Domain", "Data", "Presentation", "Tests/Kits"].flatMap { folder in
            try Repository.folders(in: folder).map { "\(folder)/\($0)" }
        }
        let ruled = ImportRule.all.map { "\($0.folder)/\($0.target)" } + ["Data/CSQLite"]
        #expect(Set(folders) == Set(ruled))
    }

    @Test("the top level holds the package, the layers, the tests and the README, nothing else")
    func topLevelIsAsDesigned() throws {
        let visible = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
            .filter { !$0.hasPrefix(".") }
        #expect(Set(visible) == ["Package.swift", "README.md", "Domain", "Data", "Presentation", "Tests"])
    }

    @Test(
        "an import is found in every way it can be written",
        arguments: [
            ("import SQLiteStore", ["SQLiteStore"]),
            ("@testable import SQLiteStore", ["SQLiteStore"]),
            ("@_exported public import Streams", ["Streams"]),
            ("    private import struct Streams.Event", ["Streams"]),
            ("import CSQLite.shim; import Glibc", ["CSQLite"]),
            ("// import SQLiteStore", []),
            ("let important = 1", []),
            ("\"\"\"\nimport SQLiteStore\n\"\"\"", []),
        ])
    func importsAreFound(source: String, modules: [String]) {
        #expect(ImportScanner.imports(in: source).map(\.module) == modules)
    }

    @Test(
        "an import against the rule is reported",
        arguments: [
            ("TravelDomain", "import Streams"),
            ("TravelDomain", "import Foundation"),
            ("TravelDomain", "#if canImport(FoundationEssentials)\nimport Foundation\n#endif"),
            ("TravelPresentation", "import TravelDataSQLite"),
            ("TravelTerminal", "import SQLiteStore"),
            ("TravelDataSQLite", "@testable import TravelPresentation"),
            ("Streams", "import Composition"),
            ("Composition", "import TravelDomain"),
        ])
    func violationsAreReported(target: String, source: String) throws {
        let rule = try #require(ImportRule.all.first { $0.target == target })
        #expect(rule.violations(in: source).count == 1)
    }

    @Test("Foundation may stand in where FoundationEssentials is missing")
    func foundationIsAFallback() throws {
        let rule = try #require(ImportRule.all.first { $0.target == "TravelDomain" })
        let source =
            "#if canImport(FoundationEssentials)\npublic import FoundationEssentials\n#else\n"
            + "public import Foundation\n#endif"
        #expect(rule.violations(in: source).isEmpty)
    }
}
