import Foundation
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain
import TravelPresentation

/// The composition root: everything a command needs, made once.
struct App: Sendable {
    /// Where trips are kept.
    let travels: any TravelRepository
    /// Who runs the command.
    let user: User
    /// The language of the environment.
    let language: Language

    /// Opens the database at `path`, or the person's own. One that is not there yet is made and filled with sample
    /// trips.
    static func open(database path: String?) async throws -> App {
        let environment = ProcessInfo.processInfo.environment
        let path = try path ?? DataDirectory.databasePath(in: environment)
        if !FileManager.default.fileExists(atPath: path) { try await SampleDatabase(path: path).create() }
        return App(
            travels: try await TravelDatabase.open(path: path).travels,
            user: try localUser,
            language: Language(locale: Standard.locale(in: environment)))
    }

    /// The one person who uses a database on their own device.
    private static var localUser: User {
        get throws {
            guard let id = User.ID("00000000-0000-4000-8000-000000000001") else { preconditionFailure("a UUID") }
            return User(id: id, nickname: try Nickname("나그네"))
        }
    }
}
