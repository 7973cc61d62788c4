import TravelDomain
import TravelPresentation

/// A file that cannot be used: which, why, and what to do.
struct FileError: Error, CustomStringConvertible {
    let path: String
    let reason: String
    let code: ExitCode

    var description: String { "\(path): \(reason)" }
}

extension FileError {
    /// Runs `work` on the file at `path`, and names the file in errors that do not.
    static func naming<Value>(_ path: String, _ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as TravelError {
            guard case .unavailable = error else { throw error }
            throw FileError(path: path, reason: error.description, code: error.exitCode)
        } catch let error as ErrorMessage {
            throw FileError(path: path, reason: error.text, code: .unavailable)
        }
    }
}
