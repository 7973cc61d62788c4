/// A file that cannot be used: which, why, and what to do.
struct FileError: Error, CustomStringConvertible {
    let path: String
    let reason: String
    let code: ExitCode

    var description: String { "\(path): \(reason)" }
}
