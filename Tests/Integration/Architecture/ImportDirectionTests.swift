import Foundation
import Testing

@Suite("Imports point inward only")
struct ImportDirectionTests {
    @Test(
        "no file imports a module that the architecture forbids for its target", arguments: ImportRule.all.map(\.target)
    )
    func importsFollowTheArrows(target: String) throws {
        let rule = try #require(ImportRule.all.first { $0.target == target })
        let files = try ScannedFile.of(rule)
        try #require(!files.isEmpty)
        for file in files {
            let violations = rule.violations(among: file.imports)
            #expect(violations.isEmpty, "\(file.url.path) imports \(violations.joined(separator: ", "))")
        }
    }

    @Test(
        "each module re-exports exactly the modules of its public interface, in Exports.swift",
        arguments: ImportRule.all.map(\.target))
    func reexports(target: String) throws {
        let rule = try #require(ImportRule.all.first { $0.target == target })
        let modules = Set(ImportRule.all.map(\.target))
        var exported: Set<String> = []
        var usedInPublic: Set<String> = []
        for file in try ScannedFile.of(rule) {
            if file.url.lastPathComponent == "Exports.swift" {
                exported.formUnion(file.imports.map(\.module))
                #expect(file.imports.allSatisfy { $0.isExported && $0.isPublic })
                let code = try String(contentsOf: file.url, encoding: .utf8).split(separator: "\n")
                    .filter { !$0.hasPrefix("//") }
                #expect(code.count == file.imports.count, "\(file.url.path) contains other code than re-exports")
            } else {
                let exports = file.imports.filter(\.isExported)
                #expect(exports.isEmpty, "\(file.url.path) re-exports outside of Exports.swift")
                usedInPublic.formUnion(file.imports.filter(\.isPublic).map(\.module).filter(modules.contains))
            }
        }
        #expect(exported == rule.exports.union(rule.systemExports))
        #expect(usedInPublic.isSubset(of: rule.exports), "its public interface uses \(usedInPublic.sorted())")
    }

    @Test("re-exports are followed transitively")
    func reexportsAreFollowed() {
        #expect(
            ImportRule.reached(from: "TravelPresentation") == ["TravelDomain", "ViewModels", "Streams", "Composition"])
        #expect(ImportRule.reached(from: "TravelDataSQLite") == ["TravelDomain"])
        #expect(ImportRule.reached(from: "Streams") == [])
    }

    @Test("an import that reaches a forbidden module through a re-export is reported")
    func violationsByReexport() {
        let rule = ImportRule(target: "A", folder: "", ours: ["TravelPresentation", "TravelDomain"], system: [])
        #expect(rule.violations(in: "import TravelDomain\nimport TravelPresentation") == ["TravelPresentation"])
    }

    @Test("every target folder has a rule")
    func everyTargetHasARule() throws {
        let folders = try ["Domain", "Data", "Presentation", "Tests/Kits"].flatMap { folder in
            try Repository.folders(in: folder).map { "\(folder)/\($0)" }
        }
        let ruled =
            ImportRule.all.map { "\($0.folder)/\($0.target)" }
            + ["Data/CSQLite", "Data/CPostgreSQL", "Tests/Kits/CCompositionTesting"]
        #expect(Set(folders) == Set(ruled))
    }

    @Test("the top level contains only the package, its documentation, the layers, the tests, and the README")
    func topLevelIsAsDesigned() throws {
        let visible = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
            .filter { !$0.hasPrefix(".") }
        #expect(
            Set(visible) == ["Package.swift", "README.md", "Documentation", "Domain", "Data", "Presentation", "Tests"])
    }

    @Test(
        "every form of import is found",
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
        "a forbidden import is reported",
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

    @Test("Foundation can replace FoundationEssentials if that is missing")
    func foundationIsAFallback() throws {
        let rule = try #require(ImportRule.all.first { $0.target == "TravelDomain" })
        let source =
            "#if canImport(FoundationEssentials)\npublic import FoundationEssentials\n#else\n"
            + "public import Foundation\n#endif"
        #expect(rule.violations(in: source).isEmpty)
    }
}
