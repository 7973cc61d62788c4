/// What each target may import, and what it re-exports: the arrows of the architecture.
struct ImportRule {
    let target: String
    let folder: String
    /// Modules of this package that it may import by name.
    let ours: Set<String>
    /// Modules of the system.
    let system: Set<String>
    /// Modules of this package that its public interface is made of: whoever imports it has these too.
    var exports: Set<String> = []
    /// Modules of the system of which it re-exports a type that its public interface cannot do without.
    var systemExports: Set<String> = []
    /// Modules of this package that it may reach by what others re-export, without importing them by name.
    var reaches: Set<String> = []
    /// Whether Foundation may stand in where FoundationEssentials is missing.
    var allowsFoundationAsFallback = false

    static let cLibraries: Set<String> = ["Darwin", "Glibc", "Musl"]

    /// One rule for each target outside the tests.
    static let all: [ImportRule] = [
        ImportRule(
            target: "Composition", folder: "Domain", ours: [],
            system: cLibraries.union(["FoundationEssentials", "Synchronization"]),
            allowsFoundationAsFallback: true),
        ImportRule(
            target: "TravelDomain", folder: "Domain", ours: [],
            system: cLibraries.union(["FoundationEssentials"]), allowsFoundationAsFallback: true),
        ImportRule(
            target: "SQLiteStore", folder: "Data", ours: ["CSQLite"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Dispatch", "Synchronization"])),
        ImportRule(
            target: "TravelDataSQLite", folder: "Data", ours: ["TravelDomain", "SQLiteStore"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Synchronization"]),
            exports: ["TravelDomain"]),
        ImportRule(
            target: "TravelDataInMemory", folder: "Data", ours: ["TravelDomain"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Synchronization"]),
            exports: ["TravelDomain"]),
        ImportRule(
            target: "TravelDataFiles", folder: "Data", ours: ["TravelDomain"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "FoundationXML"]),
            exports: ["TravelDomain"]),
        ImportRule(
            target: "Streams", folder: "Presentation", ours: [],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Dispatch", "Synchronization"]),
            systemExports: ["Dispatch"]),
        ImportRule(
            target: "ViewModels", folder: "Presentation", ours: ["Streams", "Composition"],
            system: ["Dispatch", "Observation", "SwiftUI", "Synchronization"], exports: ["Streams", "Composition"]),
        ImportRule(
            target: "TravelPresentation", folder: "Presentation",
            ours: ["TravelDomain", "ViewModels", "Streams", "Composition"],
            system: ["FoundationEssentials"], exports: ["TravelDomain", "ViewModels", "Streams"],
            allowsFoundationAsFallback: true),
        ImportRule(
            target: "TravelTerminal", folder: "Presentation", ours: ["TravelPresentation"],
            system: cLibraries.union(["Foundation", "FoundationEssentials"]), exports: ["TravelPresentation"],
            reaches: ["TravelDomain", "ViewModels", "Streams", "Composition"]),
        ImportRule(
            target: "traveline", folder: "Presentation",
            ours: [
                "Composition", "TravelDomain", "SQLiteStore", "TravelDataSQLite", "TravelDataInMemory",
                "TravelDataFiles", "Streams", "ViewModels", "TravelPresentation", "TravelTerminal",
            ],
            system: cLibraries.union(["Foundation", "Dispatch", "Synchronization"])),
        ImportRule(
            target: "TestReporting", folder: "Tests/Kits", ours: [],
            system: ["Foundation", "Synchronization", "XCTest", "Testing"]),
        ImportRule(
            target: "ContractTesting", folder: "Tests/Kits", ours: ["TestReporting"], system: []),
        ImportRule(
            target: "CompositionTesting", folder: "Tests/Kits",
            ours: ["Composition", "CCompositionTesting", "TestReporting"],
            system: ["Synchronization", "XCTest", "Testing"], exports: ["Composition"]),
        ImportRule(
            target: "StreamsTesting", folder: "Tests/Kits", ours: ["Streams", "TestReporting"],
            system: cLibraries.union([
                "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "XCTest", "Testing",
            ]), exports: ["Streams"]),
        ImportRule(
            target: "ViewModelsTesting", folder: "Tests/Kits",
            ours: ["ViewModels", "Composition", "CompositionTesting", "Streams", "StreamsTesting", "TestReporting"],
            system: cLibraries.union(["Dispatch", "FoundationEssentials", "Synchronization", "Testing"]),
            exports: ["ViewModels", "Composition", "CompositionTesting", "Streams", "StreamsTesting"],
            allowsFoundationAsFallback: true),
        ImportRule(
            target: "SQLiteStoreTesting", folder: "Tests/Kits", ours: ["SQLiteStore", "CSQLite"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Synchronization"]),
            exports: ["SQLiteStore"]),
        ImportRule(
            target: "TravelDomainTesting", folder: "Tests/Kits", ours: ["TravelDomain", "ContractTesting"],
            system: ["FoundationEssentials", "Synchronization"], exports: ["TravelDomain", "ContractTesting"],
            allowsFoundationAsFallback: true),
    ]

    /// The modules that `source` imports against this rule, be it by name or by what these re-export.
    func violations(in source: String) -> [String] { violations(among: ImportScanner.imports(in: source)) }

    /// Those of the imports that are against this rule.
    func violations(among imports: [ImportScanner.Import]) -> [String] {
        imports.filter { found in
            if system.contains(found.module) { return false }
            if ours.contains(found.module) {
                return !Self.reached(from: found.module).subtracting(ours).isSubset(of: reaches)
            }
            return !(found.module == "Foundation" && allowsFoundationAsFallback && found.isFallbackForEssentials)
        }.map(\.module)
    }

    /// What whoever imports the module has besides: what it re-exports, and what that re-exports.
    static func reached(from module: String) -> Set<String> {
        let exports = all.first { $0.target == module }?.exports ?? []
        return exports.reduce(into: exports) { $0.formUnion(reached(from: $1)) }
    }
}
