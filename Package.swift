// swift-tools-version: 6.2
import PackageDescription

/// Captures of values that are not `Sendable`, and calls of main-actor functions from elsewhere, are errors: where a closure
/// is `@preconcurrency`, for the sake of callers in Swift 5 mode, the compiler only warns of them.
let strict: [SwiftSetting] = [
    .treatWarning("ActorIsolatedCall", as: .error), .treatWarning("SendableClosureCaptures", as: .error),
]

/// The one place where language features are chosen, for every target.
let settings: [SwiftSetting] =
    strict + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]

/// A library target in `folder`, with the only modules of ours that it may import.
func library(
    _ name: String, in folder: String, uses dependencies: [Target.Dependency] = [], links: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "\(folder)/\(name)", swiftSettings: settings,
        linkerSettings: links)
}

/// The library of zlib itself, and not the name that a development package gives it: see `Data/CInflate/shim.h`.
let zlib: [LinkerSetting] = [
    .linkedLibrary(":libz.so.1", .when(platforms: [.linux])),
    .linkedLibrary("z", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
]

/// The tests of one target.
func tests(_ name: String, uses dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources, swiftSettings: settings)
}

/// The code of `Tests/LanguageModes` in one language mode, without the upcoming features above: what people write with
/// one import, with all of them, and in the style of Rx. That it compiles is half of the test.
func languageMode(_ mode: String, _ settings: [SwiftSetting]) -> Target {
    .testTarget(
        name: "\(mode)ModeTests",
        dependencies: [
            "Composition", "TravelDomain", "SQLiteStore", "TravelDataSQLite", "TravelDataInMemory", "TravelDataFiles",
            "TravelSamples", "Streams", "ViewModels", "TravelTexts", "TravelPages", "TravelPresentation",
            "TravelTerminal", "TestReporting", "ContractTesting", "CompositionTesting", "StreamsTesting",
            "ViewModelsTesting", "SQLiteStoreTesting", "TravelDomainTesting",
        ],
        path: "Tests/LanguageModes/\(mode)",
        swiftSettings: settings + [.enableUpcomingFeature("MemberImportVisibility")])
}

let package = Package(
    name: "traveline",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Composition", targets: ["Composition"]),
        .library(name: "TravelDomain", targets: ["TravelDomain"]),
        .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
        .library(name: "PostgreSQLStore", targets: ["PostgreSQLStore"]),
        .library(name: "TravelDataSQLite", targets: ["TravelDataSQLite"]),
        .library(name: "TravelDataPostgreSQL", targets: ["TravelDataPostgreSQL"]),
        .library(name: "TravelDataInMemory", targets: ["TravelDataInMemory"]),
        .library(name: "TravelDataFiles", targets: ["TravelDataFiles"]),
        .library(name: "TravelDataCached", targets: ["TravelDataCached"]),
        .library(name: "TravelDataRemote", targets: ["TravelDataRemote"]),
        .library(name: "TravelSamples", targets: ["TravelSamples"]),
        .library(name: "Streams", targets: ["Streams"]),
        .library(name: "ViewModels", targets: ["ViewModels"]),
        .library(name: "TravelTexts", targets: ["TravelTexts"]),
        .library(name: "TravelPages", targets: ["TravelPages"]),
        .library(name: "TravelPresentation", targets: ["TravelPresentation"]),
        .library(name: "TravelServer", targets: ["TravelServer"]),
        .library(name: "TestReporting", targets: ["TestReporting"]),
        .library(name: "ContractTesting", targets: ["ContractTesting"]),
        .library(name: "CompositionTesting", targets: ["CompositionTesting"]),
        .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
        .library(name: "ViewModelsTesting", targets: ["ViewModelsTesting"]),
        .library(name: "SQLiteStoreTesting", targets: ["SQLiteStoreTesting"]),
        .library(name: "PostgreSQLStoreTesting", targets: ["PostgreSQLStoreTesting"]),
        .library(name: "TravelDomainTesting", targets: ["TravelDomainTesting"]),
        .executable(name: "traveline", targets: ["traveline"]),
    ],
    traits: [
        .trait(name: "PostgreSQL", description: "Stores on a PostgreSQL server; needs libpq (Debian: libpq-dev)"),
        .trait(
            name: "Server",
            description: """
                A server for devices and browsers; needs libmicrohttpd, libsodium and zlib (Debian packages \
                libmicrohttpd-dev, libsodium-dev and zlib1g-dev)
                """),
    ],
    targets: [
        // Domain: knows neither sibling.
        library("TravelDomain", in: "Domain"),
        // The values of the domain as JSON, for files and for the interface of the server; no product.
        library("TravelJSON", in: "Domain", uses: ["TravelDomain"]),

        // Data: storage behind the domain's protocols.
        .systemLibrary(
            name: "CSQLite", path: "Data/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // What the two stores share below SQL; no product.
        library("DatabaseAccess", in: "Data"),
        library("SQLiteStore", in: "Data", uses: ["CSQLite", "DatabaseAccess"]),
        .systemLibrary(
            name: "CPostgreSQL", path: "Data/CPostgreSQL", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // Looked for only when the trait is enabled.
        library(
            "PostgreSQLStore", in: "Data",
            uses: ["DatabaseAccess", .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"]))]),
        library("TravelSamples", in: "Data", uses: ["TravelDomain"]),
        // What the stores of trips share; no product.
        library("TravelDataShared", in: "Data", uses: ["TravelDomain"]),
        // Writes generated trips as rows, which is several times faster than through its repositories.
        library(
            "TravelDataSQLite", in: "Data",
            uses: ["TravelDomain", "TravelDataShared", "SQLiteStore", "TravelSamples"]),
        library(
            "TravelDataPostgreSQL", in: "Data",
            uses: ["TravelDomain", "TravelDataShared", "TravelSamples", "PostgreSQLStore"]),
        library("TravelDataInMemory", in: "Data", uses: ["TravelDomain", "TravelDataShared"]),
        // No development package: the library is on every system of Apple, and on Linux wherever libcurl is.
        .systemLibrary(name: "CInflate", path: "Data/CInflate"),
        library(
            "TravelDataFiles", in: "Data", uses: ["TravelDomain", "TravelJSON", "TravelDataShared", "CInflate"],
            links: zlib),
        // No development package: the library is a part of Foundation on Linux.
        .systemLibrary(name: "CCurl", path: "Data/CCurl"),
        library(
            "TravelDataRemote", in: "Data",
            uses: [
                "TravelDomain", "TravelJSON", "TravelDataShared",
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
            ]),
        library("TravelDataCached", in: "Data", uses: ["TravelDomain", "TravelDataShared", "TravelJSON"]),

        // Presentation: never imports Data. Only the executable, the composition root, sees both.
        library("Streams", in: "Presentation"),
        library("Composition", in: "Presentation"),
        library("ViewModels", in: "Presentation", uses: ["Streams", "Composition"]),
        // Names and sentences in the languages of the travel log, which every edge shares.
        library("TravelTexts", in: "Presentation", uses: ["TravelDomain"]),
        library("TravelPages", in: "Presentation", uses: ["TravelDomain", "TravelTexts"]),
        library(
            "TravelPresentation", in: "Presentation",
            uses: ["TravelDomain", "TravelTexts", "ViewModels", "Streams"]),
        library("TravelTerminal", in: "Presentation", uses: ["TravelPresentation"]),
        // Looked for only when the trait is enabled.
        .systemLibrary(
            name: "CMicroHTTP", path: "Presentation/CMicroHTTP", pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CSodium", path: "Presentation/CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CZlib", path: "Presentation/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        library(
            "TravelServer", in: "Presentation",
            uses: [
                "TravelDomain", "TravelJSON", "TravelTexts", "TravelPages",
                .target(name: "CMicroHTTP", condition: .when(traits: ["Server"])),
                .target(name: "CSodium", condition: .when(traits: ["Server"])),
                .target(name: "CZlib", condition: .when(traits: ["Server"])),
            ]),
        // The views and the document know no server; what answers a browser is there only when the trait is enabled.
        library(
            "TravelBrowser", in: "Presentation",
            uses: ["TravelPresentation", "TravelPages", "TravelJSON", "TravelServer"]),
        .executableTarget(
            name: "traveline",
            dependencies: [
                "TravelDomain", "TravelDataShared", "TravelDataSQLite", "TravelDataPostgreSQL", "TravelDataInMemory",
                "TravelDataCached", "TravelDataRemote", "TravelDataFiles", "TravelSamples", "TravelTexts",
                "TravelPages", "TravelPresentation", "TravelTerminal", "TravelServer", "TravelBrowser",
            ],
            path: "Presentation/traveline", swiftSettings: settings),

        // Kits: what users test their own code with.
        library("TestReporting", in: "Tests/Kits"),
        library("ContractTesting", in: "Tests/Kits", uses: ["TestReporting"]),
        .target(name: "CCompositionTesting", path: "Tests/Kits/CCompositionTesting"),
        library(
            "CompositionTesting", in: "Tests/Kits", uses: ["Composition", "TestReporting", "CCompositionTesting"]),
        library("StreamsTesting", in: "Tests/Kits", uses: ["Streams", "TestReporting"]),
        library(
            "ViewModelsTesting", in: "Tests/Kits",
            uses: ["ViewModels", "Composition", "CompositionTesting", "Streams", "StreamsTesting", "TestReporting"]),
        library("SQLiteStoreTesting", in: "Tests/Kits", uses: ["SQLiteStore", "CSQLite"]),
        library("PostgreSQLStoreTesting", in: "Tests/Kits", uses: ["PostgreSQLStore"]),
        library("TravelDomainTesting", in: "Tests/Kits", uses: ["TravelDomain", "ContractTesting"]),

        // What the tests share: turns for those that open many files or take long.
        library("TestConcurrency", in: "Tests/Support", uses: ["TestReporting"]),
        library("RecordContract", in: "Tests/Support", uses: ["ContractTesting", "DatabaseAccess", "TestReporting"]),
        // Random histories of devices over one remote store.
        library(
            "TravelHistories", in: "Tests/Support",
            uses: ["TestReporting", "TravelDomain", "TravelDataCached", "TravelDomainTesting"]),

        // Trips and pictures for files and pages, and what a parser reads in them.
        library(
            "TravelFileSamples", in: "Tests/Support", uses: ["TravelDomain", "TravelDomainTesting", "TravelDataFiles"]),

        // Tests: one target for each module with its kit, with the sub-folders of what it tests; those of the domain test
        // its JSON and its samples as well.
        tests("KitTests", uses: ["TestConcurrency", "TestReporting", "ContractTesting"]),
        tests(
            "CompositionTests",
            uses: [
                "TestConcurrency", "Composition", "CompositionTesting", "TestReporting", "ViewModelsTesting", "Streams",
                "StreamsTesting",
            ]),
        tests(
            "TravelDomainTests",
            uses: [
                "TestConcurrency", "TestReporting", "ContractTesting", "TravelDomain", "TravelDomainTesting",
                "TravelJSON",
                "TravelDataInMemory", "TravelDataCached", "TravelDataShared", "TravelSamples", "StreamsTesting",
            ]),
        .target(
            name: "SQLiteStoreFuzzing", dependencies: ["SQLiteStore"], path: "Tests/SQLiteStoreFuzzing",
            swiftSettings: settings),
        tests(
            "SQLiteStoreTests",
            uses: [
                "TestConcurrency", "TestReporting", "SQLiteStore", "SQLiteStoreTesting", "SQLiteStoreFuzzing",
                "CSQLite",
                "DatabaseAccess", "RecordContract", "ContractTesting",
            ]),
        tests(
            "PostgreSQLStoreTests",
            uses: [
                "TestConcurrency", "TestReporting", "PostgreSQLStore", "PostgreSQLStoreTesting", "RecordContract",
                "ContractTesting",
            ]),
        tests(
            "TravelDataSQLiteTests",
            uses: [
                "TestConcurrency", "TravelDataShared", "TravelDataSQLite", "TravelDomain", "TravelDomainTesting",
                "TravelSamples", "SQLiteStore", "SQLiteStoreTesting", "CSQLite",
            ]),
        tests(
            "TravelDataPostgreSQLTests",
            uses: [
                "TestConcurrency", "TravelDataShared", "TravelDataPostgreSQL", "TravelDomain", "TravelDomainTesting",
                "PostgreSQLStore", "PostgreSQLStoreTesting",
            ]),
        tests(
            "TravelDataFilesTests",
            uses: [
                "TestConcurrency", "TestReporting", "TravelDataFiles", "TravelDomain", "TravelDomainTesting",
                "TravelFileSamples",
            ],
            resources: [.copy("Fixtures")]),
        tests(
            "TravelDataCachedTests",
            uses: [
                "TestConcurrency", "TestReporting", "TravelDataCached", "TravelDataInMemory", "TravelDataSQLite",
                "TravelDomainTesting", "TravelHistories", "StreamsTesting",
            ]),
        tests(
            "TravelDataRemoteTests",
            uses: ["TestConcurrency", "TravelDataRemote", "TravelDomainTesting", "TravelJSON"]),
        tests("StreamsTests", uses: ["TestConcurrency", "TestReporting", "Streams", "StreamsTesting"]),
        tests(
            "ViewModelsTests",
            uses: [
                "TestConcurrency", "ViewModels", "ViewModelsTesting", "Composition", "Streams", "StreamsTesting",
                "TestReporting",
            ]),
        tests("TravelTextsTests", uses: ["TravelTexts", "TravelDomainTesting"]),
        tests(
            "TravelPagesTests",
            uses: [
                "TestConcurrency", "TravelPages", "TravelTexts", "TravelDomain", "TravelDomainTesting",
                "TravelDataFiles", "TravelFileSamples",
            ]),
        tests(
            "TravelPresentationTests",
            uses: [
                "TestConcurrency", "TestReporting", "TravelPresentation", "TravelDomainTesting", "TravelDataInMemory",
                "TravelSamples", "Composition", "StreamsTesting", "ViewModelsTesting",
            ]),
        tests(
            "TravelTerminalTests",
            uses: [
                "TestConcurrency", "TestReporting", "TravelDomain", "TravelTerminal", "TravelDomainTesting",
                "TravelDataInMemory", "ViewModelsTesting", "StreamsTesting", "Composition",
            ]),
        tests(
            "TravelServerTests",
            uses: [
                "TestConcurrency", "TestReporting", "TravelServer", "TravelDomain", "TravelJSON", "TravelDomainTesting",
                "TravelHistories", "TravelDataInMemory", "TravelDataCached", "TravelDataRemote", "TravelDataSQLite",
                "TravelDataPostgreSQL", "PostgreSQLStoreTesting",
                .target(name: "CZlib", condition: .when(traits: ["Server"])),
            ]),
        tests(
            "TravelBrowserTests",
            uses: [
                "TestConcurrency", "TestReporting", "TravelBrowser", "TravelDomain", "TravelDomainTesting",
                "TravelDataInMemory", "Composition", "CompositionTesting", "ViewModelsTesting", "StreamsTesting",
                "TravelServer", "TravelPages", "TravelFileSamples",
            ]),
        languageMode("Swift5", [.swiftLanguageMode(.v5)]),
        languageMode("Swift6", [.swiftLanguageMode(.v6)] + strict),
        languageMode("MainActor", [.swiftLanguageMode(.v6), .defaultIsolation(MainActor.self)] + strict),
        tests(
            "Integration",
            uses: [
                "TestConcurrency", "TravelDomain", "TravelDataShared", "TravelDataSQLite", "TravelDataPostgreSQL",
                "TravelDataInMemory", "TravelSamples", "Streams", "StreamsTesting", "ViewModels", "ViewModelsTesting",
                "SQLiteStore", "PostgreSQLStoreTesting", "TravelPresentation", "TravelTerminal", "traveline",
            ]),
    ]
)

// The fuzzer needs flags that would slow everything else down: it is there when it is asked for.
if Context.environment["FUZZ"] != nil {
    let flags = ["-sanitize=fuzzer,address"]
    for target in package.targets where ["DatabaseAccess", "SQLiteStore", "SQLiteStoreFuzzing"].contains(target.name) {
        target.swiftSettings = settings + [.unsafeFlags(flags)]
    }
    package.targets.append(
        .executableTarget(
            name: "sqlite-fuzzer", dependencies: ["SQLiteStoreFuzzing"], path: "Tests/SQLiteStoreFuzzer",
            swiftSettings: settings, linkerSettings: [.unsafeFlags(flags + ["-use-ld=lld"])]))
}

// `ONLY=StreamsTests swift test` builds and runs the tests of one module: the targets that are named, with what they need.
if let names = Context.environment["ONLY"] {
    var needed = Set(names.split(separator: ",").map(String.init))
    var added = needed
    while !added.isEmpty {
        let dependencies = package.targets.filter { added.contains($0.name) }.flatMap(\.dependencies)
        added = Set(
            dependencies.compactMap {
                switch $0 {
                case .targetItem(let name, _), .byNameItem(let name, _): name
                default: nil
                }
            }
        ).subtracting(needed)
        needed.formUnion(added)
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}
