import Foundation
import Testing

@Suite("The manifest declares what the sources import", .timeLimit(.minutes(5)))
struct ManifestTests {
    private static let targets: [ManifestTarget] = {
        let manifest = Repository.root.appendingPathComponent("Package.swift")
        return ManifestTarget.targets(in: (try? String(contentsOf: manifest, encoding: .utf8)) ?? "")
    }()

    @Test("a target declares exactly the modules of this package that it imports", arguments: targets.map(\.name))
    func dependenciesAreImported(name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        let modules = Set(Self.targets.map(\.name) + ["CSQLite", "CPostgreSQL"])
        var imported: Set<String> = []
        for url in try Repository.swiftFiles(in: target.folder) {
            let source = try String(contentsOf: url, encoding: .utf8)
            imported.formUnion(ImportScanner.imports(in: source).map(\.module))
            // What a program imports that a test compiles.
            for list in source.matches(of: /modules: \[([^\]]*)\]/) {
                imported.formUnion(list.1.matches(of: /"(\w+)"/).map { String($0.1) })
            }
        }
        imported = imported.intersection(modules).subtracting([name])
        #expect(target.dependencies == imported)
    }

    @Test("every rule of the architecture has its target in the manifest")
    func rulesHaveTargets() {
        let folders = Dictionary(Self.targets.map { ($0.name, $0.folder) }, uniquingKeysWith: { first, _ in first })
        for rule in ImportRule.all {
            #expect(folders[rule.target] == "\(rule.folder)/\(rule.target)")
        }
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
        #expect(targets.map(\.name) == ["One", "Two", "TwoTests", "Three"])
        #expect(targets.map(\.folder) == ["A/One", "A/B/Two", "Tests/TwoTests", "Tests/Three"])
        #expect(targets.map(\.dependencies) == [[], ["One", "CLib"], ["Two", "One"], ["Two"]])
    }
}
