import Foundation
import Testing

/// A program of one file that links the modules built for the tests: equivalent to a package that depends on them, in a
/// hundredth of the time.
enum SmallProgram {
    /// Builds and runs the program.
    static func run(modules: [String], main: String) throws -> Shell.Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { Shell.remove(folder) }
        let source = folder.appendingPathComponent("main.swift")
        try main.write(to: source, atomically: true, encoding: .utf8)
        // The objects of the modules, and an archive with their possible dependencies.
        let archive = folder.appendingPathComponent("rest.a")
        let rest = try libraries().filter { !modules.contains($0) }.flatMap(objects)
        try #require(try Shell.run(["ar", "rcs", archive.path] + rest.map(\.path)).status == 0)
        let program = folder.appendingPathComponent("program")
        let compiled = try Shell.run(
            [
                "swiftc", "-swift-version", "5", "-Onone", "-I", built.appendingPathComponent("Modules").path,
                source.path,
            ]
                + modules.flatMap(objects).map(\.path) + [archive.path, "-o", program.path])
        guard compiled.status == 0 else { return compiled }
        return try Shell.run([program.path])
    }

    /// Type-checks the program in a language mode and with options of the compiler, without building or running it.
    static func check(_ main: String, mode: String, options: [String] = []) throws -> Shell.Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { Shell.remove(folder) }
        let source = folder.appendingPathComponent("main.swift")
        try main.write(to: source, atomically: true, encoding: .utf8)
        let library = Repository.root.appendingPathComponent("Data/CSQLite").path
        return try Shell.run(
            [
                "swiftc", "-typecheck", "-swift-version", mode, "-I", built.appendingPathComponent("Modules").path,
                "-I",
                library, "-Xcc", "-fmodule-map-file=\(library)/module.modulemap", source.path,
            ] + options)
    }

    /// The folder that contains the test executable and all build products.
    private static let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    private static let layers = ["Domain", "Data", "Presentation", "Tests/Kits"]

    /// The library targets of the package.
    private static func libraries() throws -> [String] {
        try layers.flatMap { try Repository.folders(in: $0) }
            .filter { name in
                let main = built.appendingPathComponent("\(name).build/main.swift.o")
                return !FileManager.default.fileExists(atPath: main.path)
            }
    }

    /// The object files of a module. Objects of removed sources remain in the folder and are ignored.
    private static func objects(of module: String) throws -> [URL] {
        let layer = try layers.first { try Repository.folders(in: $0).contains(module) }
        return try Repository.swiftFiles(in: "\(layer ?? "Tests")/\(module)")
            .map { built.appendingPathComponent("\(module).build/\($0.lastPathComponent).o") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
    }
}
