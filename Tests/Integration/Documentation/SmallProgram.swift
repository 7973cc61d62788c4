import Foundation
import Synchronization
import Testing

extension Trait where Self == ConditionTrait {
    /// Runs a test that starts compilers only if `COMPILE_EXAMPLES` is set, as `.ci/run` does: there are about a hundred of
    /// them, and one builds this package anew.
    static var compilesExamples: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["COMPILE_EXAMPLES"] != nil,
            "set COMPILE_EXAMPLES=1 to compile the examples of articles")
    }
}

/// A program of one file that links the modules built for the tests: equivalent to a package that depends on them, in a
/// hundredth of the time.
enum SmallProgram {
    /// Builds and runs the program.
    static func run(modules: Set<String>, main: String) throws -> Shell.Result {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        let source = folder.appendingPathComponent("main.swift")
        try main.write(to: source, atomically: true, encoding: .utf8)
        let program = folder.appendingPathComponent("program")
        let options = ["-swift-version", "5", "-Onone", "-I", built.appendingPathComponent("Modules").path]
        let modules = linked(modules)
        let objects = try modules.flatMap(objects).map(\.path)
        let libraries = modules.contains("CInflate") ? [zlib] : []
        let compiled = try Shell.run(["swiftc"] + options + [source.path] + objects + libraries + ["-o", program.path])
        guard compiled.status == 0 else { return compiled }
        return try Shell.run([program.path])
    }

    /// The option of the manifest that links zlib.
    private static var zlib: String {
        #if os(Linux)
        "-l:libz.so.1"
        #else
        "-lz"
        #endif
    }

    /// Compiles the program in a language mode and with options of the compiler until its last diagnostics, without
    /// building or running it.
    static func check(_ main: String, mode: String, options: [String] = []) throws -> Shell.Result {
        let folder = try Shell.temporaryFolder()
        defer { Shell.remove(folder) }
        try main.write(to: folder.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        return try Shell.run(["sh", "-c", try command(["-swift-version", mode] + options)], in: folder)
    }

    /// The command that compiles `main.swift` in the current folder. The driver, which takes as long as the compiler for a
    /// small program, is asked for it once.
    private static func command(_ options: [String]) throws -> String {
        if let command = commands.withLock({ $0[options] }) { return command }
        // Not to /dev/null: the compiler removes the output of a program with an error.
        let arguments = ["swiftc", "-###", "-emit-sil", "main.swift", "-o", "main.sil"] + options + importOptions
        let driver = try Shell.run(arguments)
        try #require(driver.status == 0, "\(driver.error)")
        commands.withLock { $0[options] = driver.output }
        return driver.output
    }

    private static let commands = Mutex<[[String]: String]>([:])

    /// Where the compiler finds the modules that were built for the tests. Folders that other options name come first.
    static var importOptions: [String] {
        let libraries = ["Data/CSQLite", "Data/CCurl", "Data/CInflate"].map {
            Repository.root.appendingPathComponent($0).path
        }
        let kit = built.appendingPathComponent("CCompositionTesting.build").path
        return ["-I", built.appendingPathComponent("Modules").path] + libraries.flatMap { ["-I", $0] }
            + (libraries + [kit]).flatMap { ["-Xcc", "-fmodule-map-file=\($0)/module.modulemap"] }
    }

    /// What makes declarations with `package` access visible: the name that the package manager gives this package.
    static var packageOptions: [String] {
        let name = Repository.root.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return ["-package-name", String(name)]
    }

    /// The folder of the toolchain with the Swift libraries and plug-ins.
    static func toolchainLibraries() throws -> String {
        let info = try Shell.run("swiftc", "-print-target-info").output
        let path = try #require(info.firstMatch(of: #/"runtimeResourcePath": "([^"]+)"/#))
        return String(path.1)
    }

    /// The folder that contains the test executable and all build products.
    private static let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// Modules, and those that they depend on.
    private static func linked(_ modules: Set<String>) -> Set<String> {
        let needed = modules.union(modules.flatMap { ManifestTarget.named($0)?.dependencies ?? [] })
        return needed == modules ? modules : linked(needed)
    }

    /// The object files of a module. Objects of removed sources remain in the folder and are ignored.
    private static func objects(of module: String) throws -> [URL] {
        try Repository.swiftFiles(in: #require(ManifestTarget.named(module)).folder)
            .map { built.appendingPathComponent("\(module).build/\($0.lastPathComponent).o") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
    }
}

/// A small package that depends on modules of this package.
enum SmallPackage {
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

/// Runs other programs.
enum Shell {
    struct Result {
        let status: Int32
        let output: String
        let error: String
    }

    /// Runs a program on the search path until it exits.
    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    /// Runs a program on the search path, with a list of arguments, until it exits, in that folder or the current one.
    static func run(_ arguments: [String], in workingFolder: URL? = nil) throws -> Result {
        let process = Process()
        if let workingFolder { process.currentDirectoryURL = workingFolder }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let folder = try temporaryFolder()
        defer { remove(folder) }
        // Files instead of pipes, because a full pipe that is not read blocks the program.
        let output = folder.appendingPathComponent("output")
        let error = folder.appendingPathComponent("error")
        for file in [output, error] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: error)
        process.standardInput = FileHandle.nullDevice
        // Files that the program leaves in its temporary directory are removed with the folder.
        process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder.path]) { _, new in new }
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus,
            output: try String(contentsOf: output, encoding: .utf8),
            error: try String(contentsOf: error, encoding: .utf8))
    }

    /// Creates an empty folder in the temporary directory.
    static func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "traveline-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return folder
    }

    /// Removes a temporary folder.
    static func remove(_ folder: URL) {
        // A file that remains in the temporary directory does not affect tests.
        try? FileManager.default.removeItem(at: folder)
    }
}
