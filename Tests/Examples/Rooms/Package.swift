// swift-tools-version: 6.2
import PackageDescription

// MAIN_ACTOR=1 compiles the same sources on the main actor by default, as new Xcode projects do.
let settings: [SwiftSetting] =
    [.treatAllWarnings(as: .error)]
    + (Context.environment["MAIN_ACTOR"] == nil
        ? []
        : [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")])

func uses(_ own: [String], _ products: [String]) -> [Target.Dependency] {
    own.map { .byName(name: $0) } + products.map { .product(name: $0, package: "traveline") }
}

/// Imports point inward: each store is a target of its own, and knows only the domain.
func target(_ name: String, _ own: [String] = [], _ products: String...) -> Target {
    .target(name: name, dependencies: uses(own, products), swiftSettings: settings)
}

func tests(_ name: String, _ own: [String], _ products: String...) -> Target {
    .testTarget(name: name, dependencies: uses(own, products), swiftSettings: settings)
}

let package = Package(
    name: "rooms",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "traveline", path: "../../..")],
    targets: [
        target("RoomsDomain"),
        target("RoomsInMemory", ["RoomsDomain"]),
        target("RoomsSQLite", ["RoomsDomain"], "SQLiteStore"),
        target("RoomsScreens", ["RoomsDomain"], "ViewModels"),
        .executableTarget(
            name: "rooms-terminal",
            dependencies: uses(["RoomsDomain", "RoomsSQLite", "RoomsScreens"], ["SQLiteStore", "ViewModels"]),
            swiftSettings: settings),
        // The contract of the stores is a target of its own, because a test target cannot import another: the tests of
        // each store run it, in this package or in one that depends on it.
        target("RoomsContract", ["RoomsDomain"], "ContractTesting"),
        tests("RoomsSQLiteTests", ["RoomsContract", "RoomsDomain", "RoomsSQLite"], "ContractTesting", "SQLiteStore"),
        tests(
            "RoomsTests", ["RoomsContract", "RoomsDomain", "RoomsInMemory", "RoomsScreens"], "ContractTesting",
            "ViewModelsTesting"),
    ]
)
