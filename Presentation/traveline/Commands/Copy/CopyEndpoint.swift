import Foundation
import TravelDataSQLite
import TravelDomain
import TravelPresentation

#if PostgreSQL
    import TravelDataPostgreSQL
#endif

/// An open database: the source or the target of a copy.
struct CopyEndpoint: Sendable {
    let store: any CopiedStore
    /// The database, where it is a file.
    let file: TravelDatabase?
    let close: @Sendable () async -> Void

    /// Opens an existing database, without adding sample trips.
    ///
    /// - Parameter creates: Whether to create the tables in a database on a server that has none.
    static func open(_ location: StoreLocation, creates: Bool = false, in language: Language) async throws
        -> CopyEndpoint
    {
        switch location {
        case .file(let path):
            guard FileManager.default.fileExists(atPath: path) else {
                throw FileError(
                    path: path, reason: language.say("there is no such file", "파일이 없습니다"), code: .noInput)
            }
            let database = try await TravelDatabase.open(path: path)
            return CopyEndpoint(store: database, file: database) { await database.close() }
        case .server(let address):
            #if PostgreSQL
                let configuration = Database.Configuration().with {
                    // A copy cannot be run again in the middle, and its last statements read everything.
                    ($0.retryCount, $0.statementTimeout) = (0, .seconds(600))
                }
                let database =
                    creates
                    ? try await PostgreSQLTravelDatabase.open(.url(address.text), configuration: configuration)
                    : try await PostgreSQLTravelDatabase.openUnchanged(.url(address.text), configuration: configuration)
                return CopyEndpoint(store: database, file: nil) { await database.close() }
            #else
                throw CommandError.withoutServers(in: language)
            #endif
        }
    }
}

/// A store whose errors name it: a copy has two stores, and an error must show which one failed.
struct NamedStore: CopiedStore {
    let store: any CopiedStore
    let name: String
    let language: Language

    func readRecords(_ receive: @escaping @Sendable (StoreRecord) throws -> Void) async throws {
        try await FileError.naming(name, in: language) { try await store.readRecords(receive) }
    }

    func writeRecords(
        _ policy: CopyPolicy, next: @escaping @Sendable () throws -> StoreRecord?,
        check: (@Sendable (StoreSummary) throws -> Void)?
    ) async throws {
        try await FileError.naming(name, in: language) {
            try await store.writeRecords(policy, next: next, check: check)
        }
    }
}
