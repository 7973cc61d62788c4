/// What a target may import beyond the dependencies that the manifest declares, and what it re-exports.
struct ImportRule {
    let target: String
    /// The system modules that the target may import.
    let system: Set<String>
    /// The modules of this package that the target re-exports, because its public interface uses them.
    var exports: Set<String> = []
    /// The system modules of which the target re-exports types that its public interface needs.
    var systemExports: Set<String> = []
    /// Whether Foundation may replace FoundationEssentials if that is missing.
    var allowsFoundationAsFallback = false

    private static let cLibraries: Set = ["Darwin", "Glibc", "Musl"]
    private static let essentials = cLibraries.union(["FoundationEssentials", "Synchronization"])
    private static let foundation = essentials.union(["Foundation", "Dispatch"])

    /// The rules of the modules; one that is missing here may import its dependencies only.
    static let all: [ImportRule] = [
        ImportRule(target: "Composition", system: essentials, allowsFoundationAsFallback: true),
        ImportRule(
            // Of `Swift`, the normal form of texts.
            target: "TravelDomain", system: cLibraries.union(["FoundationEssentials", "Swift"]),
            allowsFoundationAsFallback: true),
        ImportRule(target: "TravelJSON", system: ["FoundationEssentials"], allowsFoundationAsFallback: true),
        ImportRule(target: "DatabaseAccess", system: essentials.union(["Dispatch"]), allowsFoundationAsFallback: true),
        ImportRule(target: "SQLiteStore", system: foundation, exports: ["DatabaseAccess"]),
        ImportRule(target: "PostgreSQLStore", system: foundation, exports: ["DatabaseAccess"]),
        ImportRule(
            target: "TravelDataShared", system: cLibraries.union(["FoundationEssentials"]),
            allowsFoundationAsFallback: true),
        ImportRule(target: "TravelDataSQLite", system: foundation, exports: ["TravelDomain"]),
        ImportRule(target: "TravelDataPostgreSQL", system: foundation, exports: ["TravelDomain", "PostgreSQLStore"]),
        ImportRule(target: "TravelDataInMemory", system: foundation, exports: ["TravelDomain"]),
        ImportRule(target: "TravelDataFiles", system: foundation.union(["ImageIO"]), exports: ["TravelDomain"]),
        ImportRule(
            target: "TravelDataRemote", system: foundation.union(["FoundationNetworking"]), exports: ["TravelDomain"]),
        ImportRule(
            target: "TravelDataCached", system: essentials, exports: ["TravelDomain"],
            allowsFoundationAsFallback: true),
        ImportRule(
            target: "TravelSamples", system: ["FoundationEssentials"], exports: ["TravelDomain"],
            allowsFoundationAsFallback: true),
        ImportRule(target: "Streams", system: foundation, systemExports: ["Dispatch"]),
        ImportRule(
            target: "ViewModels", system: ["Dispatch", "Observation", "SwiftUI", "Synchronization"],
            exports: ["Streams", "Composition"]),
        ImportRule(
            target: "TravelPresentation", system: ["FoundationEssentials"],
            exports: ["TravelDomain", "ViewModels", "Streams"], allowsFoundationAsFallback: true),
        ImportRule(target: "TravelTerminal", system: foundation, exports: ["TravelPresentation"]),
        ImportRule(target: "TravelServer", system: foundation, exports: ["TravelDomain"]),
        ImportRule(target: "traveline", system: foundation),
        ImportRule(target: "TestReporting", system: ["Foundation", "Synchronization", "XCTest", "Testing"]),
        ImportRule(target: "ContractTesting", system: [], exports: ["TestReporting"]),
        ImportRule(
            target: "CompositionTesting", system: ["Synchronization", "XCTest", "Testing"], exports: ["Composition"]),
        ImportRule(target: "StreamsTesting", system: foundation.union(["XCTest", "Testing"]), exports: ["Streams"]),
        ImportRule(
            target: "ViewModelsTesting", system: essentials.union(["Dispatch", "Testing"]),
            exports: ["ViewModels", "Composition", "CompositionTesting", "Streams", "StreamsTesting"],
            allowsFoundationAsFallback: true),
        ImportRule(target: "SQLiteStoreTesting", system: foundation, exports: ["SQLiteStore"]),
        ImportRule(target: "PostgreSQLStoreTesting", system: foundation, exports: ["PostgreSQLStore"]),
        ImportRule(
            target: "TravelDomainTesting", system: ["FoundationEssentials", "Synchronization"],
            exports: ["TravelDomain", "ContractTesting"], allowsFoundationAsFallback: true),
    ]

    static func of(_ target: String) -> ImportRule {
        all.first { $0.target == target } ?? ImportRule(target: target, system: [])
    }

    /// The imports that are neither dependencies of the target nor allowed by this rule.
    func violations(among imports: [ImportScanner.Import]) -> [String] {
        let dependencies = ManifestTarget.named(target)?.dependencies ?? []
        return imports.filter { found in
            !system.contains(found.module) && !dependencies.contains(found.module)
                && !(found.module == "Foundation" && allowsFoundationAsFallback && found.isFallbackForEssentials)
        }.map(\.module)
    }

    /// The modules that an import of `module` makes visible in addition: its re-exports, transitively.
    static func reached(from module: String) -> Set<String> {
        let exports = of(module).exports
        return exports.reduce(into: exports) { $0.formUnion(reached(from: $1)) }
    }
}

/// The direction of imports between layers.
enum Layers {
    /// The layers whose modules a module of `layer` may see.
    private static let visible: [String: Set<String>] = [
        "Domain": ["Domain"],
        "Data": ["Domain", "Data"],
        "Presentation": ["Domain", "Presentation"],
        "Tests/Kits": ["Domain", "Data", "Presentation", "Tests/Kits"],
    ]

    /// The modules that `target` sees, by name or through re-exports, although its layer must not. The executable, which
    /// composes the app, sees all layers.
    static func violations(of target: ManifestTarget) -> [String] {
        guard target.name != "traveline" else { return [] }
        let seen = target.dependencies.reduce(into: target.dependencies) { $0.formUnion(ImportRule.reached(from: $1)) }
        return seen.filter { name in
            guard let layer = ManifestTarget.named(name)?.layer else { return true }
            return visible[target.layer]?.contains(layer) != true
        }.sorted()
    }
}
