/// The modules that a target may import, and those that it re-exports.
struct ImportRule {
    let target: String
    let folder: String
    /// The modules of this package that the target may import by name.
    let ours: Set<String>
    /// The system modules that the target may import.
    let system: Set<String>
    /// The modules of this package that the target re-exports, because its public interface uses them.
    var exports: Set<String> = []
    /// The system modules of which the target re-exports types that its public interface needs.
    var systemExports: Set<String> = []
    /// The modules of this package that the target may reach through re-exports without importing them by name.
    var reaches: Set<String> = []
    /// Whether Foundation may replace FoundationEssentials if that is missing.
    var allowsFoundationAsFallback = false

    static let cLibraries: Set<String> = ["Darwin", "Glibc", "Musl"]

    /// One rule for each target except tests.
    static let all: [ImportRule] = [
        ImportRule(
            target: "Composition", folder: "Presentation", ours: [],
            system: cLibraries.union(["FoundationEssentials", "Synchronization"]),
            allowsFoundationAsFallback: true),
        ImportRule(
            target: "TravelDomain", folder: "Domain", ours: [],
            system: cLibraries.union(["FoundationEssentials"]), allowsFoundationAsFallback: true),
        ImportRule(
            target: "DatabaseAccess", folder: "Data", ours: [],
            system: cLibraries.union(["FoundationEssentials", "Dispatch", "Synchronization"]),
            allowsFoundationAsFallback: true),
        ImportRule(
            target: "SQLiteStore", folder: "Data", ours: ["CSQLite", "DatabaseAccess"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Dispatch", "Synchronization"])),
        ImportRule(
            target: "PostgreSQLStore", folder: "Data", ours: ["CPostgreSQL", "DatabaseAccess"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Dispatch", "Synchronization"])),
        ImportRule(target: "TravelDataSQL", folder: "Data", ours: ["TravelDomain"], system: []),
        ImportRule(
            target: "TravelDataSQLite", folder: "Data",
            ours: ["TravelDomain", "TravelDataSQL", "SQLiteStore", "TravelSamples"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Synchronization"]),
            exports: ["TravelDomain"]),
        ImportRule(
            target: "TravelDataPostgreSQL", folder: "Data",
            ours: ["TravelDomain", "TravelDataSQL", "TravelSamples", "PostgreSQLStore"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Synchronization"]),
            exports: ["TravelDomain", "PostgreSQLStore"]),
        ImportRule(
            target: "TravelDataInMemory", folder: "Data", ours: ["TravelDomain"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Synchronization"]),
            exports: ["TravelDomain"]),
        ImportRule(
            target: "TravelDataFiles", folder: "Data", ours: ["TravelDomain"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "ImageIO"]),
            exports: ["TravelDomain"]),
        ImportRule(
            target: "TravelDataCached", folder: "Data", ours: ["TravelDomain"],
            system: cLibraries.union(["FoundationEssentials"]), exports: ["TravelDomain"],
            allowsFoundationAsFallback: true),
        ImportRule(
            target: "TravelSamples", folder: "Data", ours: ["TravelDomain"], system: ["FoundationEssentials"],
            exports: ["TravelDomain"], allowsFoundationAsFallback: true),
        ImportRule(
            target: "Streams", folder: "Presentation", ours: [],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Dispatch", "Synchronization"]),
            systemExports: ["Dispatch"]),
        ImportRule(
            target: "ViewModels", folder: "Presentation", ours: ["Streams", "Composition"],
            system: ["Dispatch", "Observation", "SwiftUI", "Synchronization"], exports: ["Streams", "Composition"]),
        ImportRule(
            target: "TravelPresentation", folder: "Presentation",
            ours: ["TravelDomain", "ViewModels", "Streams"],
            system: ["FoundationEssentials"], exports: ["TravelDomain", "ViewModels", "Streams"],
            reaches: ["Composition"], allowsFoundationAsFallback: true),
        ImportRule(
            target: "TravelTerminal", folder: "Presentation", ours: ["TravelPresentation"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Dispatch", "Synchronization"]),
            exports: ["TravelPresentation"],
            reaches: ["TravelDomain", "ViewModels", "Streams", "Composition"]),
        ImportRule(
            target: "traveline", folder: "Presentation",
            ours: [
                "TravelDomain", "TravelDataSQLite", "TravelDataPostgreSQL", "TravelDataInMemory", "TravelDataFiles",
                "TravelSamples",
                "TravelPresentation", "TravelTerminal",
            ],
            system: cLibraries.union(["Foundation", "Dispatch", "Synchronization"]),
            reaches: ["ViewModels", "Streams", "Composition", "PostgreSQLStore"]),
        ImportRule(
            target: "TestReporting", folder: "Tests/Kits", ours: [],
            system: ["Foundation", "Synchronization", "XCTest", "Testing"]),
        ImportRule(
            target: "ContractTesting", folder: "Tests/Kits", ours: ["TestReporting"], system: [],
            exports: ["TestReporting"]),
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
            target: "PostgreSQLStoreTesting", folder: "Tests/Kits", ours: ["PostgreSQLStore"],
            system: cLibraries.union(["Foundation", "Synchronization"]), exports: ["PostgreSQLStore"]),
        ImportRule(
            target: "TravelDomainTesting", folder: "Tests/Kits", ours: ["TravelDomain", "ContractTesting"],
            system: ["FoundationEssentials", "Synchronization"], exports: ["TravelDomain", "ContractTesting"],
            reaches: ["TestReporting"], allowsFoundationAsFallback: true),
    ]

    /// The modules that `source` imports, by name or through re-exports, in violation of this rule.
    func violations(in source: String) -> [String] { violations(among: ImportScanner.imports(in: source)) }

    /// The imports that violate this rule.
    func violations(among imports: [ImportScanner.Import]) -> [String] {
        imports.filter { found in
            if system.contains(found.module) { return false }
            if ours.contains(found.module) {
                return !Self.reached(from: found.module).subtracting(ours).isSubset(of: reaches)
            }
            return !(found.module == "Foundation" && allowsFoundationAsFallback && found.isFallbackForEssentials)
        }.map(\.module)
    }

    /// The modules that an import of `module` makes visible in addition: its re-exports, transitively.
    static func reached(from module: String) -> Set<String> {
        let exports = all.first { $0.target == module }?.exports ?? []
        return exports.reduce(into: exports) { $0.formUnion(reached(from: $1)) }
    }
}
