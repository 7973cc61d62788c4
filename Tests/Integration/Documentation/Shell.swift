import Foundation

/// Runs other programs.
enum Shell {
    struct Result {
        let status: Int32
        let output: String
        let error: String
    }

    /// Runs a program on the search path until it exits.
    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    /// Runs a program on the search path, with a list of arguments, until it exits.
    static func run(_ arguments: [String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shell-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
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

    /// Removes a temporary folder.
    static func remove(_ folder: URL) {
        // A file that remains in the temporary directory does not affect tests.
        try? FileManager.default.removeItem(at: folder)
    }
}
