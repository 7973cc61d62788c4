import Foundation
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain
import TravelPresentation
import TravelTerminal

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The app on a terminal: what `traveline` without a command opens.
@MainActor
struct InteractiveApp {
    /// Whether a person is at both ends.
    nonisolated static var isPossible: Bool { isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 }

    private let environment: [String: String]
    private let directory: URL

    /// Opens the app and returns when the person has left it.
    static func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let path = try DataDirectory.databasePath(in: environment)
        try await FileError.naming(path) {
            if !FileManager.default.fileExists(atPath: path) {
                _ = try await SampleDatabase(path: path, makesFolders: true).create()
            }
            let database = try await TravelDatabase.open(path: path)
            let app = InteractiveApp(
                environment: environment, directory: URL(fileURLWithPath: path).deletingLastPathComponent())
            do {
                try await app.run(database)
            } catch {
                await database.close()
                throw error
            }
        }
    }

    private func run(_ database: TravelDatabase) async throws {
        let language =
            saved("language").flatMap(Language.init(rawValue:))
            ?? Language(locale: Standard.locale(in: environment))
        let languageFile = file("language")
        let screens = TerminalScreens(
            store: database.travels, session: database.session, identity: database.session,
            recentKeywords: database.recentKeywords, places: Gazetteer.korea, now: { Date() },
            readImage: { try PhotoFile(path: $0).image },
            saveLanguage: { try Data($0.rawValue.utf8).write(to: languageFile, options: .atomic) })
        let session = TerminalSession(
            screens, language: language, restoring: saved("screens") ?? "", environment: environment)
        try await session.run { open in
            // Where this cannot be saved, the app begins with the list of trips the next time.
            try? Data(open.utf8).write(to: file("screens"), options: .atomic)
            await database.close()
        }
    }

    private func file(_ name: String) -> URL { directory.appendingPathComponent(name) }

    /// The text of a file; nil if there is none, or it cannot be read: then the app begins as the first time.
    private func saved(_ name: String) -> String? {
        (try? String(contentsOf: file(name), encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
