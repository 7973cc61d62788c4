// swift-tools-version: 6.2
import PackageDescription

// MAIN_ACTOR=1 compiles the same sources on the main actor by default, as new Xcode projects do.
let settings: [SwiftSetting] =
    [.treatAllWarnings(as: .error)]
    + (Context.environment["MAIN_ACTOR"] == nil
        ? []
        : [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")])

let package = Package(
    name: "lines",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "traveline", path: "../../..")],
    targets: [
        .executableTarget(
            name: "lines",
            dependencies: ["TravelPresentation", "TravelDataInMemory", "TravelSamples"].map {
                .product(name: $0, package: "traveline")
            },
            swiftSettings: settings),
        .testTarget(
            name: "LinesTests",
            dependencies: ["lines", .product(name: "ViewModelsTesting", package: "traveline")],
            swiftSettings: settings),
    ]
)
