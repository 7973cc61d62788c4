/// What each target may import: the arrows of the architecture.
struct ImportRule {
    let target: String
    let folder: String
    /// Modules of this package.
    let ours: Set<String>
    /// Modules of the system.
    let system: Set<String>
    /// Whether Foundation may stand in where FoundationEssentials is missing.
    var allowsFoundationAsFallback = false

    static let cLibraries: Set<String> = ["Darwin", "Glibc", "Musl"]

    /// One rule for each target outside the tests.
    static let all: [ImportRule] = [
        ImportRule(
            target: "Composition", folder: "Domain", ours: [], system: ["FoundationEssentials", "Synchronization"],
            allowsFoundationAsFallback: true),
        ImportRule(
            target: "TravelDomain", folder: "Domain", ours: [],
            system: cLibraries.union(["FoundationEssentials"]), allowsFoundationAsFallback: true),
        ImportRule(
            target: "SQLiteStore", folder: "Data", ours: ["CSQLite"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Dispatch", "Synchronization"])),
        ImportRule(
            target: "TravelDataSQLite", folder: "Data", ours: ["TravelDomain", "SQLiteStore"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Synchronization"])),
        ImportRule(
            target: "TravelDataInMemory", folder: "Data", ours: ["TravelDomain"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Synchronization"])),
        ImportRule(
            target: "TravelDataFiles", folder: "Data", ours: ["TravelDomain"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "FoundationXML"])),
        ImportRule(
            target: "Streams", folder: "Presentation", ours: [],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Dispatch", "Synchronization"])),
        ImportRule(
            target: "ViewModels", folder: "Presentation", ours: ["Streams", "Composition"],
            system: ["Dispatch", "Observation", "Synchronization"]),
        ImportRule(
            target: "TravelPresentation", folder: "Presentation",
            ours: ["TravelDomain", "ViewModels", "Streams", "Composition"],
            system: ["FoundationEssentials"], allowsFoundationAsFallback: true),
        ImportRule(
            target: "TravelTerminal", folder: "Presentation", ours: ["TravelPresentation"],
            system: cLibraries.union(["Foundation", "FoundationEssentials"])),
        ImportRule(
            target: "traveline", folder: "Presentation",
            ours: [
                "Composition", "TravelDomain", "SQLiteStore", "TravelDataSQLite", "TravelDataInMemory",
                "TravelDataFiles", "Streams", "ViewModels", "TravelPresentation", "TravelTerminal",
            ],
            system: cLibraries.union(["Foundation", "Dispatch", "Synchronization"])),
        ImportRule(
            target: "StreamsTesting", folder: "Tests/Kits", ours: ["Streams"],
            system: cLibraries.union([
                "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "XCTest", "Testing",
            ])),
        ImportRule(
            target: "ViewModelsTesting", folder: "Tests/Kits",
            ours: ["ViewModels", "Composition", "Streams", "StreamsTesting"], system: ["Synchronization", "Testing"]),
        ImportRule(
            target: "SQLiteStoreTesting", folder: "Tests/Kits", ours: ["SQLiteStore", "CSQLite"],
            system: cLibraries.union(["Foundation", "FoundationEssentials", "Synchronization"])),
        ImportRule(
            target: "TravelDomainTesting", folder: "Tests/Kits", ours: ["TravelDomain"],
            system: ["FoundationEssentials", "Synchronization"], allowsFoundationAsFallback: true),
    ]

    /// The modules that `source` imports against this rule.
    func violations(in source: String) -> [String] {
        ImportScanner.imports(in: source).filter { found in
            if ours.contains(found.module) || system.contains(found.module) { return false }
            return !(found.module == "Foundation" && allowsFoundationAsFallback && found.isFallbackForEssentials)
        }.map(\.module)
    }
}
