import Foundation

/// A small package that depends on modules of this package.
enum SmallPackage {
    /// Whether packages are built from scratch with all their dependencies. `.ci/run` enables it; it takes as long as
    /// building this package.
    static let areBuilt = ProcessInfo.processInfo.environment["README_PACKAGES"] != nil

    /// Builds and runs a package with that manifest, one executable target with that name, and library targets.
    ///
    /// - Parameter libraries: The source of each library target, by name.
    static func run(
        manifest: String, name: String, main: String, libraries: [String: String] = [:]
    ) throws -> Shell.Result {
        try with(manifest: manifest, name: name, main: main) { package in
            for (name, source) in libraries {
                let folder = "\(package)/Sources/\(name)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try source.write(toFile: "\(folder)/\(name).swift", atomically: true, encoding: .utf8)
            }
            return try Shell.run("swift", "run", "--quiet", "--package-path", package)
        }
    }

    /// Describes a package with that manifest as JSON, with its name, targets and products.
    static func describe(manifest: String, name: String) throws -> Shell.Result {
        try with(manifest: manifest, name: name, main: "") { package in
            try Shell.run("swift", "package", "--package-path", package, "describe", "--type", "json")
        }
    }

    private static func with(
        manifest: String, name: String, main: String, _ body: (_ package: String) throws -> Shell.Result
    ) throws -> Shell.Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
        let package = folder.appendingPathComponent(name)
        let sources = package.appendingPathComponent("Sources/\(name)")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        defer { Shell.remove(folder) }
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("traveline"), withDestinationURL: Repository.root)
        try manifest.write(to: package.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        try main.write(to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        return try body(package.path)
    }
}
