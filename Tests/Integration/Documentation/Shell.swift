import Foundation

/// Runs other programs.
enum Shell {
    struct Result {
        let status: Int32
        let output: String
        let error: String
    }

    /// Runs a program found on the search path, to its end.
    static func run(_ arguments: String...) throws -> Result { try run(arguments) }

    /// The same, with a list of arguments.
    static func run(_ arguments: [String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shell-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { remove(folder) }
        // Files, not pipes: a pipe that no one empties stops the program once it is full.
        let output = folder.appendingPathComponent("output")
        let error = folder.appendingPathComponent("error")
        for file in [output, error] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: error)
        process.standardInput = FileHandle.nullDevice
        // What they leave in the temporary directory goes with the folder.
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
        // A file that stays in the temporary directory harms no test.
        try? FileManager.default.removeItem(at: folder)
    }
}
