import Foundation
import TravelDataInMemory
import TravelDataSQLite
import TravelDomain
import TravelPresentation

/// The composition root: everything a command needs, made once.
struct App: Sendable {
    /// Where trips are kept.
    let travels: any TravelRepository & UserRepository
    /// Who runs the command.
    let user: User
    /// That they are signed in.
    let session: any SessionRepository
    /// The language of the environment.
    let language: Language

    /// Runs `work` with the database at `path`, or the person's own, and closes it, so that its one file holds everything.
    /// One that is not there yet is made and filled with sample trips.
    static func run<Value>(database path: String?, _ work: (App) async throws -> Value) async throws -> Value {
        let environment = ProcessInfo.processInfo.environment
        let isNamed = path != nil
        let path = try path ?? DataDirectory.databasePath(in: environment)
        return try await FileError.naming(path) {
            if !FileManager.default.fileExists(atPath: path) {
                let isNew = try await SampleDatabase(path: path, makesFolders: !isNamed).create()
                if isNamed, isNew { Standard.note("\(path): there was no such file; a new database was made") }
            }
            let database = try await TravelDatabase.open(path: path)
            do {
                let value = try await work(
                    App(
                        travels: database.travels, user: try localUser,
                        session: InMemorySession(signedIn: try localUser.id),
                        language: Language(locale: Standard.locale(in: environment))))
                await database.close()
                return value
            } catch {
                await database.close()
                throw error
            }
        }
    }

    /// Gives the one who runs the command an account, unless they have one.
    func addUser() async throws {
        do {
            try await travels.add(user)
        } catch TravelError.conflict(.user(user.id)) {
            // They have one.
        }
    }

    /// The one person who uses a database on their own device.
    private static var localUser: User {
        get throws {
            guard let id = User.ID("00000000-0000-4000-8000-000000000001") else { preconditionFailure("a UUID") }
            return User(id: id, nickname: try Nickname("나그네"))
        }
    }
}
