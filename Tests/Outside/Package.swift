// swift-tools-version: 6.2
import PackageDescription

// A user's package: it depends on the libraries by URL, at a commit, and uses every public name of them. `.ci/outside` runs
// it, and compares what it uses with what the libraries declare.

/// MAIN_ACTOR=1 compiles the same sources on the main actor by default, as new Xcode projects do.
let settings: [SwiftSetting] =
    [.treatAllWarnings(as: .error)]
    + (Context.environment["MAIN_ACTOR"] == nil
        ? []
        : [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")])

/// POSTGRESQL=1 adds what needs libpq and a PostgreSQL server to start.
let hasPostgreSQL = Context.environment["POSTGRESQL"] != nil

/// A bare clone, which `.ci/outside` makes, and the commit to build.
let repository =
    Context.environment["REPOSITORY"] ?? "\(Context.packageDirectory)/../../.build/outside/origin/traveline.git"
let commit = Context.environment["COMMIT"] ?? "main"

/// The tests of one folder, which use the products that are named.
func uses(_ folder: String, _ products: String...) -> Target {
    .testTarget(
        name: "Uses\(folder)", dependencies: products.map { .product(name: $0, package: "traveline") }, path: folder,
        swiftSettings: settings)
}

let package = Package(
    name: "outside",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "file://\(repository)", revision: commit, traits: hasPostgreSQL ? ["PostgreSQL"] : [])
    ],
    targets: [
        uses("Streams", "Streams", "StreamsTesting"),
        uses("ViewModels", "ViewModels", "ViewModelsTesting"),
        uses("Composition", "Composition", "CompositionTesting"),
        uses("SQLiteStore", "SQLiteStore", "SQLiteStoreTesting"),
        uses("Contracts", "ContractTesting", "TestReporting"),
    ] + (hasPostgreSQL ? [uses("PostgreSQLStore", "PostgreSQLStore", "PostgreSQLStoreTesting")] : [])
)
