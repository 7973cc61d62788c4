import Foundation

/// `traveline`, to be run on a terminal.
enum AppProgram {
    /// The executable, built beside the tests.
    static let path = URL(fileURLWithPath: ProcessInfo.processInfo.arguments[0])
        .deletingLastPathComponent().appendingPathComponent("traveline").path
    static let isBuilt = FileManager.default.isExecutableFile(atPath: path)

    /// Runs the test in an empty data directory, in which the question about sample trips was answered unless it `asks`.
    static func inFolder(
        asks: Bool = false, keepsOutput: Bool = false,
        _ body: (_ start: (_ words: String...) throws -> PseudoTerminal) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { Shell.remove(folder) }
        if !asks {
            let data = folder.appendingPathComponent("traveline")
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: false)
            try Data("kept".utf8).write(to: data.appendingPathComponent("samples"))
        }
        try body { (words: String...) in
            try PseudoTerminal(
                words.first == "bash" ? "/bin/bash" : path, words.first == "bash" ? ["--norc", "-i"] : words,
                environment: [
                    "XDG_DATA_HOME": folder.path, "HOME": folder.path, "TERM": "xterm-256color",
                    "LC_ALL": "ko_KR.UTF-8",
                    "PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no",
                    // The prompt of a shell has the number of the command.
                    "PS1": "\\#> ",
                ], keepsOutput: keepsOutput)
        }
    }
}
