// swift-tools-version: 6.2
import PackageDescription

// MAIN_ACTOR=1 compiles the same sources on the main actor by default, as new Xcode projects do.
let settings: [SwiftSetting] =
    [.treatAllWarnings(as: .error)]
    + (Context.environment["MAIN_ACTOR"] == nil
        ? []
        : [.defaultIsolation(MainActor.self), .enableUpcomingFeature("NonisolatedNonsendingByDefault")])

let package = Package(
    name: "reader",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "traveline", path: "../../..")],
    targets: [
        .executableTarget(
            name: "reader",
            dependencies: [
                .product(name: "Streams", package: "traveline"), .product(name: "ViewModels", package: "traveline"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReaderTests",
            dependencies: ["reader", .product(name: "ViewModelsTesting", package: "traveline")],
            swiftSettings: settings),
    ]
)
