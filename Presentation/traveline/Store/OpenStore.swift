import Foundation
import TravelDataSQLite
import TravelDomain
import TravelPresentation

#if PostgreSQL
    import TravelDataPostgreSQL
#endif

/// A store of travels that is open, wherever it is.
struct OpenStore: Sendable {
    /// Travels, people, images, reports and blocks.
    let travels: any TravelStore
    /// The IDs of the travels.
    let identifiers: any TravelIdentifiers
    /// The database, where it is a file.
    let file: TravelDatabase?
    /// Closes the file or the connections.
    let close: @Sendable () async -> Void

    /// Opens the store in a place. A file that does not exist yet is created and filled with sample trips; a database
    /// on a server receives none, because others use it too.
    ///
    /// - Parameter isNamed: Whether the user named the file. If so, its folder must exist, and a note on standard error
    ///   reports that the file was created.
    static func open(_ location: StoreLocation, isNamed: Bool, in language: Language) async throws -> OpenStore {
        switch location {
        case .file(let path):
            if !FileManager.default.fileExists(atPath: path) {
                let isNew = try await SampleDatabase(path: path, makesFolders: !isNamed).create()
                if isNamed, isNew {
                    Standard.note(
                        language.say(
                            "\(path): there was no such file; a new database with sample trips was created (to remove "
                                + "them: delete --samples)",
                            "\(path): 파일이 없어서 예시 여행이 있는 새 데이터베이스를 만들었습니다 (예시 지우기: delete --samples)"))
                }
            }
            return OpenStore(file: try await TravelDatabase.open(path: path))
        case .server(let address):
            #if PostgreSQL
                return OpenStore(server: try await PostgreSQLTravelDatabase.open(.url(address.text)))
            #else
                throw CommandError.withoutServers(in: language)
            #endif
        }
    }

    init(file database: TravelDatabase) {
        (travels, identifiers, file) = (database.travels, database.travels, database)
        close = { await database.close() }
    }

    #if PostgreSQL
        init(server database: PostgreSQLTravelDatabase) {
            (travels, identifiers, file) = (database.travels, database.travels, nil)
            close = { await database.close() }
        }
    #endif
}

/// Finds travels by the first characters of their IDs, and what belongs to a travel besides its content.
protocol TravelIdentifiers: Sendable {
    /// The IDs of travels in a range, in order, at most `limit`, regardless of visibility.
    func travelIDs(in range: ClosedRange<Travel.ID>, limit: Int) async throws -> [Travel.ID]

    /// For each of the IDs, the ones before and after it in the order of all travels, regardless of visibility.
    func neighbors(of ids: [Travel.ID]) async throws -> [Travel.ID: [Travel.ID]]

    /// The people who like a travel, and those who have reported it.
    func people(of id: Travel.ID) async throws -> (likedBy: [User.ID], reportedBy: [User.ID])
}

extension SQLiteTravelRepository: TravelIdentifiers {}

#if PostgreSQL
    extension PostgreSQLTravelRepository: TravelIdentifiers {}
#endif

extension CommandError {
    /// The error for an address of a server in a program that was built without PostgreSQL.
    static func withoutServers(in language: Language) -> CommandError {
        CommandError(
            language.say(
                "this traveline was built without PostgreSQL; build it with: swift build --traits PostgreSQL (needs libpq)",
                "이 traveline은 PostgreSQL 없이 빌드되었습니다. 다음과 같이 빌드하세요: swift build --traits PostgreSQL (libpq 필요)"),
            .unavailable)
    }
}
