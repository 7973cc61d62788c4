import Foundation

/// The executable, built beside the tests.
enum Program {
    static let path = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("traveline").path
    static let isBuilt = FileManager.default.isExecutableFile(atPath: path)

    /// Runs a shell command in an empty folder, in which `$traveline` is the program, in the locale `C`.
    static func run<Value>(
        _ command: String, _ check: (_ result: Shell.Result, _ folder: String) throws -> Value
    ) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("program-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { Shell.remove(folder) }
        let script =
            "cd '\(folder.path)' && export XDG_DATA_HOME=$PWD/data LC_ALL=C COLUMNS=80 && traveline='\(path)' && \(command)"
        return try check(try Shell.run("bash", "-c", script), folder.path)
    }
}
