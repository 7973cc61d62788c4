import Foundation
import TestConcurrency
import Testing

/// Named in the README.
@Suite("Imports point inward only", .limitedConcurrency)
struct ImportDirectionTests {
    @Test(
        "no module sees one that the architecture forbids for its layer", arguments: ManifestTarget.modules.map(\.name))
    func layersAreKept(name: String) throws {
        #expect(Layers.violations(of: try #require(ManifestTarget.named(name))) == [])
    }

    @Test("the domain and the libraries at the bottom know no other module", arguments: bottom)
    func bottomIsAlone(name: String) {
        #expect(ManifestTarget.named(name)?.dependencies == [])
    }

    private static let bottom = ["TravelDomain", "Composition", "Streams", "DatabaseAccess", "TestReporting"]

    @Test(
        "a module imports only its dependencies and the system modules of its rule",
        arguments: ManifestTarget.modules.map(\.name))
    func importsAreAllowed(name: String) throws {
        let rule = ImportRule.of(name)
        for file in try ScannedFile.of(name) {
            let violations = rule.violations(among: file.imports)
            #expect(violations.isEmpty, "\(file.url.path) imports \(violations.joined(separator: ", "))")
        }
    }

    @Test(
        "a target declares exactly the modules of this package that it imports",
        arguments: ManifestTarget.all.map(\.name))
    func dependenciesAreImported(name: String) throws {
        let target = try #require(ManifestTarget.named(name))
        var imported: Set<String> = []
        for file in try ScannedFile.of(name) {
            imported.formUnion(file.imports.map(\.module))
            // What a program imports that a test compiles.
            let source = name == "Integration" ? try String(contentsOf: file.url, encoding: .utf8) : ""
            for list in source.matches(of: /modules: \[([^\]]*)\]/) {
                imported.formUnion(list.1.matches(of: /"(\w+)"/).map { String($0.1) })
            }
        }
        #expect(target.dependencies == imported.intersection(ManifestTarget.all.map(\.name)).subtracting([name]))
    }

    @Test(
        "each product re-exports exactly the products of its public interface, in Exports.swift",
        arguments: ManifestTarget.products.sorted())
    func reexports(name: String) throws {
        let rule = ImportRule.of(name)
        let modules = ManifestTarget.products
        var exported: Set<String> = []
        var usedInPublic: Set<String> = []
        for file in try ScannedFile.of(name) {
            if file.url.lastPathComponent == "Exports.swift" {
                exported.formUnion(file.imports.filter { !$0.isFallbackForEssentials }.map(\.module))
                #expect(file.imports.allSatisfy { $0.isExported && $0.isPublic })
                let code = try String(contentsOf: file.url, encoding: .utf8).split(separator: "\n")
                    .filter { !$0.hasPrefix("//") && !$0.hasPrefix("#") }
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

    @Test("the folders of the layers and the kits are the targets of the manifest, and every rule has its target")
    func foldersAreTargets() throws {
        let folders = try ["Domain", "Data", "Presentation", "Tests/Kits"].flatMap { folder in
            try Repository.folders(in: folder).map { "\(folder)/\($0)" }
        }
        #expect(Set(folders) == Set(ManifestTarget.modules.map(\.folder)))
        #expect(ImportRule.all.filter { ManifestTarget.named($0.target) == nil }.map(\.target) == [])
    }

    @Test("the top level contains only the package, the layers, the tests, and the README")
    func topLevelIsAsDesigned() throws {
        let visible = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
            .filter { !$0.hasPrefix(".") }
        #expect(Set(visible) == ["Package.swift", "README.md", "Domain", "Data", "Presentation", "Tests"])
    }

    @Test("every use case is reached by a screen, a command or the server")
    func useCasesAreReached() throws {
        // The structures that can be called like a function.
        let files = try ["UseCases", "Tracks"].flatMap { try Repository.swiftFiles(in: "Domain/TravelDomain/\($0)") }
        let useCases = try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\npublic struct ").dropFirst()
                .filter { $0.contains("public func callAsFunction(") }
                .map { String($0.prefix { $0.isLetter }) }
        }
        #expect(useCases.count > 15)
        let code = try ["TravelPresentation", "TravelTerminal", "TravelServer", "traveline"].flatMap(ScannedFile.of)
            .flatMap { file in
                try String(contentsOf: file.url, encoding: .utf8).components(separatedBy: "\n")
                    .filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
            }.joined(separator: "\n")
        // Not by regular expressions, which are slow in a debug build.
        let words = Set(code.split { !$0.isLetter })
        // By its initializer, or as a member of `UseCases`.
        let isReached = { (name: String) in
            words.contains(name[...]) || words.contains(Substring(name.prefix(1).lowercased() + name.dropFirst()))
        }
        #expect(useCases.filter { !isReached($0) } == [])
    }
}

@Suite("The tests of the architecture find faults")
struct ArchitectureFaultTests {
    @Test(
        "a dependency that points outward is reported",
        arguments: [
            ("TravelPresentation", "TravelDataSQLite"), ("TravelTerminal", "SQLiteStore"), ("TravelDomain", "Streams"),
            ("TravelDataSQLite", "TravelPresentation"), ("TravelDataSQLite", "StreamsTesting"),
        ])
    func outwardDependencies(name: String, dependency: String) throws {
        let target = try #require(ManifestTarget.named(name))
        let changed = ManifestTarget(
            name: name, folder: target.folder, dependencies: target.dependencies.union([dependency]))
        #expect(Layers.violations(of: changed).contains(dependency))
    }

    @Test("a module that is seen through a re-export is reported")
    func outwardReexports() {
        #expect(ImportRule.reached(from: "TravelTerminal").contains("Streams"))
        let target = ManifestTarget(name: "A", folder: "Data/A", dependencies: ["TravelPresentation"])
        #expect(Layers.violations(of: target).contains("ViewModels"))
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
    func imports(target: String, source: String) throws {
        #expect(ImportRule.of(target).violations(among: ImportScanner.imports(in: source)).count == 1)
    }

    @Test("Foundation can replace FoundationEssentials if that is missing")
    func foundationIsAFallback() throws {
        let source =
            "#if canImport(FoundationEssentials)\npublic import FoundationEssentials\n#else\n"
            + "public import Foundation\n#endif"
        #expect(ImportRule.of("TravelDomain").violations(among: ImportScanner.imports(in: source)).isEmpty)
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

    @Test("targets are read from a manifest with their folders and dependencies")
    func manifestIsRead() {
        let targets = ManifestTarget.targets(
            in: """
                func library(_ name: String) -> Target { .target(name: name, path: "A/\\(name)") }
                library("One", in: "A"),
                .systemLibrary(name: "CLib", path: "CLib", pkgConfig: "lib"),
                library("Two", in: "A/B", uses: ["One", "CLib"]),
                tests("TwoTests", uses: [
                    "Two", .target(name: "One", condition: .when(traits: ["Other"])),
                ]),
                .testTarget(
                    name: "Three", dependencies: ["Two"], path: "Tests/Three",
                    swiftSettings: [.swiftLanguageMode(.v5)]),
                """)
        #expect(targets.map(\.name) == ["One", "CLib", "Two", "TwoTests", "Three"])
        #expect(targets.map(\.folder) == ["A/One", "CLib", "A/B/Two", "Tests/TwoTests", "Tests/Three"])
        #expect(targets.map(\.layer) == ["A", "", "A/B", "Tests", "Tests"])
        #expect(targets.map(\.dependencies) == [[], [], ["One", "CLib"], ["Two", "One"], ["Two"]])
    }
}
