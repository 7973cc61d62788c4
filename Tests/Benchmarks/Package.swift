// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that its targets are no part of what users of the libraries resolve.
// `TRAVELINE_PATH` measures the libraries of another clone with the same source:
// TRAVELINE_PATH=/path/to/clone swift run -c release --scratch-path .build/other benchmarks

/// The one place where language features are chosen, for every target.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Library products of the measured package.
func libraries(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "traveline") }
}

let package = Package(
    name: "traveline-benchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "PostgreSQL", description: "The group postgresql; needs libpq"),
        .trait(name: "Server", description: "The group server; needs libmicrohttpd, libsodium and zlib"),
    ],
    dependencies: [
        .package(
            name: "traveline", path: Context.environment["TRAVELINE_PATH"] ?? "../..",
            traits: [
                .trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .trait(name: "Server", condition: .when(traits: ["Server"])),
            ])
    ],
    targets: [
        .executableTarget(
            name: "benchmarks",
            dependencies: ["CAllocations", "Samples", "Screens", "MeasuredTerminal"]
                + libraries(
                    "Streams", "StreamsTesting", "ViewModels", "SQLiteStore", "TravelDomain", "TravelDataSQLite",
                    "TravelDataInMemory", "TravelSamples", "TravelPresentation", "PostgreSQLStore",
                    "PostgreSQLStoreTesting", "TravelDataPostgreSQL", "TravelDataRemote")
                // The server under load.
                + [.product(name: "traveline", package: "traveline", condition: .when(traits: ["Server"]))],
            path: "benchmarks", swiftSettings: settings),
        // View models, in another module than the code that binds them, as in an app.
        .target(
            name: "Screens", dependencies: ["Samples"] + libraries("Streams", "ViewModels"), path: "Screens",
            swiftSettings: settings),
        // `TravelTerminal` is no product: it is compiled here, by a link to its folder.
        .target(
            name: "MeasuredTerminal", dependencies: libraries("TravelPresentation"), path: "MeasuredTerminal",
            swiftSettings: settings),
        .target(name: "Samples", path: "Samples", swiftSettings: settings),
        .target(name: "CAllocations", path: "CAllocations"),
    ]
)
