// swift-tools-version: 6.2
import PackageDescription

// MAIN_ACTOR=1 compiles the same sources on the main actor by default, as new Xcode projects do.
let settings: [SwiftSetting] =
    [.treatAllWarnings(as: .error)]
    + (Context.environment["MAIN_ACTOR"] == nil
        ? []
        : [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")])

/// Imports point inward: neither the data nor the screens are known to the domain, or to each other.
func target(_ name: String, _ own: [String], _ products: String...) -> Target {
    .target(name: name, dependencies: own.map { .byName(name: $0) } + products.map(product), swiftSettings: settings)
}

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "traveline") }

let package = Package(
    name: "notes",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "traveline", path: "../../..")],
    targets: [
        target("NotesDomain", []),
        target("NotesData", ["NotesDomain"], "SQLiteStore"),
        target("NotesScreens", ["NotesDomain"], "Composition", "Streams", "ViewModels"),
        .executableTarget(
            name: "notes-terminal",
            dependencies: ["NotesDomain", "NotesData", "NotesScreens", product("SQLiteStore"), product("ViewModels")],
            swiftSettings: settings),
        .testTarget(
            name: "NotesTests",
            dependencies: [
                "NotesDomain", "NotesData", "NotesScreens", product("SQLiteStore"), product("ContractTesting"),
                product("ViewModelsTesting"),
            ],
            swiftSettings: settings),
    ]
)
