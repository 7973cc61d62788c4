import Foundation

/// A package of one file that depends on modules of this one, as a user's would.
enum SmallPackage {
    /// Builds and runs it.
    static func run(modules: [String], main: String) throws -> Shell.Result {
        let products = modules.map { ".product(name: \"\($0)\", package: \"traveline\")" }.joined(separator: ", ")
        return try run(
            manifest: """
                // swift-tools-version: 6.2
                import PackageDescription

                let package = Package(
                    name: "small",
                    platforms: [.macOS(.v15)],
                    dependencies: [.package(path: "../traveline")],
                    targets: [
                        .executableTarget(
                            name: "small", dependencies: [\(products)],
                            swiftSettings: [.swiftLanguageMode(.v5)])
                    ])
                """,
            name: "small", main: main)
    }

    /// Builds and runs a package with that manifest, whose one target has that name.
    static func run(manifest: String, name: String, main: String) throws -> Shell.Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
        let package = folder.appendingPathComponent(name)
        let sources = package.appendingPathComponent("Sources/\(name)")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        defer { Shell.remove(folder) }
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("traveline"), withDestinationURL: Repository.root)
        try manifest.write(to: package.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        try main.write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        return try Shell.run("swift", "run", "--quiet", "--package-path", package.path)
    }
}
