import TravelDomain
import TravelPresentation

/// A file that cannot be used: which, why, and what to do.
struct FileError: Error, CustomStringConvertible {
    let path: String
    let reason: String
    let code: ExitCode
    /// Whether it cannot be opened at all.
    var isInaccessible = false

    var description: String { "\(path): \(reason)" }
}

extension FileError {
    /// Runs `work` on the database at `path`, puts the errors of use cases into words, and names the database where it
    /// is to blame.
    static func naming<Value>(
        _ path: String, in language: Language, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch let error as TravelError {
            let message = CommandError(error, in: language)
            guard case .unavailable(let outage) = error else { throw message }
            throw FileError(
                path: path, reason: message.description, code: message.code,
                isInaccessible: [.inaccessible, .readOnly].contains(outage.cause))
        }
    }
}
