/// Words on the command line that say nothing, with how to say it right.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// The exit codes of this command: those of BSD's `sysexits.h`.
enum ExitCode: Int32 {
    case success = 0
    /// The command line is wrong.
    case usage = 64
    /// A file is wrong.
    case dataError = 65
    /// The database cannot be used now.
    case unavailable = 69
    /// A mistake in this program.
    case software = 70
    /// What was asked for cannot be written to standard output.
    case outputError = 74
}
